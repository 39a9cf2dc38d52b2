import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What counts as a difference between sensors.
@Suite struct `Aspects` {
  /// A session of values, so many milliseconds apart; nil: one that is lost.
  private func session(_ values: [[UInt8]?], every period: Int64 = 1000) -> [UInt8] {
    var host = HostSide()
    host.subscribe()
    for value in values {
      if let value { host.notified(value) } else { host.wait(milliseconds: 10) }
      host.wait(milliseconds: period - 10)
    }
    host.disconnected()
    return host.file()
  }

  /// The peer asks for two at once; the first is refused.
  @Test func `each request has its own answer`() throws {
    var host = HostSide()
    host.subscribe()
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.l2cap(.received, channel: 5, hex("12 02 08 00 18 00 28 00 00 00 58 02"))
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    host.l2cap(.sent, channel: 5, hex("13 02 02 00 00 00"))
    host.notified([0, 60])
    host.wait(milliseconds: 30_000)
    host.disconnected()
    let found = try aspect("parameter-requests", host.file(), session([[0, 60]], every: 30_000))
    #expect(found.values.first == "312.5–500 ms at 0.1 s, refused; 30–50 ms at 0.1 s, accepted")
  }

  /// Of many requests, those are told by which two sides differ.
  @Test(arguments: [(3, 4, true), (4, 4, false), (4, 5, true), (3, 3, false)])
  func `all that is asked for counts`(first: Int, second: Int, differs: Bool) throws {
    func asking(_ count: Int) -> [UInt8] {
      var host = HostSide()
      host.subscribe()
      for number in 1...UInt8(count) {
        host.l2cap(.received, channel: 5, hex("12") + [number] + hex("08 00 50 00 a0 00 00 00") + [0x58, number])
        host.l2cap(.sent, channel: 5, hex("13") + [number] + hex("02 00 01 00"))
      }
      host.notified([0, 60])
      host.disconnected()
      return host.file()
    }
    let found = try aspect("parameter-requests", asking(first), asking(second))
    #expect(found.differs == differs && (found.values[0] != found.values[1]) == differs, "\(found.values)")
    #expect((found.values[1]?.hasSuffix("; \(second - 3) more") == true) == (second > 3))
  }

  /// Most come in bundles of three, so many microseconds apart: that is how the link delivers them.
  @Test(arguments: [(3000, 90, false), (4000, 90, true), (3000, 30, false)] as [(Int64, Int64, Bool)])
  func `of measurements that come several at once, the mean counts`(every: Int64, apart: Int64, differs: Bool) throws {
    func bundles(every: Int64, apart: Int64) -> [UInt8] {
      var host = HostSide()
      host.subscribe()
      for _ in 0..<60 {
        for _ in 0..<3 {
          host.notified([0, 75])
          host.time += apart - 10_000
        }
        host.wait(milliseconds: every)
      }
      return host.file()
    }
    let found = try aspect("cadence", bundles(every: 3000, apart: 30), bundles(every: every, apart: apart))
    #expect(found.differs == differs && (found.values[0] != found.values[1]) == differs, "\(found.values)")
    #expect(found.values[0]?.hasSuffix("several at once") == true)
  }

  @Test func `one rate is no range`() throws {
    let found = try aspect("heart-rate-range", session([[0, 60], [0, 60]]), session([[0, 60], [0, 61]]))
    #expect(found.values == ["60 bpm", "60–61 bpm"])
  }

  /// What two adapters of a host are as sensors need not be the same.
  @Test func `the adapters of a host are sensors of their own`() throws {
    var host = HostSide()
    for adapter in 0...1 as ClosedRange<UInt16> {
      host.adapter = adapter
      for peer in 1...2 as ClosedRange<UInt8> {
        host.connected(peer: peer, isPeripheral: true)
        host.showHeartRate()
        for _ in 0..<3 {
          host.sent(hex("1b 10 00 00 48"))
          host.wait(milliseconds: 990)
        }
        host.disconnected()
      }
    }
    let sides = SensorChoice.allSides(of: [try comparedCapture("host", host.file(.btsnoopMonitor))])
    #expect(sides.map(\.connections.count) == [2, 2])
  }

  /// An attempt that came to nothing says nothing of the sensor.
  @Test func `a connection that came to nothing is no difference`() throws {
    var host = HostSide()
    host.connected()
    host.disconnected(reason: 0x3E)
    let (nothing, session) = (host.file(), session([[0, 60]], every: 5000))
    host.wait(milliseconds: 1000)
    host.subscribe()
    host.notified([0, 60])
    host.disconnected()
    for name in ["mtu", "discovery"] {
      #expect(try aspect(name, session, nothing).values[1] == nil)
      #expect(try !aspect(name, session, host.file()).differs)
    }
  }

