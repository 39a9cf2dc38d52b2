import CaptureAnalysis
import Testing
import TestSupport

/// What rules make of values where an example of theirs cannot show it.
@Suite struct `Rules about values` {
  private func findings(_ values: [[UInt8]], keeping kept: Int? = nil, rule: String) throws -> [Finding] {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = kept
    for value in values {
      host.notified(value)
      host.wait(milliseconds: 990)
    }
    return try host.findings(of: rule)
  }

  /// Of a log that keeps no more than the rate nobody can tell whether the RR-Intervals stood still as well, as a
  /// pacemaker's do: it is a note.
  @Test(arguments: [(120, false), (125, true)])
  func `note a rate that stands still beside RR-Intervals that the capture did not keep`(
    count: Int, isNoted: Bool
  ) throws {
    let values = Array(repeating: [0x10, 72, 0x55, 0x03] as [UInt8], count: count) + [[0x10, 73, 0x40, 0x03]]
    let found = try findings(values, keeping: 13, rule: "heart-rate-frozen")
    let words =
      "72 bpm for 2 min 04 s, without change (125 measurements): the capture did not keep the RR-Intervals, which "
      + "would tell whether the heart was as steady"
    #expect(found.map(\.message) == (isNoted ? [words] : []))
    #expect(found.allSatisfy { $0.severity == .info })
  }

  /// What a sensor did in a minute of silence nobody knows: it may have measured nothing.
  @Test(arguments: [(50, true), (60, false)] as [(Int64, Bool)])
  func `find intervals that overflow behind a gap, unless it is long`(seconds: Int64, isFound: Bool) throws {
    var host = HostSide()
    host.subscribe()
    let usual = ["10 78 00 02 04 02", "10 78 fe 01 02 02"]
    for value in usual + usual + usual + ["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02"] + usual {
      if value.count > 20 { host.wait(milliseconds: 1000 * seconds) }
      host.notified(hex(value))
      host.wait(milliseconds: 990)
    }
    #expect(try host.rules().contains("rr-overflow") == isFound)
  }

  /// Values, before the one at a place of which notifications were off for so many seconds.
  private func findings(_ values: [String], offBefore place: Int, for seconds: Int64, rule: String) throws -> [Finding]
  {
    var host = HostSide()
    host.subscribe()
    for (number, value) in values.enumerated() {
      if number == place {
        host.write(attribute: 17, [0, 0])
        host.wait(milliseconds: 1000 * seconds)
        host.write(attribute: 17, [1, 0])
      }
      host.notified(hex(value))
      host.wait(milliseconds: 990)
    }
    return try host.findings(of: rule)
  }

  /// The heart has beaten meanwhile.
  @Test(arguments: [(2, 0), (9, 1)]) func `find no missed beat where notifications were off`(place: Int, count: Int)
    throws
  {
    let values = ["10 3c 00 04", "10 3c 04 04", "10 3c 00 08", "10 3c 02 04", "10 3c 00 04"]
    #expect(try findings(values, offBefore: place, for: 5, rule: "rr-missed-beat").count == count)
  }

  /// Nobody may wear it any more.
  @Test(arguments: [(5, .warning), (300, .info)] as [(Int64, Severity)])
  func `note rates of 0 where a sensor begins anew`(seconds: Int64, severity: Severity) throws {
    let values = ["00 48", "00 48", "00 00", "00 00", "00 48"]
    #expect(try findings(values, offBefore: 2, for: seconds, rule: "heart-rate-zero").map(\.severity) == [severity])
  }

