import BluetoothHost
import CaptureFiles
import GATTKit
import Testing
import TestSupport

@testable import CaptureAnalysis

extension HeartRateEvent {
  /// A measurement from its octets.
  init(_ octets: [UInt8], length: Int? = nil) {
    let kept = ContiguousArray(octets)
    self.init(
      handle: 16, reading: HeartRateMeasurement.Reading(lax: kept.span, length: length ?? kept.count),
      length: length ?? kept.count, octets: kept, server: .peer, bearer: nil)
  }

  /// A measurement with intervals in units of 1/1024 s.
  init(rate: UInt8, _ intervals: [UInt16]) {
    self.init([intervals.isEmpty ? 0 : 0x10, rate] + intervals.flatMap(\.little))
  }
}

extension HeartRateEvent {
  /// Shows the measurement as it came to whoever takes those.
  fileprivate func show(_ body: (HeartRateNotification) -> Void) {
    let octets = octets ?? []
    let value = CapturedOctets(octets.span, length: length, origin: 0)
    body(HeartRateNotification(handle: handle, value: value, server: server, bearer: nil))
  }
}

extension MeasurementList {
  fileprivate mutating func append(_ event: HeartRateEvent, frame: Int, time: Timestamp) {
    event.show { append($0, Moment(frame: frame, time: time)) }
  }
}

private func statistics(_ events: [HeartRateEvent], step: Int64 = 1_000_000) -> HeartRateStatistics {
  var statistics = HeartRateStatistics()
  for (index, event) in events.enumerated() {
    event.show { statistics.note($0, time: Timestamp(microseconds: Int64(index) * step)) }
  }
  return statistics
}

private func note(_ figures: inout HeartRateStatistics, _ event: HeartRateEvent, at second: Int64) {
  event.show { figures.note($0, time: Timestamp(microseconds: second * 1_000_000)) }
}

private func isNear(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? .infinity) - expected) < 1e-9 }

@Suite struct `Figures` {
  @Test func `of nothing`() {
    let figures = statistics([])
    #expect(figures.measurements == 0 && figures.malformed == 0)
    #expect(figures.beatsPerMinute.mean == nil && figures.rate == nil && figures.duration == 0)
    #expect(figures.intervals.meanMilliseconds == nil && figures.intervals.sdnn == nil)
    #expect(figures.intervals.rmssd == nil && figures.intervals.pnn50 == nil && figures.intervals.count == 0)
    #expect(figures.course(columns: 10).isEmpty)
  }

  @Test func `of one`() {
    let figures = statistics([HeartRateEvent(rate: 72, [1024])])
    #expect(figures.measurements == 1 && figures.rate == nil && figures.duration == 0)
    #expect(figures.beatsPerMinute.least == 72 && figures.beatsPerMinute.most == 72)
    #expect(isNear(figures.beatsPerMinute.mean, 72) && isNear(figures.intervals.meanMilliseconds, 1000))
    #expect(figures.intervals.sdnn == nil && figures.intervals.rmssd == nil && figures.intervals.pnn50 == nil)
  }

  /// Intervals of 1000, 1100, 1000 and 900 ms, if a unit were 1 ms: by hand, with 1000/1024 for the unit. Differences
  /// are 100, −100, −100; the mean 1000; the squares of the distances 0, 10000, 0, 10000.
  @Test func `by hand`() {
    let figures = statistics([
      HeartRateEvent(rate: 60, [1000, 1100]), HeartRateEvent(rate: 70, []), HeartRateEvent(rate: 80, [1000, 900]),
    ])
    let unit = 1000.0 / 1024
    #expect(figures.measurements == 3 && figures.malformed == 0)
    #expect(figures.beatsPerMinute.least == 60 && figures.beatsPerMinute.most == 80)
    #expect(isNear(figures.beatsPerMinute.mean, 70))
    #expect(isNear(figures.duration, 2) && isNear(figures.rate, 1))
    #expect(figures.intervals.count == 4 && figures.intervals.known == 4)
    #expect(isNear(figures.intervals.meanMilliseconds, 1000 * unit))
    #expect(isNear(figures.intervals.sdnn, (20_000.0 / 3).squareRoot() * unit))
    #expect(isNear(figures.intervals.rmssd, 100 * unit))
    // 97.7 ms each: three of four intervals.
    #expect(isNear(figures.intervals.pnn50, 0.75))
  }

