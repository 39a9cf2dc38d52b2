import BluetoothHost
import CaptureFiles
import GATTKit
import Octets
import TestSupport
import Testing

@testable import CaptureAnalysis

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
