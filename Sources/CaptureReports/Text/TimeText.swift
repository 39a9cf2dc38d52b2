import Octets
import CaptureFiles

/// A moment's parts in the proleptic Gregorian calendar, UTC.
struct CivilTime {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  let microsecond: Int

  init(_ time: Timestamp) {
    let (days, inDay) = Self.floorDivide(time.microseconds, 86_400_000_000)
    (year, month, day) = Self.date(days: days)
    hour = Int(inDay / 3_600_000_000)
    minute = Int(inDay / 60_000_000 % 60)
    second = Int(inDay / 1_000_000 % 60)
    microsecond = Int(inDay % 1_000_000)
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  /// The date of a day counted from 1970-01-01. A year is taken to begin in March, so that the leap day comes last; an
  /// era has 400 years.
  private static func date(days: Int64) -> (Int, Int, Int) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  /// Whether RFC 3339 has a way to write it.
  var isWritable: Bool { (0...9999).contains(year) }
}

extension ReportBuffer {
  /// Writes a moment as RFC 3339 has it, UTC, with microseconds: "2026-03-14T09:26:53.001234Z".
  mutating func write(_ civil: CivilTime) {
    write(civil.year, digits: 4)
    write(octet: UInt8(ascii: "-"))
    write(civil.month, digits: 2)
    write(octet: UInt8(ascii: "-"))
    write(civil.day, digits: 2)
    write(octet: UInt8(ascii: "T"))
    writeClock(civil)
    write(octet: UInt8(ascii: "."))
    write(civil.microsecond, digits: 6)
    write(octet: UInt8(ascii: "Z"))
  }

  private mutating func writeClock(_ civil: CivilTime) {
    write(civil.hour, digits: 2)
    write(octet: UInt8(ascii: ":"))
    write(civil.minute, digits: 2)
    write(octet: UInt8(ascii: ":"))
    write(civil.second, digits: 2)
  }
}

/// Times in words.
enum TimeText {
  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// "2026-03-14".
  static func date(_ time: Timestamp) -> String {
    let civil = CivilTime(time)
    let year = String(civil.year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
    return "\(civil.year < 0 ? "-" : "")\(padded)-\(two(civil.month))-\(two(civil.day))"
  }

  /// "09:26:53".
  static func clock(_ time: Timestamp) -> String {
    let civil = CivilTime(time)
    return "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
  }

  /// "09:26:53.001".
  static func clockWithMilliseconds(_ time: Timestamp) -> String {
    let milliseconds = CivilTime(time).microsecond / 1000
    return clock(time) + "." + (milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : "") + "\(milliseconds)"
  }

  /// "38 min 39 s", "4.2 s", "2 h 05 min".
  static func duration(_ seconds: Double) -> String {
    guard seconds < 9e9 else { return "centuries" }
    if seconds < 10 { return "\(number(max(0, seconds), decimals: 1)) s" }
    let whole = Int(seconds + 0.5)
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
    if whole < 172_800 { return "\(whole / 3600) h \(two(whole / 60 % 60)) min" }
    return "\(whole / 86_400) days \(whole / 3600 % 24) h"
  }

  /// A number with decimals.
  static func number(_ number: Double, decimals: Int) -> String {
    var text = ""
    var buffer = ReportBuffer { octets in text = String(decoding: ContiguousArray(octets), as: UTF8.self) }
    buffer.write(number, decimals: decimals)
    buffer.flush()
    return text
  }

  /// A number with its thousands set apart: "61,204".
  static func count(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, digit != "-", (digits.count - index) % 3 == 0, text != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  /// "1 packet", "2 packets".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
