import BluetoothHost
import CaptureFiles
import GATTKit
import Octets
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A capture, read as often as it takes to know what its attributes are.
struct InferredCapture {
  let events: [Event]
  let conclusions: Conclusions
  var knowledge: CaptureKnowledge

  init(_ host: HostSide, _ knowledge: CaptureKnowledge = CaptureKnowledge()) throws {
    try self.init(host.file(), knowledge)
  }

  init(_ octets: [UInt8], _ knowledge: CaptureKnowledge = CaptureKnowledge()) throws {
    var knowledge = knowledge
    let first = try knowledge.learnGrounds(from: try Self.read(octets, knowledge), { $0.conclusions }) { knowledge in
      try Self.read(octets, knowledge)
    }
    if try knowledge.learn(from: first.conclusions, readAgain: { try Self.read(octets, $0).conclusions }) {
      self = InferredCapture(events: try Self.read(octets, knowledge).events, first.conclusions, knowledge)
    } else {
      self = InferredCapture(events: first.events, first.conclusions, knowledge)
    }
  }

  private init(events: [Event], _ conclusions: Conclusions, _ knowledge: CaptureKnowledge) {
    self.events = events
    self.conclusions = conclusions
    self.knowledge = knowledge
  }

  private static func read(
    _ octets: [UInt8], _ knowledge: CaptureKnowledge
  ) throws -> (events: [Event], conclusions: Conclusions) {
    var events: [Event] = []
    var analyzer = Analyzer(into: EventForwarder(selection: .all, { events.append($0) }), knowing: knowledge)
    let octets = ContiguousArray(octets)
    _ = try analyzer.read(octets.span, isLast: true)
    return (events, analyzer.conclusions)
  }

  /// The handles on which measurements came, each with how many.
  var measurements: [UInt16: Int] {
    events.compactMap(\.content.heartRate).reduce(into: [:]) { $0[$1.handle, default: 0] += 1 }
  }

  /// What is wrong, beside what is only worth knowing.
  var findings: [Finding] {
    var diagnosis = Diagnosis(RuleSettings())
    for event in events { diagnosis.note(event) }
    diagnosis.finish()
    return diagnosis.findings.filter { $0.severity > .info }
  }

  func confidence(of handle: UInt16) -> Double? {
    conclusions.inferences.first { $0.inference.handle == handle }?.inference.confidence
  }
}

/// What a strap sends, about once a second: a rate that goes up and down, and the interval that makes it.
func strap(_ second: Int) -> [UInt8] {
  let rate = 70 + [0, 1, 2, 3, 2, 1, 0, -1][second % 8]
  return [0x16, UInt8(rate)] + UInt16(61_440 / rate).little
}

extension HostSide {
  mutating func stream(
    on handle: UInt16 = 0x40, attribute: UInt16 = 16, seconds: Int, _ value: (Int) -> [UInt8]
  ) {
    for second in 0..<seconds {
      notified(on: handle, attribute: attribute, value(second))
      wait(milliseconds: 980)
    }
  }
}

