@testable import CaptureAnalysis
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@Suite struct `The heart rate of the last minutes` {
  private func seconds(_ number: Double, frame: Int = 0) -> Moment {
    Moment(frame: frame, time: Timestamp(microseconds: 1_773_480_000_000_000 + Int64(number * 1_000_000)))
  }

  @Test func `is a mean a column, up to the moment`() {
    var history = RateHistory()
    for (second, rate) in [(0.1, 60), (0.6, 70), (1.2, 80), (2.3, 90)] as [(Double, UInt16)] {
      history.note(rate, at: seconds(second))
    }
    #expect(history.means(columns: 4, secondsPerColumn: 1, until: seconds(2.9), in: SteadyTime()) == [nil, 65, 80, 90])
    #expect(history.means(columns: 2, secondsPerColumn: 2, until: seconds(3), in: SteadyTime()) == [70, 90])
  }

  @Test func `bridges a second without a value, not a silence`() {
    var history = RateHistory()
    for second in [0, 2, 8] as [Double] { history.note(60, at: seconds(second)) }
    #expect(
      history.means(columns: 9, secondsPerColumn: 1, until: seconds(8), in: SteadyTime()) == [
        60, 60, 60, 60, 60, nil, nil, nil, 60,
      ])
  }

  @Test func `forgets what is older than it keeps`() {
    var history = RateHistory()
    for second in 0...RateHistory.length { history.note(second == 0 ? 60 : 70, at: seconds(Double(second))) }
    let means = history.means(
      columns: RateHistory.length + 1, secondsPerColumn: 1, until: seconds(600), in: SteadyTime())
    #expect(means.compactMap { $0 } == [Double](repeating: 70, count: RateHistory.length))
  }

  @Test func `may come in another order`() {
    var history = RateHistory()
    history.note(60, at: seconds(100))
    history.note(70, at: seconds(99))
    #expect(history.means(columns: 2, secondsPerColumn: 1, until: seconds(100), in: SteadyTime()) == [70, 60])
  }

  /// Back by an hour, forward by three, and by a time that is no zone's, of which nobody knows how much went by.
  @Test(arguments: [(-3599, -3600), (10_801, 10_800), (-500, -500)] as [(Double, Double)])
  func `goes on behind a leap of the clock`(step: Double, leap: Double) {
    var (history, leaps) = (RateHistory(), ClockSteps())
    history.note(60, at: seconds(99, frame: 1))
    history.note(70, at: seconds(100, frame: 2))
    leaps.add(ClockStep(moment: seconds(100 + step, frame: 3), microseconds: Int64(step * 1_000_000)))
    history.note(80, at: seconds(100 + step, frame: 3))
    history.note(90, at: seconds(101 + step, frame: 4))
    let means = history.means(
      columns: 5, secondsPerColumn: 1, until: seconds(101 + step, frame: 5), in: SteadyTime(leaps))
    #expect(means == (step == leap ? [nil, nil, 60, 75, 90] : [nil, 60, 70, 80, 90]))
  }

  @Test func `takes any time stamp`() {
    var history = RateHistory()
    let moments = [Int64.max, .min, 0, -1, .max].map { Moment(frame: 1, time: Timestamp(microseconds: $0)) }
    for moment in moments { history.note(60, at: moment) }
    for moment in moments {
      #expect(history.means(columns: 3, secondsPerColumn: 7, until: moment, in: SteadyTime()).count == 3)
    }
  }
}

@Suite struct `The last measurements` {
  private func reading(_ octets: [UInt8]) -> HeartRateMeasurement.Reading {
    let octets = ContiguousArray(octets)
    return HeartRateMeasurement.Reading(lax: octets.span, length: octets.count)
  }

  private func moment(_ microseconds: Int64) -> Moment {
    Moment(frame: 1, time: Timestamp(microseconds: microseconds))
  }

  @Test func `tell how often they come`() {
    var recent = RecentMeasurements()
    #expect(recent.rate == nil)
    for second in 0..<200 as Range<Int64> {
      recent.note(reading([0, 60]), at: moment(second * 500_000))
    }
    #expect(recent.rate == 2)
  }

  /// A minute of intervals of 1 s and 0.9 s by turns: 1024 and 922 units, differences of 102 units, which are 99.6 ms.
  @Test func `tell how much the intervals of a minute vary`() throws {
    var recent = RecentMeasurements()
    for index in 0..<400 as Range<Int64> {
      // What came before the last minute was calm.
      let interval: UInt16 = index < 330 ? 1024 : index % 2 == 0 ? 1024 : 922
      recent.note(
        reading([0x10, 60] + interval.little), at: moment(index * 950_000))
    }
    let rmssd = try #require(recent.rmssd)
    #expect(abs(rmssd - 99.6) < 0.1)
    #expect(recent.intervals(3).map(\.rawValue) == [922, 1024, 922])
  }

  /// Between the intervals on both sides of those that cannot be read, there is no difference.
  @Test func `compare no intervals over a measurement that is malformed`() throws {
    var recent = RecentMeasurements()
    for second in 0..<21 as Range<Int64> {
      let interval: UInt16 = second < 10 ? 1024 : 922
      recent.note(reading([0x10, 60] + (second == 10 ? [0] : interval.little)), at: moment(second * 1_000_000))
    }
    #expect(try #require(recent.rmssd) == 0)
  }

  @Test func `forget what was before a silence`() {
    var recent = RecentMeasurements()
    for second in [0, 1, 2, 60] as [Int64] {
      recent.note(reading([0x10, 60, 0, 4]), at: moment(second * 1_000_000))
    }
    #expect(recent.intervals(9).count == 1 && recent.rate == nil && recent.rmssd == nil)
  }