  /// More than 50 ms, not 50: 51 units are 49.8 ms, 52 are 50.8.
  @Test(arguments: [(51, 0.0), (52, 0.5)] as [(UInt16, Double)])
  func `pNN50 begins above 50 ms`(step: UInt16, share: Double) {
    #expect(isNear(statistics([HeartRateEvent(rate: 60, [1000, 1000 + step])]).intervals.pnn50, share))
    #expect(isNear(statistics([HeartRateEvent(rate: 60, [1000 + step, 1000])]).intervals.pnn50, share))
  }

  @Test func `equal intervals vary by nothing`() {
    let intervals = statistics([HeartRateEvent(rate: 60, [1000, 1000]), HeartRateEvent(rate: 60, [1000])]).intervals
    #expect(isNear(intervals.sdnn, 0) && isNear(intervals.rmssd, 0) && isNear(intervals.pnn50, 0))
  }

  /// Broken values are counted and not computed with.
  @Test func `with broken values`() {
    let figures = statistics([
      HeartRateEvent(rate: 60, [1024]), HeartRateEvent([0x10, 200]), HeartRateEvent([]), HeartRateEvent([0x01, 200]),
      HeartRateEvent(rate: 62, [1024]),
    ])
    #expect(figures.measurements == 5 && figures.malformed == 3)
    #expect(figures.beatsPerMinute.most == 62 && isNear(figures.beatsPerMinute.mean, 61))
    #expect(figures.intervals.count == 2 && isNear(figures.rate, 1))
  }

  /// What lies on both sides of something missing are no neighbours: each row varies by nothing.
  @Test(arguments: [HeartRateEvent([0x10, 200]), HeartRateEvent([0x01, 200])])
  func `over a broken value`(broken: HeartRateEvent) {
    let figures = statistics([HeartRateEvent(rate: 60, [1000, 1000]), broken, HeartRateEvent(rate: 60, [900, 900])])
    #expect(isNear(figures.intervals.rmssd, 0) && isNear(figures.intervals.pnn50, 0))
    #expect(isNear(figures.corrected.statistics.rmssd, 0))
  }

  @Test(arguments: [(10, 100.0 * 1000 / 1024 / 3.0.squareRoot()), (11, 0)] as [(Int64, Double)])
  func `over a silence`(seconds: Int64, rmssd: Double) {
    var figures = HeartRateStatistics()
    note(&figures, HeartRateEvent(rate: 60, [1000, 1000]), at: 1)
    note(&figures, HeartRateEvent(rate: 60, [900, 900]), at: 1 + seconds)
    #expect(isNear(figures.intervals.rmssd, rmssd))
    #expect(isNear(figures.corrected.statistics.rmssd, rmssd))
  }

  /// As where contact is lost: measurements go on, and beats do not come.
  @Test(arguments: [(9, 100.0 * 1000 / 1024 / 3.0.squareRoot()), (10, 0)] as [(Int, Double)])
  func `over measurements without intervals`(count: Int, rmssd: Double) {
    let without = Array(repeating: HeartRateEvent(rate: 0, []), count: count)
    let figures = statistics(
      [HeartRateEvent(rate: 60, [1000, 1000])] + without + [HeartRateEvent(rate: 60, [900, 900])])
    #expect(isNear(figures.intervals.rmssd, rmssd))
    #expect(isNear(figures.corrected.statistics.rmssd, rmssd))
  }