  /// It is worn elsewhere on another connection: in which order is no difference.
  @Test func `all locations count`() throws {
    func worn(_ locations: [UInt8]) -> [UInt8] {
      var host = HostSide()
      for location in locations {
        host.subscribe()
        host.sent(hex("0a 13 00"))
        host.received([0x0B, location])
        host.notified([0, 60])
        host.wait(milliseconds: 1000)
        host.disconnected()
        host.wait(milliseconds: 1000)
      }
      return host.file()
    }
    let found = try aspect("location", worn([1, 2]), worn([2, 1]))
    #expect(!found.differs && found.values == ["Chest / Wrist", "Chest / Wrist"])
    #expect(try aspect("location", worn([1, 2]), worn([2])).differs)
  }

  /// What was looked for and is another descriptor is told; what nobody has looked for is not.
  @Test(arguments: [("05 01 11 00 04 29", true), (nil, false)] as [(String?, Bool)])
  func `a configuration is absent where its place was looked at`(answer: String?, differs: Bool) throws {
    func log(_ answer: String?) -> [UInt8] {
      var host = HostSide()
      host.connected()
      for (place, pdu) in Self.search.enumerated() {
        if place % 2 == 0 { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
      }
      if let answer {
        host.sent(hex("04 11 00 11 00"))
        host.received(hex(answer))
      }
      host.notified([0, 60])
      host.wait(milliseconds: 1000)
      host.disconnected()
      return host.file()
    }
    #expect(try aspect("characteristics", log("05 01 11 00 02 29"), log(answer)).differs == differs)
  }

  /// A host that reads the Database Hash by its type has not looked for what else is in its service.
  @Test func `a value that is read by its type tells nothing of others`() throws {
    func log(_ answers: [(String, String)]) -> [UInt8] {
      var host = HostSide()
      host.connected()
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 08 00 01 18 0e 00 13 00 0d 18"))
      host.sent(hex("10 14 00 ff ff 00 28"))
      host.received(hex("01 10 14 00 0a"))
      host.sent(hex("08 0e 00 13 00 03 28"))
      host.received(hex("09 07 0f 00 10 10 00 37 2a"))
      for (request, response) in answers {
        host.sent(hex(request))
        host.received(hex(response))
      }
      host.notified([0, 60])
      host.wait(milliseconds: 1000)
      host.disconnected()
      return host.file()
    }
    let hash = ("08 01 00 ff ff 2a 2b", "09 12 05 00 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f")
    let changed = [
      ("08 01 00 08 00 03 28", "09 07 02 00 20 03 00 05 2a"), ("08 04 00 08 00 03 28", "01 08 04 00 0a"),
    ]
    let other = [
      ("08 01 00 08 00 03 28", "09 07 04 00 02 05 00 2a 2b"), ("08 06 00 08 00 03 28", "01 08 06 00 0a"),
    ]
    #expect(try !aspect("characteristics", log([hash] + changed), log([hash])).differs)
    #expect(try aspect("characteristics", log([hash] + changed), log(other)).differs)
  }

  @Test func `notifications and indications are both told`() throws {
    func asking(_ bits: UInt8) -> [UInt8] {
      var host = HostSide()
      host.connected()
      host.discoverHeartRate()
      host.write(attribute: 17, [bits, 0])
      host.notified([0, 60])
      host.wait(milliseconds: 1000)
      host.disconnected()
      return host.file()
    }
    let found = try aspect("subscription", asking(1), asking(3))
    #expect(
      found.values == ["Heart Rate Measurement: notify", "Heart Rate Measurement: notify, indicate"] && found.differs)
  }

  private static let search = [
    "10 01 00 ff ff 00 28", "11 06 01 00 07 00 00 18 0e 00 13 00 0d 18", "10 14 00 ff ff 00 28",
    "11 06 14 00 17 00 0f 18",
    "10 18 00 ff ff 00 28", "01 10 18 00 0a", "08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a",
  ]