@Suite struct `Inference` {
  @Test func `a strap without discovery`() throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    host.disconnected()
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 20])
    #expect(try #require(capture.confidence(of: 16)) > 0.999)
    let subscriptions = subscriptions(capture)
    #expect(subscriptions.map(\.handle) == [17] && subscriptions.map(\.valueHandle) == [16])
  }

  /// The battery's level, 0x0003, is the last that is known before the configuration; its own would be 0x0004.
  @Test func `a configuration behind a declaration that was cut away`() throws {
    var host = HostSide()
    host.keptACLOctets = 20
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 02 00 12 03 00 19 2a 06 00 10 07 00 37 2a"))
    host.write(attribute: 8, [1, 0])
    host.stream(attribute: 7, seconds: 20, strap)
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [7: 20])
    let subscriptions = subscriptions(capture)
    #expect(subscriptions.map(\.handle) == [8] && subscriptions.map(\.valueHandle) == [7])
  }

  @Test(arguments: [14, 13]) func `the same, cut`(octets: Int) throws {
    var host = HostSide()
    host.keptACLOctets = octets
    host.connected()
    host.stream(seconds: 20, strap)
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 20])
    #expect(capture.events.compactMap(\.content.heartRate).allSatisfy { $0.reading.rrCount == 1 })
  }

  /// Of rates of two octets one is left: enough to know them by, and too little to tell them.
  @Test func `rates of two octets of which one is cut away`() throws {
    var host = HostSide()
    host.keptACLOctets = 13
    host.connected()
    host.stream(seconds: 20) { second in
      let value = strap(second)
      return [value[0] | 1, value[1], 0] + value.dropFirst(2)
    }
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 20])
    #expect(capture.events.compactMap(\.content.heartRate).allSatisfy { $0.reading.beatsPerMinute == nil })
    #expect(capture.events.compactMap(\.content.heartRate).allSatisfy { $0.reading.rrCount == 1 })
  }

  private func subscriptions(_ capture: InferredCapture) -> [SubscriptionEvent] {
    capture.events.compactMap {
      switch $0.content {
      case .subscribed(let event), .unsubscribed(let event): event
      default: nil
      }
    }
  }

  /// Service Changed is far before it, and nothing is known of what stands between.
  @Test(arguments: [false, true]) func `a strap that indicates`(isOtherKnown: Bool) throws {
    var host = HostSide()
    host.connected()
    if isOtherKnown {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 07 02 00 20 03 00 05 2a"))
    }
    for configuration in [[2, 0], [0, 0], [2, 0]] as [[UInt8]] {
      host.write(attribute: 17, configuration)
      for second in 0..<20 where configuration[0] > 0 {
        host.received([0x1D, 16, 0] + strap(second))
        host.sent([0x1E])
        host.wait(milliseconds: 970)
      }
      host.wait(milliseconds: 5000)
    }
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 40])
    let subscriptions = subscriptions(capture)
    #expect(subscriptions.map(\.handle) == [17, 17, 17] && subscriptions.allSatisfy { $0.valueHandle == 16 })
    #expect(subscriptions.map(\.configuration.asksForValues) == [true, false, true])
    let evidence = try #require(capture.conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains("indications were switched on just behind it"))
  }

  /// One value is told as one.
  @Test(arguments: [(0x0355, "fit"), (0x0100, "do not fit")] as [(UInt16, String)])
  func `reasons of one value`(interval: UInt16, words: String) throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    host.notified([0x16, 72] + interval.little)
    let evidence = try #require(try InferredCapture(host).conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains("one value has RR-Intervals, which \(words) its rate"), "\(evidence)")
    #expect(evidence.contains("the only value has the layout of a Heart Rate Measurement"))
  }

  /// A rate that no heart has, among 40, speaks against nothing; but then not every rate is one.
  @Test(arguments: [(72, "every rate is one that a heart has"), (250, "39 of 40 rates are ones that a heart has")])
  func `reasons of many rates`(twentieth: UInt8, words: String) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 40) { [0x06, $0 == 19 ? twentieth : 72] }
    let evidence = try #require(try InferredCapture(host).conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains(words), "\(evidence)")
  }

  /// Find Information has told the configuration, 0x0014, and the location before it, 0x0011; what lies between, 0x0012 and
  /// 0x0013, was cut away, unless declarations were looked for there, and none was found.
  @Test(arguments: [false, true]) func `a configuration behind what was cut away`(isSearched: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("04 10 00 11 00"))
    host.received(hex("05 01 10 00 03 28 11 00 38 2a"))
    if isSearched {
      host.sent(hex("08 12 00 14 00 03 28"))
      host.received(hex("01 08 12 00 0a"))
    }
    host.sent(hex("04 14 00 14 00"))
    host.received(hex("05 01 14 00 02 29"))
    host.write(attribute: 20, [0, 0])
    let subscriptions = subscriptions(try InferredCapture(host))
    #expect(subscriptions.map(\.handle) == [20] && subscriptions.map(\.valueHandle) == [isSearched ? 17 : nil])
  }

  @Test func `two octets of anything that changes slowly are a candidate, no more`() throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 30) { [0, UInt8(80 + [0, 1, 2, 1][$0 % 4])] }
    let capture = try InferredCapture(host)
    #expect(capture.measurements.isEmpty)
    let confidence = try #require(capture.confidence(of: 16))
    #expect(confidence > 0.02 && confidence < 0.3)
  }

  /// The handle of the name is not known either: a value that is a sensor's name tells both.
  @Test func `surer once its name was read`() throws {
    func confidence(_ name: String) throws -> Double {
      var host = HostSide()
      host.connected()
      host.sent([0x0A, 3, 0])
      host.received([0x0B] + Array(name.utf8))
      host.stream(seconds: 12) { [2, UInt8(80 + [0, 1, 2, 1][$0 % 4])] }
      let capture = try InferredCapture(host)
      return try #require(capture.confidence(of: 16))
    }
    #expect(try confidence("TICKR 7A31") > confidence("Thermo 7A31"))
  }

  @Test func `unless the device is a sensor with a location`() throws {
    var host = HostSide()
    // Connectable advertising of C5:44:33:22:11:01 with flags and the service.
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [7] + hex("02 01 06 03 03 0d 18") + [0xC8])
    host.connected()
    host.stream(seconds: 30) { [0, UInt8(80 + [0, 1, 2, 1][$0 % 4])] }
    // A sensor may notify other things, too.
    #expect(try InferredCapture(host).measurements.isEmpty)
    // Ear lobe, read from the attribute three behind it.
    host.sent([0x0A, 19, 0])
    host.received([0x0B, 5])
    host.write(attribute: 17, [1, 0])
    #expect(try InferredCapture(host).measurements == [16: 30])
  }

  /// An armband that sets no flag, in the log that phones keep: what it was asked for, and nothing else, is its rate.
  @Test(arguments: [nil, 14]) func `or all that a sensor notifies`(keptOctets: Int?) throws {
    func host(hasOther: Bool) -> HostSide {
      var host = HostSide()
      host.keptACLOctets = keptOctets
      host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [7] + hex("02 01 06 03 03 0d 18") + [0xC8])
      host.connected()
      host.write(attribute: 17, [1, 0])
      for second in 0..<30 {
        host.notified(attribute: 16, [0, UInt8(80 + [0, 1, 2, 1][second % 4])])
        if hasOther { host.notified(attribute: 32, [0, UInt8(50 + [0, 1, 2, 1][second % 4])]) }
        host.wait(milliseconds: 980)
      }
      return host
    }
    #expect(try InferredCapture(host(hasOther: false)).measurements == [16: 30])
    #expect(try InferredCapture(host(hasOther: true)).measurements.isEmpty)
  }

  @Test(arguments: [
    ("battery", [[55], [54], [54]]),
    ("a state, and a humidity in per cent", [[4, 70], [4, 71], [4, 72], [4, 71]]),
    ("cycling power", [hex("10 00 96 00 01 00 00 00 00 04"), hex("10 00 a0 00 02 00 00 00 00 08")]),
    ("cycling speed", [hex("03 01 00 00 00 00 04 01 00 00 04"), hex("03 03 00 00 00 00 08 02 00 00 08")]),
    ("running", [hex("04 00 03 50"), hex("04 10 03 51")]),
    ("thermometer", [hex("00 6a 01 00 ff"), hex("00 6b 01 00 ff")]),
    ("a raw signal", [hex("01 64 00 c8 00 2c 01 90 01"), hex("02 65 00 c9 00 2d 01 91 01")]),
    (
      "intervals in milliseconds",
      [hex("10 46 5c 03"), hex("10 47 50 03")].map { [$0[0], $0[1]] + UInt16(200).little }
    ),
    ("leaps", [[0x06, 40], [0x06, 200], [0x06, 60], [0x06, 180]]),
  ])
  func `what else notifies is no heart rate`(name: String, values: [[UInt8]]) throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 40) { values[$0 % values.count] }
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  @Test func `nothing in a service of another type`() throws {
    var host = HostSide()
    host.connected()
    host.received([0x11, 0x06] + hex("0e 00 20 00 0f 18"))
    host.stream(seconds: 20, strap)
    let capture = try InferredCapture(host)
    #expect(capture.measurements.isEmpty && capture.confidence(of: 16) == nil)
  }

  /// The service was discovered, and what is in it was lost. Nothing else notifies there, HRS 1.0, 3: two octets that are
  /// anything elsewhere are a rate.
  @Test(
    arguments: [(0x180D, [0, 70], true), (0x180D, [0xA5, 1, 3], false), (0xFEE0, [0, 70], false)]
      as [(UInt16, [UInt8], Bool)])
  func `what notifies in the heart rate service`(service: UInt16, value: [UInt8], isMeasurement: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received([0x11, 0x06] + hex("0e 00 13 00") + service.little)
    host.stream(seconds: 6) { _ in value }
    #expect(try InferredCapture(host).measurements == (isMeasurement ? [16: 6] : [:]))
  }

  @Test func `nothing beside a measurement that was discovered`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.stream(attribute: 40, seconds: 20, strap)
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  @Test func `the better of two`() throws {
    var host = HostSide()
    host.connected()
    for second in 0..<20 {
      host.notified(attribute: 16, strap(second))
      host.notified(attribute: 40, [0x06, UInt8(90 + second % 3)])
      host.wait(milliseconds: 980)
    }
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  @Test func `a short connection follows a long one with the same device`() throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 20, strap)
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected()
    host.stream(seconds: 2, strap)
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected(peer: 2)
    host.stream(seconds: 1) { _ in [0x00, 70] }
    #expect(try InferredCapture(host).measurements == [16: 22])
  }

  /// In a sensor's own log: it has one table, whoever asks for what is in it.
  @Test(arguments: [[20, 2], [2, 20]]) func `a short connection beside a long one, each with another phone`(
    seconds: [Int]
  ) throws {
    var host = HostSide()
    for (peer, seconds) in zip(UInt8(1)..., seconds) {
      host.connected(peer: peer, isPeripheral: true)
      for second in 0..<seconds {
        host.sent(hex("1b 10 00") + strap(second))
        host.wait(milliseconds: 980)
      }
      host.disconnected()
      host.wait(milliseconds: 5000)
    }
    #expect(try InferredCapture(host).measurements == [16: 22])
  }

  @Test func `discovered later, known from the beginning`() throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 3, strap)
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected()
    host.discoverHeartRate()
    host.stream(seconds: 3, strap)
    #expect(try InferredCapture(host).measurements == [16: 6])
  }

  /// A peripheral's own log: what its phones have kept from earlier is told by what another phone discovers.
  @Test func `discovered later, on the sensor's side`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.sent(hex("1b 10 00 00 46"))
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected(peer: 2, isPeripheral: true)
    host.sent(hex("1b 10 00 00 47"))
    host.received(hex("08 0e 00 13 00 03 28"))
    host.sent(hex("09 07 0f 00 10 10 00 37 2a"))
    host.sent(hex("1b 10 00 00 48"))
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 3])
    #expect(capture.conclusions.inferences.isEmpty)
  }

  /// A phone that reads the name by its type knows one attribute, and not the others.
  @Test func `discovered later, where single attributes were known before`() throws {
    var host = HostSide()
    func readName() {
      host.sent(hex("08 01 00 ff ff 00 2a"))
      host.received(hex("09 05 03 00 41 42 43"))
    }
    host.connected()
    readName()
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 71])
    host.disconnected()
    host.wait(milliseconds: 3000)
    // The name is read before it is reported whose connection it is.
    host.sent(on: 0x41, hex("08 01 00 ff ff 00 2a"))
    host.received(on: 0x41, hex("09 05 03 00 41 42 43"))
    host.connected(0x41)
    host.notified(on: 0x41, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 3])
  }

  /// The first discovery behind the values tells what they are, and a connection's own more than any other.
  @Test func `a table that changes later changes nothing before`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.notified(attribute: 42, hex("00 46"))
    host.discoverHeartRate()
    host.notified([0x00, 71])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate(first: 40)
    host.notified(attribute: 42, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 2, 42: 1])
  }

  /// The same handle is a battery's on the second connection, and a heart rate's on the third.
  @Test func `what is something else in the table behind it stays so`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x16, 0x48])
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.connected()
    host.notified([0x16, 0x48])
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 19 2a"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x06, 71])
    #expect(try InferredCapture(host).measurements == [16: 1])
  }

  /// What came before Service Changed is a heart rate if it looks like one: most tables are what they were.
  @Test(arguments: [("55", 1), ("06 46", 2)])
  func `discovered after the table has changed`(value: String, count: Int) throws {
    for isSameConnection in [false, true] {
      var host = HostSide()
      host.connected()
      host.notified(hex(value))
      if !isSameConnection {
        host.disconnected()
        host.wait(milliseconds: 2000)
        host.connected()
      }
      host.received(hex("1d 0a 00 01 00 ff ff"))
      host.sent(hex("1e"))
      host.discoverHeartRate()
      host.notified([0x06, 71])
      #expect(try InferredCapture(host).measurements == [16: count])
    }
  }

  /// Values that contradict their flags say that they are no heart rates, which discovery knows better.
  @Test(arguments: ["16 46", ""]) func `discovered later, though all values before are broken`(value: String) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 12) { _ in hex(value) }
    host.discoverHeartRate()
    #expect(try InferredCapture(host).measurements == [16: 12])
  }

  /// Nobody says that the table has changed, but what came before does: its measurement is not where it was, and something
  /// else stood there.
  @Test(arguments: [false, true]) func `discovered later, in a table that has changed unseen`(isOther: Bool) throws {
    var host = HostSide()
    host.connected()
    for second in 0..<20 {
      if isOther { host.notified(attribute: 12, strap(second)) }
      host.notified([0x55, UInt8(second), 3, 4, 5])
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x06, 71])
    // Where nothing else has sent heart rates, these are what the table says, and broken.
    #expect(try InferredCapture(host).measurements == (isOther ? [12: 20, 16: 1] : [16: 21]))
  }

  @Test func `known from an earlier connection, before it is reported whose connection it is`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.notified(on: 0x41, [0x00, 71])
    host.connected(0x41)
    host.notified(on: 0x41, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 3])
  }

  /// What an earlier connection has told of a handle is of another time, if its service has turned into one of heart rates
  /// by now, and what comes from there cannot be that.
  @Test(arguments: ["19 2a", "38 2a"]) func `in a service that was another one's`(earlier: String) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 12 10 00") + hex(earlier))
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  /// What says that it is something else: a discovery on the same connection or the next, or one of the measurement itself.
  enum Denial: CaseIterable { case sameConnection, nextConnection, measurementElsewhere }

  @Test(arguments: Denial.allCases)
  func `not where discovery says that it is something else`(denial: Denial) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 20, strap)
    if denial == .nextConnection {
      host.disconnected()
      host.wait(milliseconds: 3000)
      host.connected()
    }
    if denial == .measurementElsewhere {
      host.discoverHeartRate(first: 40)
    } else {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 15 0f 00 10 10 00") + Array(repeating: 0xA5, count: 16))
    }
    let capture = try InferredCapture(host)
    #expect(capture.measurements.isEmpty)
    #expect(!capture.events.contains { if case .inferred(let one) = $0.content { one.isTaken } else { false } })
  }

  @Test func `imported`() throws {
    var database = GATTDatabase()
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(
      declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    var host = HostSide()
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.connected(peer: 2)
    host.notified([0x00, 70])
    let address = DeviceAddress(0xC544_3322_1101, .random)
    let known = CaptureKnowledge.PeerDatabase(address: address, database: database, origin: .imported)
    #expect(try InferredCapture(host, CaptureKnowledge(databases: [known])).measurements == [16: 1])
    let forAll = CaptureKnowledge.PeerDatabase(address: nil, database: database, origin: .imported)
    #expect(try InferredCapture(host, CaptureKnowledge(databases: [forAll])).measurements == [16: 2])
  }

  /// What is sent by one that an imported table may be of.
  enum Sender: CaseIterable {
    case sensor, brokenSensor, stranger, otherHandle, otherUse, otherTable, configuration
  }

  /// A table of which only the service is known says as much whether it names the device or is taken for it.
  @Test(arguments: [nil, DeviceAddress(0xC544_3322_1101, .random)])
  func `imported without its measurement`(address: DeviceAddress?) throws {
    var database = GATTDatabase()
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertAttribute(17, uuid: .clientCharacteristicConfiguration)
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    for place in 0..<10 as Range<UInt8> {
      host.notified([0x00, 70 + place % 3])
      host.wait(milliseconds: 1000)
    }
    #expect(try InferredCapture(host).measurements.isEmpty)
    let known = CaptureKnowledge.PeerDatabase(address: address, database: database, origin: .imported)
    let found = try InferredCapture(host, CaptureKnowledge(databases: [known]))
    #expect(found.measurements == [16: 10])
  }

  /// A table that names no device is not believed of one whose values or whose name say otherwise, nor of one that nobody
  /// has asked for heart rates.
  @Test(arguments: Sender.allCases, [nil, "Strap 1", "Strap 2"])
  func `imported without a device`(sender: Sender, name: String?) throws {
    var database = GATTDatabase()
    database.insertService(1...7, uuid: .gapService, isPrimary: true)
    database.insertCharacteristic(declaration: 2, valueHandle: 3, properties: .read, uuid: .deviceName)
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(
      declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    database.insertAttribute(17, uuid: .clientCharacteristicConfiguration)
    var host = HostSide()
    if let name {
      let data = [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
      host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC0])
    }
    host.connected()
    for place in 0..<20 {
      switch sender {
      case .sensor: host.notified([0x00, 70])
      case .brokenSensor: host.notified(place % 2 == 0 ? [0x10, 70, 1] : [0x00, 70])
      case .stranger: host.notified((0..<12).map { UInt8(truncatingIfNeeded: (place + 3) * ($0 + 5) * 37) })
      case .otherHandle: host.notified(attribute: 32, strap(place))
      case .otherUse:
        host.sent(hex("0a 03 00"))
        host.received(hex("0b 41 42 43 44 45"))
      case .otherTable:
        // Nothing notifies what a device is called.
        host.notified([0x00, 70])
        host.notified(attribute: 3, [0x00, 70])
      case .configuration: if place == 0 { host.write(attribute: 17, [1, 0]) }
      }
      host.wait(milliseconds: 1000)
    }
    let known = CaptureKnowledge.PeerDatabase(address: nil, name: "Strap 1", database: database, origin: .imported)
    let found = try InferredCapture(host, CaptureKnowledge(databases: [known]))
    let tables = found.events.compactMap { if case .databases(let all) = $0.content { all.peer } else { nil } }
    let isTaken = tables.contains { !$0.isEmpty }
    switch (sender, name) {
    case (_, "Strap 2"), (.otherHandle, _), (.otherTable, _), (.stranger, nil), (.brokenSensor, nil), (.otherUse, nil):
      #expect(!isTaken)
    default: #expect(isTaken)
    }
    let isMeasuring = isTaken && [.sensor, .brokenSensor, .stranger].contains(sender)
    #expect(found.measurements == (isMeasuring ? [16: 20] : sender == .otherHandle ? [32: 20] : [:]))
  }

  /// However many captures of other sensors were read before, what the first has told is known, and so is what was
  /// imported.
  @Test func `by a table among thousands`() throws {
    var first = HostSide()
    first.connected()
    first.discoverHeartRate()
    var told = try InferredCapture(first).conclusions
    let table = try #require(told.peers.values.first)
    for number in 0..<5000 {
      var other = Conclusions()
      other.peers = [DeviceAddress(0xC000_0000_0000 + UInt64(number), .random): table]
      told.add(other)
    }
    let imported = CaptureKnowledge.PeerDatabase(
      address: DeviceAddress(0xC544_3322_1102, .random), database: table, origin: .imported)
    var knowledge = CaptureKnowledge(databases: [imported])
    knowledge.remember(told)
    var host = HostSide()
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.connected(peer: 2)
    host.notified([0x00, 70])
    #expect(try InferredCapture(host, knowledge).measurements == [16: 2])
  }

  /// A table that was known beforehand may be older than the sensor's firmware: it denies only what comes beside its own
  /// measurement, and what lies in its services.
  @Test(arguments: [CaptureKnowledge.Origin.imported, .otherConnection])
  func `beside a table of another time`(origin: CaptureKnowledge.Origin) throws {
    func measurements(_ service: ClosedRange<UInt16>, comesToo: Bool = false) throws -> [UInt16: Int] {
      var database = GATTDatabase()
      database.insertService(service, uuid: .heartRateService, isPrimary: true)
      database.insertCharacteristic(
        declaration: 41, valueHandle: 42, properties: .notify, uuid: .heartRateMeasurement)
      var host = HostSide()
      host.connected()
      host.stream(seconds: 20, strap)
      if comesToo { host.notified(attribute: 42, [0x00, 70]) }
      let known = CaptureKnowledge.PeerDatabase(
        address: DeviceAddress(0xC544_3322_1101, .random), database: database, origin: origin)
      return try InferredCapture(host, CaptureKnowledge(databases: [known])).measurements
    }
    #expect(try measurements(40...45) == [16: 20])
    #expect(try measurements(40...45, comesToo: true) == [42: 1])
    #expect(try measurements(10...45).isEmpty)
  }

  /// Of several tables of one device the one counts by which measurements come; where none does, the first.
  @Test(arguments: [[16, 42], [42, 16], [42, 44], [42, 44, 16]] as [[UInt16]])
  func `by one of several tables`(handles: [UInt16]) throws {
    var host = HostSide()
    host.connected()
    for _ in 0..<20 {
      host.wait(milliseconds: 990)
      host.notified([0x00, 70])
    }
    let known = handles.map { handle in
      var database = GATTDatabase()
      database.insertService(handle - 2...handle + 3, uuid: .heartRateService, isPrimary: true)
      database.insertCharacteristic(
        declaration: handle - 1, valueHandle: handle, properties: .notify, uuid: .heartRateMeasurement)
      return CaptureKnowledge.PeerDatabase(
        address: DeviceAddress(0xC544_3322_1101, .random), database: database, origin: .imported)
    }
    let found = try InferredCapture(host, CaptureKnowledge(databases: known))
    #expect(found.measurements == (handles.contains(16) ? [16: 20] : [:]))
  }

  @Test func `at once, where a capture cannot be read again`() throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 20, strap)
    var knowledge = CaptureKnowledge()
    knowledge.concludesAtOnce = true
    var count = 0
    var analyzer = Analyzer(
      into: EventForwarder(selection: .all, { if $0.content.heartRate != nil { count += 1 } }), knowing: knowledge)
    let octets = ContiguousArray(host.file())
    _ = try analyzer.read(octets.span, isLast: true)
    #expect(count == 12)
  }
}