  /// Two rows, of which each varies by nothing: records are missing between them, or they are another heart's.
  @Test(arguments: [true, false]) func `over lost records, or on another handle`(isLoss: Bool) throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<10 { host.notified(hex("10 3c 00 04")) }
    let attribute: UInt16 = isLoss ? 16 : 32
    if !isLoss { host.sent(hex("08 14 00 ff ff 03 28")) }
    if !isLoss { host.received(hex("09 07 1f 00 10 20 00 37 2a")) }
    let begin = host.packets.count
    for _ in 0..<10 { host.notified(attribute: attribute, hex("10 46 00 03")) }
    var file = host.file()
    if isLoss { for place in BTSnoopBuilder.recordPlaces(of: file).dropFirst(begin) { file[place + 15] = 2 } }
    let figures = try TestSupport.summary(of: file).connections.first?.heartRate?.statistics
    #expect(figures?.intervals.count == 20 && isNear(figures?.intervals.rmssd, 0))
  }

  @Test func `over a time in which nothing was asked for`() {
    var figures = HeartRateStatistics()
    note(&figures, HeartRateEvent(rate: 60, [1000, 1000]), at: 1)
    figures.switchOff(at: Timestamp(microseconds: 2_000_000))
    figures.switchOn(at: Timestamp(microseconds: 5_000_000))
    note(&figures, HeartRateEvent(rate: 60, [900, 900]), at: 6)
    #expect(isNear(figures.intervals.rmssd, 0) && isNear(figures.corrected.statistics.rmssd, 0))
  }

  /// 0 stands for no rate.
  @Test func `with rates of 0`() {
    let figures = statistics([0, 0, 70, 80].map { HeartRateEvent(rate: $0, []) })
    #expect(figures.withoutRate == 2 && isNear(figures.meanOfRates, 75) && isNear(figures.beatsPerMinute.mean, 37.5))
    let none = statistics([HeartRateEvent(rate: 0, [])])
    #expect(none.withoutRate == 1 && none.meanOfRates == nil)
    #expect(statistics([HeartRateEvent(rate: 60, [])]).withoutRate == 0)
  }

  /// Intervals that the capture cut away are counted; the ones before and after are no neighbours.
  @Test func `with values cut away`() {
    let figures = statistics([
      HeartRateEvent(rate: 60, [1000]), HeartRateEvent([0x10, 60, 0xE8], length: 6), HeartRateEvent(rate: 60, [1100]),
    ])
    #expect(figures.malformed == 0)
    #expect(figures.intervals.count == 4 && figures.intervals.known == 2)
    #expect(figures.intervals.rmssd == nil && figures.intervals.pnn50 == nil)
    #expect(figures.intervals.sdnn != nil)
  }

  @Test func `of contact and energy`() {
    let figures = statistics(
      [[0x06, 60], [0x06, 60], [0x04, 60], [0x00, 60], [0x02, 60], [0x08, 60, 1, 0]].map { HeartRateEvent($0) })
    #expect(figures.withContact == 2 && figures.withoutContact == 1 && figures.withEnergy == 1)
  }

  /// Ten million intervals around an hour-long mean: Welford's method stays exact where sums of squares do not.
  @Test func `stay precise`() {
    var statistics = HeartRateStatistics()
    let event = HeartRateEvent(rate: 1, [65_000, 65_002])
    for index in 0..<100_000 as Range<Int64> {
      event.show { statistics.note($0, time: Timestamp(microseconds: index)) }
    }
    let unit = 1000.0 / 1024
    #expect(abs((statistics.intervals.meanMilliseconds ?? 0) - 65_001 * unit) < 1e-6)
    #expect(abs((statistics.intervals.sdnn ?? 0) - (200_000.0 / 199_999).squareRoot() * unit) < 1e-6)
  }

  /// Times that run backwards or stand still give no rate that nobody measured.
  @Test func `of odd clocks`() {
    #expect(statistics([HeartRateEvent(rate: 60, []), HeartRateEvent(rate: 60, [])], step: 0).rate == nil)
    let backwards = statistics([HeartRateEvent(rate: 60, []), HeartRateEvent(rate: 60, [])], step: -5_000_000)
    #expect(backwards.duration == 0 && backwards.rate == nil)
    #expect(backwards.course(columns: 10) == [60])
  }

  /// What is a gap where one comes every second is the usual pause where one comes every five, or three every three: the
  /// chart has no holes there, however many columns it has, but where a measurement is missing several times over.
  @Test(arguments: [(count: 1, every: 1), (1, 3), (1, 5), (3, 3), (5, 5)])
  func `have a course with holes where gaps are`(pace: (count: Int, every: Int64)) {
    var figures = HeartRateStatistics()
    func note(until end: Int64, from start: Int64) {
      for second in start..<end where second % pace.every == 0 {
        for _ in 0..<pace.count { CaptureAnalysisTests.note(&figures, HeartRateEvent(rate: 60, []), at: second) }
      }
    }
    note(until: 240, from: 0)
    for columns in 1...60 { #expect(figures.course(columns: columns).allSatisfy { $0 == 60 }, "\(columns)") }
    #expect(figures.gaps == 0)
    note(until: 400, from: 300)
    let course = figures.course(columns: 60)
    #expect(figures.gaps == 1 && course.contains(nil) && course.last == 60)
  }

  /// However long the series, the figures stay as small as they are.
  @Test func `take no more memory`() {
    #expect(MemoryLayout<HeartRateStatistics>.size < 512)
  }
}

