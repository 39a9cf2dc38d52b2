import CaptureAnalysis
import CaptureFiles
import GATTKit
import Testing

@testable import CaptureReports

@Suite struct `Times` {
  /// Seconds as GNU date has them: `date -u -d 2000-02-29T23:59:59Z +%s`.
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (-1_000_000, "1969-12-31T23:59:59.000000Z"), (-86_400_000_001, "1969-12-30T23:59:59.999999Z"),
      (951_868_799_000_000, "2000-02-29T23:59:59.000000Z"), (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
      (1_709_210_096_123_456, "2024-02-29T12:34:56.123456Z"), (1_773_480_413_001_234, "2026-03-14T09:26:53.001234Z"),
      (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
      (-2_208_988_800_000_000, "1900-01-01T00:00:00.000000Z"), (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"), (1_735_689_599_999_999, "2024-12-31T23:59:59.999999Z"),
    ] as [(Int64, String)])
  func `in RFC 3339`(microseconds: Int64, text: String) throws {
    let civil = try #require(CivilTime(Timestamp(microseconds: microseconds)))
    #expect(buffered { $0.write(civil) } == text)
  }

  /// Years of five digits, and those before the year 0, RFC 3339 cannot write.
  @Test(arguments: [253_402_300_800_000_000, -62_167_219_200_000_001, .max, .min] as [Int64])
  func `that cannot be written`(microseconds: Int64) {
    let time = Timestamp(microseconds: microseconds)
    #expect(CivilTime(time) == nil)
    #expect(json { $0.value("time", time) } == #"{"time": null}"#)
  }

  /// Every day of four hundred years follows the one before.
  @Test func `day after day`() {
    var (year, month, day) = (1900, 1, 1)
    for number in -25_567 ..< -25_567 + 146_097 {
      let time = Timestamp(microseconds: Int64(number) * 86_400_000_000 + 43_200_000_000)
      guard let civil = CivilTime(time), (civil.year, civil.month, civil.day, civil.hour) == (year, month, day, 12)
      else {
        Issue.record("\(time) is not \(year)-\(month)-\(day)")
        return
      }
      if CivilTime.days(year: year, month: month, day: day) != number {
        Issue.record("\(year)-\(month)-\(day) is another day")
        return
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      (year, month, day) =
        day < length ? (year, month, day + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
    }
  }

  @Test(arguments: [(2026, 0, 1), (2026, 13, 1), (2026, 3, 0), (2026, 4, 31), (2026, 2, 29), (2100, 2, 29)])
  func `of days that there are not`(year: Int, month: Int, day: Int) {
    #expect(CivilTime.days(year: year, month: month, day: day) == nil)
  }

  @Test(
    arguments: [
      (1_773_480_413_001_234, "2026-03-14", "09:26:53", "09:26:53.001"), (0, "1970-01-01", "00:00:00", "00:00:00.000"),
      (-1, "1969-12-31", "23:59:59", "23:59:59.999"), (1_709_164_809_099_999, "2024-02-29", "00:00:09", "00:00:09.099"),
      (-62_135_596_800_000_000, "0001-01-01", "00:00:00", "00:00:00.000"),
    ] as [(Int64, String, String, String)])
  func `in words`(microseconds: Int64, date: String, clock: String, fine: String) throws {
    let time = try #require(CivilTime(Timestamp(microseconds: microseconds)))
    #expect(TimeText.date(time) == date)
    #expect(TimeText.clock(time) == clock)
    #expect(TimeText.clockWithMilliseconds(time) == fine)
  }

  /// Where a moment is no date, what had passed since the capture began; what lies before that, or centuries behind it,
  /// lies behind a leap of the clock.
  @Test(
    arguments: [
      (0, "+0 s", "+0.000 s"), (999_999, "+0 s", "+0.999 s"), (3_446_999, "+3 s", "+3.446 s"),
      (36_123_000_000, "+36123 s", "+36123.000 s"), (9_999_999_999_999_999, "+9999999999 s", "+9999999999.999 s"),
      (-1, nil, nil), (10_000_000_000_000_000, nil, nil),
    ] as [(Int64, String?, String?)], [-100_000_000_000_000_000, 300_000_000_000_000_000] as [Int64])
  func `that are no date`(passed: (Int64, text: String?, fine: String?), start: Int64) {
    let start = Timestamp(microseconds: start)
    let times = MomentText(clock: ClockReading(.utc, zone: nil), start: start)
    let time = start.advanced(byMicroseconds: passed.0)
    #expect(times.text(time) == passed.text && times.text(time, after: time) == passed.text)
    #expect(times.textWithMilliseconds(time) == passed.fine)
  }

  /// None is told, or what had passed is more than can be counted.
  @Test func `that are not told`() {
    for start in [nil, .min, .max, 0, 1_773_480_413_000_000] as [Int64?] {
      let times = MomentText(
        clock: ClockReading(.utc, zone: nil), start: start.map { Timestamp(microseconds: $0) })
      for time in [.min, 0] as [Int64] { #expect(times.text(Timestamp(microseconds: time)) == nil) }
      #expect(times.text(Timestamp(microseconds: .max)) == (start == .max ? "+0 s" : nil))
      #expect(times.text(Timestamp(microseconds: 1_773_480_413_000_000)) == "09:26:53")
    }
  }

  @Test(
    arguments: [
      (0, "0.0 s"), (0.04, "0.0 s"), (4.2, "4.2 s"), (9.94, "9.9 s"), (10, "10 s"), (59.4, "59 s"),
      (59.6, "1 min"), (60, "1 min"), (61, "1 min 01 s"), (2319, "38 min 39 s"), (3599.4, "59 min 59 s"),
      (3599.6, "1 h 00 min"), (3600, "1 h 00 min"), (7500, "2 h 05 min"), (86_400, "24 h 00 min"),
      (172_800, "2 days 0 h"), (266_400, "3 days 2 h"), (-5, "0.0 s"), (1e12, "centuries"), (.infinity, "centuries"),
    ] as [(Double, String)])
  func `durations`(seconds: Double, text: String) {
    #expect(TimeText.duration(seconds) == text)
  }
}

@Suite struct `Numbers` {
  @Test(
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (61_204, "61,204"), (100_000, "100,000"),
      (1_000_000, "1,000,000"),
      (-1, "-1"), (-999, "-999"), (-1000, "-1,000"), (-123_456, "-123,456"), (.max, "9,223,372,036,854,775,807"),
      (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)])
  func `with thousands`(number: Int, text: String) {
    #expect(TimeText.count(number) == text)
  }

  @Test(arguments: [(0, "0 packets"), (1, "1 packet"), (2, "2 packets"), (1234, "1,234 packets")])
  func `with nouns`(number: Int, text: String) {
    #expect(TimeText.count(number, "packet") == text)
  }

  @Test(
    arguments: [
      (0, 1, "0.0"), (0.05, 1, "0.1"), (0.25, 2, "0.25"), (976.5625, 3, "976.563"), (1.5, 0, "2"), (0.49, 0, "0"),
      (-1.25, 2, "-1.25"),
      (-0.001, 2, "0.00"), (0.999, 2, "1.00"), (9.999_999_9, 6, "10.000000"), (1e14, 1, "100000000000000.0"),
      (123_456.789, 3, "123456.789"),
      (1, 4, "1.0000"), (0.0007, 4, "0.0007"),
    ] as [(Double, Int, String)])
  func `with decimals`(number: Double, decimals: Int, text: String) {
    #expect(number.text(decimals: decimals) == text)
    #expect(json { $0.value("x", number, decimals: decimals) } == #"{"x": \#(text)}"#)
  }

  /// JSON knows neither.
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `that are none`(number: Double) {
    #expect(json { $0.value("x", number, decimals: 1) } == #"{"x": null}"#)
  }

  @Test(arguments: [(0, "0x0000"), (16, "0x0010"), (0xABC, "0x0abc"), (0xFFFF, "0xffff")] as [(UInt16, String)])
  func `of handles`(handle: UInt16, text: String) {
    #expect(handle.handleText == text)
  }

  @Test(arguments: [
    (Int64.min, "-9223372036854775808"), (Int64.max, "9223372036854775807"), (0, "0"), (-10, "-10"),
  ])
  func `that are whole`(number: Int64, text: String) {
    #expect(buffered { $0.write(number) } == text)
  }
}

/// What a buffer has been given.
func buffered(limit: Int = 64 * 1024, _ body: (inout ReportBuffer) -> Void) -> String {
  written { buffer in
    var buffer = buffer
    body(&buffer)
    buffer.flush()
  }
}

/// What is written into one JSON object of a single line.
func json(_ body: (inout JSONWriter) -> Void) -> String {
  written { buffer in
    var json = JSONWriter(buffer)
    json.object(inline: true, body)
    json.finish()
  }.replacing("\n", with: "")
}