@Suite struct `Private addresses` {
  private static let key = PrivateDevice.key
  private static let address = PrivateDevice.address
  private static let identity = PrivateDevice.identity

  private func connect(_ host: inout HostSide, _ address: [UInt8]) {
    host.leEvent(0x01, [0] + hex("40 00 00 01") + address + hex("18 00 00 00 48 00 00"))
  }

  /// The peer tells its key and its lasting address: Identity Information, Identity Address Information.
  private func pair(_ host: inout HostSide, on handle: UInt16 = 0x40, channel: UInt16 = 6) {
    host.l2cap(on: handle, .received, channel: channel, [0x08] + Self.key)
    host.l2cap(on: handle, .received, channel: channel, [0x09, 0x01] + Self.identity)
  }

  /// The connection ends, and another with the peer's other address begins, on which a rate comes.
  private func comeBack(_ host: inout HostSide, _ address: [UInt8]) {
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, address)
    host.notified([0x00, 70])
  }

  private func handles(_ host: HostSide) throws -> [UInt16: Int] { try InferredCapture(host).measurements }

  @Test func `resolved with the key from pairing`() throws {
    var host = HostSide()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  /// Devices of both kinds tell their keys where they pair first.
  @Test func `resolved with the key from pairing over BR-EDR`() throws {
    var host = HostSide()
    host.connectedClassic(0x0B)
    pair(&host, on: 0x0B, channel: 7)
    connect(&host, Self.identity)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `what was learned under a private address is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.identity)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `a failure is made good under another address`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.address)
    host.disconnected(reason: 0x3E)
    connect(&host, Self.identity)
    host.discoverHeartRate()
    let findings = try host.findings(of: "connection-not-established")
    #expect(findings.map(\.severity) == [.warning], "\(findings.map(\.message))")
  }

  /// Rules that look at several connections ask when each begins.
  @Test func `of the connection that pairs, known from its beginning`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.identity)
    let peers = try InferredCapture(host).events.compactMap { event -> DeviceAddress? in
      if case .connected(let connected) = event.content { connected.peer.lastingAddress } else { nil }
    }
    #expect(peers.count == 2 && Set(peers).count == 1)
  }

  /// Two devices whose lasting addresses are zeros are not one.
  @Test func `no lasting address is nobody's`() throws {
    var host = HostSide()
    for (peer, first) in [(0x0A, 1), (0x0B, 2)] as [(UInt8, UInt8)] {
      connect(&host, [peer, 0, 0, 0, 0, 0x52])
      if peer == 0x0A { host.discoverHeartRate() }
      host.l2cap(.received, channel: 6, [0x08, first] + Self.key.dropFirst())
      host.l2cap(.received, channel: 6, hex("09 00 00 00 00 00 00 00"))
      host.notified([0x00, first])
      host.disconnected()
      host.wait(milliseconds: 2000)
    }
    let measurements = try InferredCapture(host).events.compactMap(\.content.heartRate?.reading.beatsPerMinute)
    #expect(measurements == [1])
  }

  /// Nor does a host that names none take from a device what is known of it.
  @Test func `no lasting address makes a private one no less a device's`() throws {
    var host = HostSide()
    host.command(0x2027, Array(repeating: 0, count: 7) + Self.key + Array(repeating: 0, count: 16))
    connect(&host, Self.address)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `resolved with the key that the host gives its controller`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  /// What was discovered under one private address holds though only the name was read under a later one.
  @Test func `all that was learned under private addresses is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, Self.identity)
    host.sent(hex("08 01 00 ff ff 00 2a"))
    host.received(hex("09 05 03 00 41 42 43"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.command(0x2027, [0x01] + hex("02 11 22 33 44 c5") + Self.key + Array(repeating: 0, count: 16))
    connect(&host, hex("02 11 22 33 44 c5"))
    host.notified([0x00, 70])
    #expect(try handles(host) == [16: 1])
  }

  /// What is discovered after it was told whose private address it is belongs to the device too, whatever was known of
  /// it under another one.
  @Test func `what is learned behind the pairing is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.sent(hex("08 01 00 ff ff 00 2a"))
    host.received(hex("09 05 03 00 41 42 43"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    comeBack(&host, Self.identity)
    #expect(try handles(host) == [16: 1])
  }

  /// What came before the key is the device's as well.
  @Test func `resolved with a key that comes on a later connection`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    host.notified([0x00, 71])
    #expect(try handles(host) == [16: 2])
  }

  /// Nothing tells that this one is the device's too.
  @Test func `not resolved with another device's key that comes on a later connection`() throws {
    var host = HostSide()
    connect(&host, hex("ab fb 0d 94 81 70"))
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    host.notified([0x00, 71])
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 1])
    #expect(!capture.conclusions.identities.areLate)
  }

  /// Keys are carried to captures that are read after this one.
  @Test func `resolved with a key from another capture`() throws {
    var first = HostSide()
    connect(&first, Self.identity)
    first.giveKey()
    first.discoverHeartRate()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    var second = HostSide()
    connect(&second, Self.address)
    second.notified([0x00, 70])
    #expect(try InferredCapture(second, knowledge).measurements == [16: 1])
  }

  /// A host knows a few; of many captures that are read one after another, all are remembered.
  @Test func `resolved though other captures held more keys than a host knows`() throws {
    var first = HostSide()
    for number in 0..<100 {
      let (identity, key) = ([UInt8(number)] + Self.identity.dropFirst(), [UInt8(number)] + Self.key.dropFirst())
      first.command(0x2027, [0x01] + identity + key + Array(repeating: 0, count: 16))
    }
    first.connected()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    var second = HostSide()
    second.command(0x2027, [0x01] + hex("ee 11 22 33 44 c5") + Self.key + Array(repeating: 0, count: 16))
    connect(&second, hex("ee 11 22 33 44 c5"))
    second.discoverHeartRate()
    second.disconnected()
    second.wait(milliseconds: 2000)
    connect(&second, Self.address)
    second.notified([0x00, 70])
    #expect(try InferredCapture(second, knowledge).measurements == [16: 1])
  }

  /// The same number, but a public address: another device.
  @Test func `what another capture told of a random address does not hold for a public one`() throws {
    var first = HostSide()
    connect(&first, Self.identity)
    first.discoverHeartRate()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    for (type, count) in [(UInt8(0), 0), (1, 1)] {
      var second = HostSide()
      second.leEvent(0x01, [0] + hex("40 00 00") + [type] + Self.identity + hex("18 00 00 00 48 00 00"))
      second.notified([0x00, 70])
      #expect(try InferredCapture(second, knowledge).measurements[16, default: 0] == count)
    }
  }

  @Test func `another device's private address is not`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("ab fb 0d 94 81 70"))
    host.notified([0x00, 70])
    #expect(try handles(host).isEmpty)
  }
}