@Suite struct `Trends` {
  /// Values at times counted in the stretches that a trend begins with, of about a second.
  private func trend(_ values: [(place: Double, value: Int)]) -> Trend {
    var trend = Trend()
    for (place, value) in values { trend.note(value, at: Int64(place * 1_048_576)) }
    return trend
  }

  /// The longest silence that is no gap in one measurement a second.
  private static let pause = 2.5

  @Test func `a column a stretch`() {
    #expect(trend([(0, 60), (1, 70), (2, 80)]).means(columns: 10, pause: Self.pause) == [60, 70, 80])
  }

  @Test func `means where there is less room`() {
    #expect(trend([(0, 60), (1, 70), (2, 80), (3, 90)]).means(columns: 2, pause: Self.pause) == [65, 85])
    #expect(trend([(0, 60), (0.4, 70), (1, 80)]).means(columns: 5, pause: Self.pause) == [65, 80])
    #expect(trend([(0, 60), (1, 70), (2, 80)]).means(columns: 1, pause: Self.pause) == [70])
    #expect(trend([(0, 60)]).means(columns: 0, pause: Self.pause) == [])
  }

  /// A second skipped by a little jitter is no gap; a minute is.
  @Test func `gaps`() {
    #expect(trend([(0, 60), (0.99, 60), (2.01, 80)]).means(columns: 10, pause: Self.pause) == [60, 60, 80])
    #expect(trend([(0, 60), (2, 80)]).means(columns: 10, pause: Self.pause) == [60, 60, 80])
    let gap = trend([(0, 60), (10, 80)]).means(columns: 20, pause: Self.pause)
    #expect(gap == [60] + Array(repeating: nil, count: 9) + [80])
    #expect(trend([(0, 60), (10, 80)]).means(columns: 20, pause: 12.5) == Array(repeating: 60, count: 10) + [80])
  }

  /// However long, there are never more stretches than fit, and the mean of all is kept.
  @Test(arguments: [100, 127, 128, 129, 1000, 100_000])
  func `stay small`(count: Int) {
    var trend = Trend()
    for index in 0..<count {
      trend.note(index < count / 2 ? 60 : 120, at: Int64(index) * 1_000_000)
    }
    let means = trend.means(columns: 1000, pause: Self.pause).compactMap { $0 }
    #expect(means.count <= 128 && means.count >= min(count, 60))
    #expect(means.first == 60 && means.last == 120)
    #expect(means == means.sorted())
    #expect(trend.means(columns: 40, pause: Self.pause).count == 40)
  }

  /// Times from a broken clock: neither a trap nor endless work.
  @Test func `of a broken clock`() {
    var trend = Trend()
    for time in [0, .max, .min, -1, 5, .max / 2] as [Int64] { trend.note(70, at: time) }
    #expect(trend.means(columns: 60, pause: Self.pause).compactMap { $0 }.allSatisfy { $0 == 70 })
    #expect(trend.means(columns: 60, pause: Self.pause).count <= 60)
  }
}

@Suite struct `Lists of measurements` {
  /// Over the borders of the pieces in which they are kept, of all lengths.
  @Test(arguments: [0, 1, 2, 1023, 1024, 1025, 2048, 2049, 5000])
  func `give back what they were given`(count: Int) {
    var list = MeasurementList()
    let value = { (index: Int) in (0..<index % 7).map { UInt8(truncatingIfNeeded: $0 + index) } }
    for index in 0..<count {
      let octets = value(index)
      let event = HeartRateEvent(octets, length: octets.count + index % 3)
      list.append(event, frame: index * 2 + 1, time: Timestamp(microseconds: Int64(index)))
    }
    #expect(list.count == count)
    var next = 0
    for measurement in list {
      guard measurement.frame == next * 2 + 1, measurement.time.microseconds == Int64(next),
        Array(measurement.octets) == value(next), measurement.length == next % 7 + next % 3, measurement.handle == 16
      else {
        Issue.record("measurement \(next): \(measurement)")
        return
      }
      next += 1
    }
    #expect(next == count)
    #expect(list.reduce(0) { sum, _ in sum + 1 } == count)
  }