  /// What one could tell, behind a value that is broken, says nothing of another.
  @Test func `hold flags against no others than those of the same handle`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    for value in ["06 48", "06 48", "01"] {
      host.notified(attribute: 16, hex(value))
      host.wait(milliseconds: 990)
    }
    host.wait(milliseconds: 10_000)
    for _ in 0..<5 {
      host.notified(attribute: 42, [0, 72])
      host.wait(milliseconds: 990)
    }
    #expect(try host.findings(of: "contact-support-changed").isEmpty)
  }

  /// That a measurement has no RR-Intervals, its flags tell, which such a log keeps.
  @Test(arguments: [0, 2])
  func `find a rate frozen without RR-Intervals in a log that would not have kept them`(withIntervals: Int) throws {
    let values =
      Array(repeating: [0x10, 72, 0x55, 0x03] as [UInt8], count: withIntervals)
      + Array(repeating: [0x00, 72], count: 80) + [[0x00, 73]]
    let found = try findings(values, keeping: 13, rule: "heart-rate-frozen")
    #expect(found.map(\.severity) == [.warning])
    #expect(found.map { $0.message.contains("did not keep") } == [false])
  }

  /// Whether the heart leapt, the RR-Intervals would tell: of a rate that leaps all the time, it did, most likely.
  @Test func `take rates for the heart's that leap beside RR-Intervals that the capture did not keep`() throws {
    let values = (0..<90).map { [0x10, [89, 128, 95, 140, 78, 121][$0 % 6], 0x55, 0x03] as [UInt8] }
    #expect(try findings(values, keeping: 13, rule: "heart-rate-jump").isEmpty)
    #expect(try !findings(values.map { [0x00, $0[1]] }, keeping: 13, rule: "heart-rate-jump").isEmpty)
  }

  /// No heart leaves a steady rate for a while and comes back to it, each time at once.
  @Test func `find a jump there and back beside RR-Intervals that the capture did not keep`() throws {
    let steady = Array(repeating: [0x10, 72, 0x55, 0x03] as [UInt8], count: 25)
    let values = steady + Array(repeating: [0x10, 122, 0x55, 0x03], count: 12) + steady
    let words =
      "from 72 to 122 bpm at once, for 12 s; the capture did not keep the RR-Intervals, which would tell whether the "
      + "heart did so"
    #expect(try findings(values, keeping: 13, rule: "heart-rate-jump").map(\.message) == [words])
  }

  /// Who has done with a workout takes the sensor off and ends the connection, on whichever side that is seen.
  @Test(
    arguments: [
      (0, 0x16, true, .info), (0, 0x13, true, .info), (72, 0x13, true, .info), (72, 0x16, true, .warning),
      (0, 0x13, false, .info), (72, 0x16, false, .info), (72, 0x13, false, .warning), (0, 0x08, true, .warning),
    ] as [(UInt8, UInt8, Bool, Severity)])
  func `take lost contact for the end of a workout`(rate: UInt8, reason: UInt8, isOfPeer: Bool, severity: Severity)
    throws
  {
    var host = HostSide()
    host.connected()
    let setup = [
      "10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0d 18", "08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a",
      "12 11 00 01 00", "13",
    ]
    for (place, pdu) in setup.enumerated() {
      if place.isMultiple(of: 2) == isOfPeer { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
    }
    for second in 0..<40 {
      let notification = [0x1B, 0x10, 0] + (second < 20 ? [0x06, 72] : [0x04, rate]) as [UInt8]
      if isOfPeer { host.received(notification) } else { host.sent(notification) }
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: reason)
    let lost = try host.findings(of: "contact-lost")
    #expect(lost.map(\.severity) == [severity], "\(lost.map(\.message))")
  }

  /// With their octets in the other order some intervals are in range, and each of these ends a run.
  @Test func `tell of octets in the wrong order once, however many runs there are`() throws {
    let values = (0..<500).map { place in
      place % 2 == 0 ? [0x10, 72, 0x03, UInt8(0x30 + place % 0x40)] : [0x10, 72, 0x03, 0x08] as [UInt8]
    }
    let found = try findings(values, rule: "rr-out-of-range")
    #expect(found.map(\.count) == [250])
    #expect(found.first?.message.contains("make the heart rate with their octets in the other order") == true)
  }

  /// Whoever is told of no contact by a sensor that feels a heart has to know that only the bit is wrong. Not so where
  /// intervals are computed, too short, or far from the rate, or where contact was told once.
  @Test(
    arguments: [
      ([1000, 1040, 1005], 0x14, true), ([1000, 1040, 1005], 0x16, false), ([1024], 0x14, false),
      ([700, 740, 720], 0x14, false), ([600, 1440, 1010], 0x14, false),
    ] as [([Int], UInt8, Bool)])
  func `tell a contact bit that is wrong`(intervals: [Int], firstFlags: UInt8, isWrong: Bool) throws {
    let values = (0..<60).map { place in
      let interval = intervals[place % intervals.count]
      return [place == 0 ? firstFlags : 0x14, 60, UInt8(interval & 0xFF), UInt8(interval >> 8)]
    }
    let found = try findings(values, rule: "heart-rate-off-body")
    #expect(found.map { $0.message.hasSuffix("its contact bit is most likely inverted, or stuck") } == [isWrong])
  }

  /// A minute is long enough for a sensor to find a rate, whatever comes behind it.
  @Test(arguments: [(50, Severity.info), (74, .warning)])
  func `take zeros at the start for more than worth knowing after a minute`(count: Int, severity: Severity) throws {
    let values = Array(repeating: [0x00, 0] as [UInt8], count: count) + [[0x00, 72], [0x00, 73]]
    #expect(try findings(values, rule: "heart-rate-zero").map(\.severity) == [severity])
  }

  /// What goes on behind intervals that do not add up may come nearer; a share that is just short of the limit is not it.
  @Test(arguments: [
    (40, 60, "90 s add up to 81.2 s, 0.902 of it, and those of 30 s in it to 0.87: beats are missing"),
    (40, 0, "30 s add up to 26.1 s, 0.87 of it: beats are missing"),
  ])
  func `tell intervals that do not add up as the rule finds them`(far: Int, near: Int, words: String) throws {
    let values = [(892, far), (948, near)].flatMap { (interval: Int, count: Int) -> [[UInt8]] in
      Array(repeating: [0x10, 66, UInt8(interval & 0xFF), UInt8(interval >> 8)], count: count)
    }
    let found = try findings(values, rule: "rr-sum-mismatch")
    #expect(found.map { $0.message.contains(words) } == [true], "\(found.map(\.message))")
  }

  @Test(arguments: [
    ([[0x01, 72, 0], [0x00, 72]], "a heart rate of 72 bpm in two octets, where one is enough"),
    ([[0x01, 72, 0], [0x01, 74, 0]], "2 heart rates up to 74 bpm in two octets, where one is enough"),
  ])
  func `count rates in two octets`(values: [[UInt8]], message: String) throws {
    #expect(try findings(values, rule: "needless-uint16").map(\.message) == [message])
  }

  /// A jump that leads back lasted so long; one that does not is told without that, and so is one that took too long.
  @Test(
    arguments: [
      (120, false, 1, "from 60 to 120 bpm at once, twice what it was, for 1 s"),
      (120, false, 30, "from 60 to 120 bpm at once, twice what it was, for 30 s"),
      (120, false, nil, "from 60 to 120 bpm at once, twice what it was"),
      (
        100, true, 30,
        "from 60 to 100 bpm at once, for 30 s, and so do the RR-Intervals: noise counted as beats, or the heart's rhythm"
      ),
      (100, true, nil, nil),
    ] as [(UInt8, Bool, Int?, String?)])
  func `tell how long the rate was elsewhere`(rate: UInt8, hasIntervals: Bool, length: Int?, words: String?) throws {
    func value(_ rate: UInt8, _ second: Int) -> [UInt8] {
      let interval = 61_440 / Int(rate) + (second % 2 == 0 ? 5 : -24)
      return hasIntervals ? [0x10, rate] + UInt16(interval).little : [0x00, rate]
    }
    let before = (0..<16).map { value(60, $0) }
    let elsewhere = (0..<(length ?? 40)).map { value(rate, $0) }
    let values = before + elsewhere + (length == nil ? [] : before)
    let found = try findings(values, rule: "heart-rate-jump")
    #expect(found.map(\.message) == [words].compactMap(\.self))
  }

  /// A heart may do so, too: that is no more than a note.
  @Test func `tell intervals that are halved at once while the rate follows slowly`() throws {
    func values(_ rates: [Int], _ interval: Int, count: Int) -> [[UInt8]] {
      rates.enumerated().map { place, rate in
        let interval = UInt16(interval + (place % 2 == 0 ? 0 : -interval / 40))
        return [0x10, UInt8(rate)] + Array(repeating: interval.little, count: count).flatMap(\.self)
      }
    }
    let resting = values(Array(repeating: 66, count: 20), 931, count: 1)
    let twice = values([79, 92, 105, 118] + Array(repeating: 131, count: 36), 466, count: 2)
    let back = values([118, 105, 92, 79], 931, count: 1)
    let found = try findings(resting + twice + back + resting, rule: "heart-rate-jump")
    #expect(found.map(\.severity) == [.info])
    let message = try #require(found.first?.message)
    #expect(
      message.hasPrefix("the RR-Intervals are halved from one beat to the next, as from 67 to 133 bpm, and doubled"))
    #expect(message.hasSuffix("which the rate follows slowly: each beat is counted twice, or the heart's rhythm"))
  }

  /// Intervals of 700 ms and a rate of 86 bpm; and none beside a rate.
  private func stretches(without rates: [UInt8]) -> [[UInt8]] {
    let beating = (0..<40).map { [0x10, 86 + UInt8($0 % 3), 0xC8 + UInt8($0 % 16), 0x02] as [UInt8] }
    return rates.flatMap { beating + Array(repeating: [0x00, $0] as [UInt8], count: 40) }
  }

  /// Where intervals are missing at high rates only, that is how the sensor is.
  @Test(arguments: [
    ([160, 170, 165], ["info no RR-Intervals whenever the rate was above 88 bpm: 3 times, 117 s together"]),
    ([160, 80, 165], Array(repeating: "warning no RR-Intervals for 39 s, in 40 measurements", count: 3)),
    ([100, 170, 165], Array(repeating: "warning no RR-Intervals for 39 s, in 40 measurements", count: 3)),
    ([160, 170], Array(repeating: "warning no RR-Intervals for 39 s, in 40 measurements", count: 2)),
  ])
  func `tell a sensor that sends no intervals above a rate`(rates: [UInt8], words: [String]) throws {
    let found = try findings(stretches(without: rates), rule: "rr-vanished")
    #expect(found.map { "\($0.severity) \($0.message)" } == words)
    #expect(found.map(\.frame) == found.map(\.frame).sorted { ($0 ?? 0) < ($1 ?? 0) })
  }

  /// A beat each 550 ms, and each of them with the second it falls into; a notification begins with the last one
  /// before.
  @Test(arguments: [true, false]) func `tell intervals that are sent in two notifications`(isInBoth: Bool) throws {
    var (sent, beat) = ([[UInt8]](), 0)
    for second in 1...90 {
      var new: [UInt16] = []
      while (beat + 1) * 550 <= second * 1000 {
        new.append(UInt16(560 + beat * 7 % 13))
        beat += 1
      }
      let before = isInBoth ? sent.last.map { Array($0.suffix(2)) } ?? [] : new[0].little
      sent.append([0x10, 109] + before + new.flatMap(\.little))
    }
    let found = try findings(sent, rule: "rr-sum-mismatch")
    let why =
      isInBoth ? "each notification begins with the last interval of the one before" : "beats are repeated, or are none"
    #expect(found.map { $0.message.hasSuffix(": \(why)") } == [true], "\(found.map(\.message))")
  }

  /// A beat each 1.3 s: in the seconds without one, the last one comes again.
  @Test func `tell an interval that is sent again where there is no beat`() throws {
    var beat = 0
    let values = (1...120).map { second in
      if (beat + 1) * 1300 <= second * 1000 { beat += 1 }
      return [0x10, 46] + UInt16(1331 + beat * 7 % 13).little as [UInt8]
    }
    let found = try findings(values, rule: "rr-sum-mismatch")
    let why = "times as much: the last interval is sent again wherever there is no new beat"
    #expect(found.map { $0.message.hasSuffix(why) } == [true], "\(found.map(\.message))")
  }

  /// Intervals of 72 bpm and a little, as octets.
  private static let intervals = (0..<40).map { UInt16(853 + $0 * 37 % 60).little }

  @Test(arguments: [
    (0x0E, false, "bit 3 of the flags is set for bit 4"),
    (0x1E, false, "bit 3 of the flags is set, and no energy is sent"),
    (0x1E, true, "the energy, which belongs before the RR-Intervals, stands behind them"),
  ])
  func `tell RR-Intervals that are sent as energy once`(
    flags: UInt8, hasEnergy: Bool, why: String
  ) throws {
    let values = Self.intervals.enumerated().map { place, interval -> [UInt8] in
      let rest = hasEnergy ? UInt16(40 + place).little : flags & 0x10 == 0 ? [] : interval
      return [flags, 72] + interval + rest
    }
    let found = try findings(values, rule: "energy-decreased")
    let words = "what is sent as energy is an RR-Interval of the rate each time (60/bpm s): \(why); 40 times in all"
    #expect(found.map(\.message) == [words])
    let others = hasEnergy ? 1 : 0
    #expect(try findings(values, rule: "energy-without-control-point").count == others)
  }

  /// What is read from values that begin in the wrong place is told of none of them, once that is known.
  @Test(arguments: [
    (true, "an octet earlier: the flags are missing"), (false, "an octet later: another one stands before the flags"),
  ])
  func `tell values that begin in the wrong place once`(lacksFlags: Bool, words: String) throws {
    let values = Self.intervals.enumerated().map { place, interval -> [UInt8] in
      (lacksFlags ? [] : [UInt8(place), 0x16]) + [72] + interval
    }
    let found = try findings(values, rule: "measurement-malformed")
    #expect(found.map { $0.message.hasSuffix("and would be right if they began \(words)") } == [true])
    #expect(try findings(values, rule: "heart-rate-implausible").filter { $0.frame ?? 0 > 30 }.isEmpty)
  }

  /// A sensor that sends no rate, though it finds the beats.
  @Test func `tell what RR-Intervals make beside a rate of 0`() throws {
    let found = try findings(Self.intervals.map { [0x16, 0] + $0 }, rule: "heart-rate-zero")
    #expect(found.map { $0.message.hasSuffix(", while the RR-Intervals make 70 bpm and contact is held") } == [true])
  }

  /// Ten seconds' intervals at once, of which nine fit, again and again.
  @Test func `tell of each full notification what it lacks, not what all do`() throws {
    let full: [UInt8] = [0x10, 120] + (0..<9).flatMap { UInt16(508 + $0).little }
    let values = (0..<150).map { (place: Int) -> [UInt8] in place % 10 == 9 ? full : [0x00, 120] }
    let found = try findings(values, rule: "rr-overflow")
    let words = "9 RR-Intervals fill a notification; those of about 5.5 s more never come"
    #expect(found.count > 5 && found.allSatisfy { $0.message == words }, "\(found.map(\.message))")
  }
}