  /// A log that ends within a search does not tell what would have been found.
  @Test(arguments: 1...7) func `what was not found yet is not absent`(records: Int) throws {
    func log(of records: Int) -> [UInt8] {
      var host = HostSide()
      host.connected()
      for (place, pdu) in Self.search.prefix(records).enumerated() {
        if place % 2 == 0 { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
      }
      guard records == Self.search.count else { return host.file() }
      host.write(attribute: 17, [1, 0])
      host.notified([0, 60])
      host.wait(milliseconds: 1000)
      host.disconnected()
      return host.file()
    }
    for name in ["services", "battery", "characteristics", "properties", "handles", "discovery", "location"] {
      let found = try aspect(name, log(of: Self.search.count), log(of: records))
      #expect(!found.differs, "\(name): \(found.values)")
    }
  }

  /// How full a battery is, is no behaviour; that it is nearly empty is one reason for what the other side does not do.
  @Test(arguments: [(90, 11, false), (90, 10, true), (8, 2, false), (0, 100, true)])
  func `a battery that is nearly empty`(first: UInt8, second: UInt8, differs: Bool) throws {
    func log(_ level: UInt8) -> [UInt8] {
      var host = HostSide()
      host.connected()
      for (place, pdu) in Self.search.enumerated() {
        if place % 2 == 0 { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
      }
      host.sent(hex("08 14 00 17 00 03 28"))
      host.received(hex("09 07 15 00 12 16 00 19 2a"))
      host.sent(hex("0a 16 00"))
      host.received([0x0B, level])
      host.write(attribute: 17, [1, 0])
      host.notified([0, 60])
      host.disconnected()
      return host.file()
    }
    let found = try aspect("battery", log(first), log(second))
    #expect(found.differs == differs && found.values == ["\(first) %", "\(second) %"])
  }

  @Test func `a rate of 0 is none`() throws {
    let rates = (0..<60).map { UInt8(60 + $0 % 5) }
    let (good, zeros) = (rates.map { [0, $0] }, rates.enumerated().map { [0, $0.offset % 3 == 0 ? $0.element : 0] })
    let found = try aspect("heart-rate-range", session(good), session(zeros))
    #expect(!found.differs && found.values == ["60–64 bpm", "60–64 bpm"])
    let none = try aspect("heart-rate-range", session(good), session(rates.map { _ in [0, 0] }))
    #expect(!none.differs && none.isUntested && none.values == ["60–64 bpm", "none"])
  }

  /// Each tenth has it; some that have not are lost, or one that has.
  @Test(arguments: [[], [3, 17, 31], [5, 6, 7], [12, 20], [1, 11, 21, 31, 41, 51]])
  func `what is lost is no part of how often energy is sent`(lost: [Int]) throws {
    let values: [[UInt8]] = (0..<60).map { $0 % 10 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    let left = values.enumerated().map { lost.contains($0.offset) ? nil : $0.element }
    let found = try aspect("energy-expended", session(values), session(left))
    #expect(!found.differs && found.values == ["every 10th measurement", "every 10th measurement"])
    let others: [[UInt8]] = (0..<60).map { $0 % 9 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    #expect(try aspect("energy-expended", session(values), session(others)).differs)
  }

  /// What comes five times, and then no more, is not in every measurement.
  @Test(arguments: [
    (5, 1, 60, "in 5 of 60", "in every measurement", true), (2, 10, 120, "in 2 of 120", "every 10th measurement", true),
    (60, 1, 60, "in every measurement", "in every measurement", false),
    (12, 5, 120, "in 12 of 120", "every 5th measurement", true),
  ])
  func `energy that is sent for a while`(
    count: Int, step: Int, of all: Int, words: String, others: String, differs: Bool
  ) throws {
    func values(_ most: Int) -> [[UInt8]] {
      (0..<all).map { $0 % step == 0 && $0 / step < most ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    }
    let found = try aspect("energy-expended", session(values(count)), session(values(.max)))
    #expect(found.differs == differs && found.values == [words, others])
  }

  /// Of a short session the mean tells little: what comes as often as in a long one is the same.
  @Test(arguments: 11...16)
  func `energy is as often in a short session as in a long one`(short: Int) throws {
    func values(_ count: Int) -> [[UInt8]] { (0..<count).map { $0 % 10 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] } }
    let found = try aspect("energy-expended", session(values(short)), session(values(100)))
    #expect(!found.differs && found.values == ["every 10th measurement", "every 10th measurement"])
  }

  /// In so many measurements it would have come twice.
  @Test(arguments: [(19, false), (20, true)])
  func `energy that never comes may come in a longer session`(short: Int, differs: Bool) throws {
    let often: [[UInt8]] = (0..<60).map { $0 % 10 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    let found = try aspect("energy-expended", session(often), session(Array(repeating: [0, 70], count: short)))
    #expect(found.differs == differs && found.values == ["every 10th measurement", "never"])
  }

  /// "Remote user" in the sensor's log is the phone, in the phone's log the sensor.
  @Test func `of logs from both ends, it is said who ended a connection`() throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 1...10 { logs.measure(BothLogs.value(second), at: 1000 * Int64(second)) }
    logs.disconnect(at: 11_000)
    let byPhone = try aspect("disconnects", logs.phones[0].file(), logs.sensor.file())
    #expect(!byPhone.differs && byPhone.values.allSatisfy { $0?.hasSuffix("ended by its peer") == true })
    let bySensor = try aspect("disconnects", session([[0, 60], [0, 60]]), logs.sensor.file())
    #expect(bySensor.differs && Set(bySensor.values).count == 2)
    let one = try aspect("disconnects", session([[0, 60]]), session([[0, 60]]))
    #expect(one.values == ["Remote User Terminated Connection (0x13)", "Remote User Terminated Connection (0x13)"])
  }

  /// Six times between seven measurements tell nothing, seven do.
  @Test func `where there is too little to test, that is said`() throws {
    func sessions(_ count: Int) -> [[UInt8]] {
      [1000, 2000].map { session(Array(repeating: [0, 60], count: count), every: $0) }
    }
    let few = sessions(7)
    let untested = try aspect("cadence", few[0], few[1])
    #expect(!untested.differs && untested.isUntested && untested.note?.hasPrefix("too little") == true)
    let enough = sessions(8)
    let tested = try aspect("cadence", enough[0], enough[1])
    #expect(tested.differs && !tested.isUntested)
  }

  /// From one connection to its first value it takes twice as long.
  @Test(arguments: [(4, 2, false), (6, 2, false), (7, 2, true), (4, 20, true), (6, 20, true)])
  func `of few connections, only much longer is longer`(count: Int, factor: Int64, differs: Bool) throws {
    func sessions(_ seconds: Int64) -> [UInt8] {
      var host = HostSide()
      for connection in 0..<count {
        host.subscribe()
        host.wait(milliseconds: 1000 * seconds + 20 * Int64(connection))
        host.notified([0, 60])
        host.disconnected()
        host.wait(milliseconds: 5000)
      }
      return host.file()
    }
    let found = try aspect("time-to-first-measurement", sessions(2), sessions(2 * factor))
    #expect(found.differs == differs, "\(found.values)")
  }

  /// A session and one on which nothing came; or too short to tell.
  @Test(arguments: [(30, "none in 30", true), (5, nil, false)] as [(Int64, String?, Bool)])
  func `that no measurement comes is a difference`(seconds: Int64, words: String?, differs: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.wait(milliseconds: 1000 * seconds)
    host.disconnected()
    let (silent, session) = (host.file(), session(Array(repeating: [0, 60], count: 10)))
    let found = try aspect("time-to-first-measurement", session, silent)
    #expect(found.values.last??.prefix(10) == words?.prefix(10) && found.differs == differs, "\(found.values)")
    #expect(try !aspect("time-to-first-measurement", silent, silent).differs)
  }

  /// What has come may be among the records that the log has lost.
  @Test func `that no measurement comes is no difference where it may be lost`() throws {
    var host = HostSide()
    host.subscribe()
    let hole = host.file().count
    host.sent(hex("0a 13 00"))
    host.received(hex("0b 01"))
    host.wait(milliseconds: 30_000)
    host.disconnected()
    var silent = host.file()
    // The cumulative drops of the record behind it.
    silent[hole + 15] = 1
    let found = try aspect("time-to-first-measurement", session(Array(repeating: [0, 60], count: 10)), silent)
    #expect(found.values[1] == nil && !found.differs, "\(found.values)")
  }

  /// Contact depends on the wearer, but a tenth is another wearing.
  @Test(arguments: [(40, false), (37, false), (35, true), (20, true)])
  func `how often there was contact counts where it is far apart`(contact: Int, differs: Bool) throws {
    func worn(_ contact: Int) -> [UInt8] {
      session((0..<40).map { $0 < contact ? [0x06, 60] : [0x04, 60] })
    }
    let found = try aspect("contact", worn(40), worn(contact))
    #expect(found.differs == differs, "\(found.values)")
    // To have none at all is more than to have little.
    let least = try aspect("contact", worn(0), worn(40 - contact))
    #expect(least.differs == (contact < 40), "\(least.values)")
  }
}