  @Test func `decode as they go`() {
    var list = MeasurementList()
    list.append(HeartRateEvent(hex("16 48 e8 03")), frame: 1, time: Timestamp(microseconds: 0))
    list.append(HeartRateEvent(hex("16 48 e8"), length: 6), frame: 2, time: Timestamp(microseconds: 0))
    list.append(HeartRateEvent(hex("16")), frame: 3, time: Timestamp(microseconds: 0))
    let readings = list.map(\.reading)
    #expect(readings.map(\.beatsPerMinute) == [72, 72, nil])
    #expect(readings.map { $0.rrIntervals?.map(\.rawValue) } == [[1000], nil, nil])
    #expect(readings.map(\.rrCount) == [1, 2, nil])
    #expect(readings.map(\.isMalformed) == [false, false, true])
  }
}

@Suite struct `The course of a session` {
  @Test func `where most rates lie`() {
    let figures = statistics((1...200).map { HeartRateEvent(rate: UInt8($0), []) })
    #expect(figures.quantile(0.05) == 10 && figures.quantile(0.5) == 100)
    #expect(figures.quantile(0.95) == 190 && figures.quantile(0) == 1)
    #expect(figures.quantile(1) == 200 && statistics([]).quantile(0.5) == nil)
  }

  /// They are not told apart, and nothing is made up.
  @Test func `where rates above 255 lie`() {
    let high = statistics([290, 300, 310].map { HeartRateEvent([0x01] + UInt16($0).little) })
    #expect(high.quantile(0.05) == nil && high.quantile(0.95) == nil)
    let mixed = statistics([60, 60, 60, 290].map { HeartRateEvent([0x01] + UInt16($0).little) })
    #expect(mixed.quantile(0.5) == 60 && mixed.quantile(1) == nil)
    #expect(statistics([HeartRateEvent([0x00, 255])]).quantile(1) == 255)
  }

  @Test(arguments: [0.25, 0.5, 1, 1.0 / 3] as [Double])
  func `the period of a regular sensor`(period: Double) throws {
    var figures = HeartRateStatistics()
    for count in 0..<20 {
      let time = Timestamp(microseconds: Int64((Double(count) * period * 1_000_000).rounded()))
      HeartRateEvent(rate: 60, []).show { figures.note($0, time: time) }
    }
    #expect(abs(try #require(figures.period) - period) < (period == 1.0 / 3 ? 0.025 : 0.000_001))
  }

  /// An hour forward, or back, between the second and the third of four: nothing is known of that time.
  @Test(arguments: [3_600, -3_600, 2] as [Int64])
  func `a clock that was set`(step: Int64) throws {
    var figures = HeartRateStatistics()
    for (place, second) in [0, 1, 2 + step, 3 + step].enumerated() {
      if place == 2 { figures.noteClockStep() }
      let time = Timestamp(microseconds: 10_000_000_000 + second * 1_000_000)
      HeartRateEvent(rate: 60 + UInt8(place), [1024]).show { figures.note($0, time: time) }
    }
    #expect(figures.duration == 2 && figures.rate == 1 && figures.longestGap == 1 && figures.gaps == 0)
    #expect(figures.measurements == 4)
    #expect(figures.course(columns: 100) == [61, 63])
  }

  /// As in simple packets of pcapng: measurements follow each other, and that is all that is known.
  @Test func `no times`() {
    var figures = HeartRateStatistics()
    for rate in 60..<80 as Range<UInt8> {
      HeartRateEvent(rate: rate, [1024]).show { figures.note($0, time: Timestamp(microseconds: 0)) }
    }
    #expect(figures.period == nil && figures.gaps == 0 && figures.duration == 0)
    #expect(figures.course(columns: 100).count == 19)
  }

  /// Packets of two sources come in an order of their own.
  @Test func `a moment back is no step`() {
    var figures = HeartRateStatistics()
    for time in [0, 1_000_000, 995_000, 2_000_000] as [Int64] {
      HeartRateEvent(rate: 60, []).show { figures.note($0, time: Timestamp(microseconds: time)) }
    }
    #expect(figures.duration == 2 && figures.rate == 1.5)
  }

  @Test func `what usually lies between measurements, and gaps`() throws {
    var figures = HeartRateStatistics()
    let times: [Int64] = [0, 1000, 2010, 2990, 4000, 5000, 14_000, 15_000, 16_010]
    for time in times {
      HeartRateEvent(rate: 60, []).show { figures.note($0, time: Timestamp(microseconds: time * 1000)) }
    }
    #expect(abs(try #require(figures.period) - 1) < 0.03)
    #expect(figures.gaps == 1 && isNear(figures.longestGap, 9))
    #expect(statistics([HeartRateEvent(rate: 60, [])]).gaps == 0)
  }