  /// A sensor may tell no more intervals, and go on measuring.
  @Test func `forget intervals of long ago`() {
    var recent = RecentMeasurements()
    for second in 0...20 as ClosedRange<Int64> {
      recent.note(reading(second < 6 || second == 20 ? [0x10, 60, 0, 4] : [0, 60]), at: moment(second * 1_000_000))
      let kept = second < 6 ? Int(second) + 1 : second < 16 ? 6 : second == 20 ? 1 : 0
      #expect(recent.intervals(9).count == kept, "after \(second) s")
      #expect(
        recent.lastIntervals?.time.microseconds == (kept == 0 ? nil : min(second, second == 20 ? 20 : 5) * 1_000_000))
    }
    #expect(recent.rate == 1)
  }

  @Test func `take any time stamp`() {
    var recent = RecentMeasurements()
    for time in [Int64.max, .min, 0, .max, .max] {
      recent.note(reading([0x10, 60, 0, 4]), at: moment(time))
    }
    #expect(recent.intervals(9).count == 2)
  }
}

@Suite struct `A live picture` {
  /// A thousand connections and more, each with a broken packet: only so much is kept.
  @Test func `takes no more memory than it has to`() throws {
    var host = HostSide()
    for index in 0..<1200 as Range<UInt16> {
      host.connected(0x40 + index % 8, peer: UInt8(truncatingIfNeeded: index))
      host.received(on: 0x40 + index % 8, [0x01])
      host.disconnected(0x40 + index % 8)
    }
    host.connected(0x40, peer: 7)
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.connections.count == 64)
    #expect(picture.connections.last?.closed == nil)
    #expect(picture.notes(adapter: nil).count == 100)
  }

  @Test func `keeps connections that are open before those that are over`() throws {
    var host = HostSide()
    host.connected(0x80, peer: 99)
    for peer in 0..<80 as Range<UInt8> {
      host.connected(peer: peer)
      host.disconnected()
    }
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.connections.count == 64 && picture.connections.first?.id == 1)
  }

  /// Each enhanced bearer has an ATT_MTU of its own.
  @Test func `shows the MTU of the bearer that every connection has`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 b9 00"))
    host.received(hex("03 b9 00"))
    host.openEnhancedBearers()
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.connections.first?.mtu == 185)
  }

  /// Many events do not push findings away.
  @Test func `keeps findings apart from events`() throws {
    var host = HostSide()
    host.connected()
    var picture = LivePicture()
    picture.note(Finding(rule: "contact-lost", severity: .warning, message: "lost"))
    for _ in 0..<500 { host.received([0x01]) }
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.notes(adapter: nil).count { $0.finding != nil } == 1 && !picture.hasForgottenFindings)
    for _ in 0..<100 { picture.note(Finding(rule: "contact-lost", severity: .warning, message: "lost")) }
    #expect(picture.notes(adapter: nil).count { $0.finding != nil } == 100 && picture.hasForgottenFindings)
  }

  /// What is grave stays, however much comes behind it.
  @Test func `keeps the gravest findings`() {
    var picture = LivePicture()
    picture.note(Finding(rule: "measurement-malformed", severity: .error, message: "first"))
    for number in 0..<150 {
      let severity = number % 2 == 0 ? Severity.info : .warning
      picture.note(Finding(rule: "contact-lost", severity: severity, message: "\(number)"))
    }
    let kept = picture.notes(adapter: nil).compactMap(\.finding)
    #expect(kept.count == 100 && kept.last?.message == "first")
    #expect(kept.count { $0.severity == .warning } == 75 && kept.count { $0.severity == .info } == 24)
  }

  /// Hardly ever are both ends sensors.
  @Test func `stays with the end that measured first`() throws {
    var host = HostSide()
    host.connected()
    host.showHeartRate()
    host.discoverHeartRate()
    for rate in [60, 61] as [UInt8] {
      host.notified([0x00, rate])
      host.sent(hex("1b 10 00 00 50"))
    }
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    let connection = try #require(picture.connections.first)
    #expect(connection.server == .peer && connection.measurements == 2)
    #expect(connection.last?.measurement.reading.beatsPerMinute == 61)
  }

  /// Its location, too, is discovered, behind it.
  @Test func `knows where its sensor measures before it does`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.connections.first?.measurementHandle == 16)
  }

  /// Both ends are sensors: that the peer switches this device's heart rate off again is nothing about its own.
  @Test func `tells of its own sensor whether it is subscribed to`() throws {
    var host = HostSide()
    host.connected()
    host.showHeartRate()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.received(hex("04 11 00 11 00"))
    host.sent(hex("05 01 11 00 02 29"))
    host.received(hex("12 11 00 00 00"))
    host.sent(hex("13"))
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    let connection = try #require(picture.connections.first)
    #expect(connection.server == .peer && connection.isSubscribed == true)
  }

  /// It has two measurements, of which the other is switched off, or its own.
  @Test(arguments: [(33, true), (17, false)] as [(UInt16, Bool)])
  func `tells of the measurements that come whether they are subscribed to`(off: UInt16, isSubscribed: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a 1f 00 10 20 00 37 2a"))
    host.write(attribute: 17, [1, 0])
    host.write(attribute: 33, [1, 0])
    host.notified([0, 60])
    host.write(attribute: off, [0, 0])
    var picture = LivePicture()
    for event in try Analysis(host.file()).events { picture.note(event) }
    #expect(picture.connections.first?.isSubscribed == isSubscribed)
  }
}