  /// The intervals of the first measurement lie before it.
  @Test func `how much of the time intervals cover`() {
    let every = statistics(Array(repeating: HeartRateEvent(rate: 60, [1024]), count: 11))
    #expect(isNear(every.coverage, 1))
    let everyOther = (0..<11).map { HeartRateEvent(rate: 60, $0 % 2 == 0 ? [1024] : []) }
    #expect(isNear(statistics(everyOther).coverage, 0.5))
    #expect(statistics([HeartRateEvent(rate: 60, [])]).coverage == nil)
  }

  @Test func `contact`() {
    let events = [0x06, 0x06, 0x06, 0x04].map { HeartRateEvent([$0, 60]) }
    #expect(isNear(statistics(events).contactShare, 0.75))
    #expect(statistics([HeartRateEvent([0x00, 60])]).contactShare == nil)
  }
}

@Suite struct `Intervals without artefacts` {
  private func corrected(_ intervals: [UInt16]) -> CorrectedIntervals {
    statistics(intervals.map { HeartRateEvent(rate: 60, [$0]) }).corrected
  }

  /// 1000, 1010 | 990, 1000: one that is twice as long, and one of no length, are none.
  @Test func `leave out what is far from its neighbours`() {
    let figures = corrected([1000, 1010, 2020, 990, 0, 1000])
    #expect(figures.artefacts == 2 && figures.statistics.known == 4)
    // The only neighbours that both count: 1000 and 1010.
    #expect(isNear(figures.statistics.rmssd, 10 * 1000 / 1024.0))
    #expect(isNear(figures.statistics.meanMilliseconds, 1000 * 1000 / 1024.0))
  }

  @Test func `find their footing on another level`() {
    let figures = corrected([1000, 1000, 1000, 500, 505, 510, 500, 505])
    #expect(figures.artefacts == 0 && figures.statistics.known == 8)
    // From 1000 to 500 there is no difference to be taken: 0, 0 | 5, 5, -10, 5.
    #expect(isNear(figures.statistics.rmssd, (175.0 / 6).squareRoot() * 1000 / 1024))
  }

  /// What comes first is no better than the rest.
  @Test func `do not trust the first one`() {
    let figures = corrected([1500, 1000, 1010, 990, 1000])
    #expect(figures.artefacts == 1 && figures.statistics.known == 4)
    #expect(isNear(figures.statistics.meanMilliseconds, 1000 * 1000 / 1024.0))
    let two = corrected([1500, 1500, 0, 1000, 1010, 990])
    #expect(two.artefacts == 3 && two.statistics.known == 3)
  }

  /// Two that agree are no beginning, and neither are three with something between them.
  @Test func `take three in a row for another level`() {
    #expect(corrected([1000, 1000, 1000, 500, 500, 1000, 500, 1000]).artefacts == 3)
    #expect(corrected([1000, 1000, 1000, 500, 500, 0, 500, 1000]).artefacts == 4)
    let broken = [
      HeartRateEvent(rate: 60, [1000, 1000, 1000, 500, 500]), HeartRateEvent([0x10, 60], length: 6),
      HeartRateEvent(rate: 60, [500, 1000]),
    ]
    #expect(statistics(broken).corrected.artefacts == 3)
  }

  @Test func `are all of a steady heart's`() {
    let intervals: [UInt16] = [1000, 1050, 1100, 1040, 980, 1010]
    let figures = statistics(intervals.map { HeartRateEvent(rate: 60, [$0]) })
    #expect(figures.corrected.artefacts == 0)
    #expect(figures.corrected.statistics.rmssd == figures.intervals.rmssd)
    #expect(figures.corrected.statistics.sdnn == figures.intervals.sdnn)
  }

  /// 212 beats a minute, and 240; faster is no heart.
  @Test(arguments: [([290, 285, 291, 288], 0), ([256, 258, 257], 0), ([255, 254, 255], 3), ([2048, 2049], 1)])
  func `are those that a heart has, be it a child's`(intervals: [UInt16], artefacts: Int) {
    let figures = corrected(intervals)
    #expect(figures.artefacts == artefacts && figures.statistics.known == intervals.count - artefacts)
  }

  @Test func `have no neighbours across what was cut away`() {
    let events = [
      HeartRateEvent(rate: 60, [1000]), HeartRateEvent([0x10, 60], length: 6), HeartRateEvent(rate: 60, [1010]),
    ]
    #expect(statistics(events).corrected.statistics.rmssd == nil)
  }
}
