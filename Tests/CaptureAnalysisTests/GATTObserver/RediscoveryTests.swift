import BluetoothHost
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

extension HostSide {
  /// The table has changed: the handles of the heart rate service are another's, and it is from 20 to 25 now, with its
  /// measurement at 22.
  /// - Parameter first: The type of the first service, from 1 to 13.
  fileprivate mutating func discoverChangedTable(first: UInt16 = 0x1801) {
    sent(hex("10 01 00 ff ff 00 28"))
    received(hex("11 06 01 00 0d 00") + first.little + hex("0e 00 13 00 e0 fe 14 00 19 00 0d 18"))
    sent(hex("10 1a 00 ff ff 00 28"))
    received(hex("01 10 1a 00 0a"))
    sent(hex("08 0e 00 13 00 03 28"))
    received(hex("09 07 0f 00 10 10 00 f1 ff"))
    sent(hex("08 14 00 19 00 03 28"))
    received(hex("09 07 15 00 10 16 00 37 2a"))
  }

  /// Service Changed, 2A05, whose handle is not known. Core 6.0, Vol 3, Part G, 7.1.
  fileprivate mutating func serviceChanged() {
    received(hex("1d 0a 00 01 00 ff ff"))
    sent(hex("1e"))
  }

  /// The Database Hash, 2B2A, is read.
  fileprivate mutating func readHash(_ octet: UInt8) {
    sent(hex("08 01 00 ff ff 2a 2b"))
    received(hex("09 12 0d 00") + Array(repeating: octet, count: 16))
  }

  fileprivate mutating func reconnect() {
    disconnected()
    wait(milliseconds: 3000)
    connected()
  }
}

/// What comes between a change of the table and its discovery is what the discovery says.
@Suite struct `Rediscovery` {
  private func measurements(_ build: (inout HostSide) -> Void) throws -> [UInt16: [UInt16]] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x06, 70])
    build(&host)
    return try InferredCapture(host).events.compactMap(\.content.heartRate).reduce(into: [:]) {
      $0[$1.handle, default: []].append($1.reading.beatsPerMinute ?? 0)
    }
  }

  /// A connection on which the measurement's declaration is discovered, and no service, or the measurement alone by its
  /// type, which can only be notified; or the one service, 14 to 21.
  private func characteristics(
    readsType: Bool = false, ofService: Bool = false, _ build: (inout HostSide) -> Void
  ) throws -> [UInt16: [UInt16]] {
    var host = HostSide()
    host.connected()
    if ofService {
      host.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      host.received(hex("07 0e 00 15 00"))
    }
    if readsType {
      host.sent(hex("08 01 00 ff ff 37 2a"))
      host.received(hex("01 08 10 00 02"))
    } else {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    }
    build(&host)
    return try InferredCapture(host).events.compactMap(\.content.heartRate).reduce(into: [:]) {
      $0[$1.handle, default: []].append($1.reading.beatsPerMinute ?? 0)
    }
  }

  /// What shows that the table has changed.
  enum Change: CaseIterable { case serviceChanged, databaseHash, otherConnection }

  @Test(arguments: Change.allCases)
  func `an old handle that is something else now`(change: Change) throws {
    let measurements = try measurements {
      switch change {
      case .serviceChanged: $0.serviceChanged()
      case .databaseHash:
        $0.readHash(1)
        $0.notified([0x06, 71])
        $0.readHash(2)
      case .otherConnection: $0.reconnect()
      }
      $0.notified([0x06, 99])
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
      $0.notified([0x06, 98])
    }
    #expect(measurements == [16: change == .databaseHash ? [70, 71] : [70], 22: [72]])
  }

  @Test func `an old handle that is Service Changed now`() throws {
    let measurements = try measurements {
      $0.serviceChanged()
      // As a measurement it would be one of 65,280 bpm, and indicated.
      $0.received(hex("1d 10 00 01 00 ff ff"))
      $0.sent(hex("1e"))
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements == [16: [70], 22: [72]])
  }

  /// Nothing is notified from where nothing is: the value was on its way.
  @Test func `an old handle that is none any more`() throws {
    let measurements = try measurements {
      $0.serviceChanged()
      $0.notified([0x06, 99])
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 01 00 0d 00 01 18 14 00 19 00 0d 18"))
      $0.sent(hex("10 1a 00 ff ff 00 28"))
      $0.received(hex("01 10 1a 00 0a"))
    }
    #expect(measurements == [16: [70, 99]])
  }

  enum Answer: CaseIterable { case groups, declarations, servicesByType }

  /// What lies behind what is passed over cannot be known of an answer in disorder.
  @Test(arguments: Answer.allCases)
  func `an answer in disorder denies nothing`(answer: Answer) throws {
    let measurements = try measurements {
      $0.reconnect()
      $0.notified([0x06, 71])
      switch answer {
      case .groups:
        $0.sent(hex("10 01 00 ff ff 00 28"))
        $0.received(hex("11 06 14 00 19 00 0f 18 0e 00 13 00 0d 18"))
      case .declarations:
        $0.sent(hex("08 01 00 ff ff 03 28"))
        $0.received(hex("09 07 12 00 02 13 00 38 2a 05 00 02 06 00 00 2a"))
      case .servicesByType:
        $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
        $0.received(hex("07 14 00 19 00 0e 00 13 00"))
      }
      $0.notified([0x06, 72])
    }
    #expect(measurements == [16: [70, 71, 72]])
  }

  /// The table knows nothing there, and the values are heart rates as before.
  @Test func `what is in no table any more is told by its values`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.reconnect()
    host.stream(seconds: 20, strap)
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 0d 00 01 18 14 00 19 00 0f 18"))
    host.stream(seconds: 20, strap)
    #expect(try InferredCapture(host).measurements == [16: 40])
  }

  @Test func `a new handle that is a measurement now`() throws {
    let measurements = try measurements {
      $0.serviceChanged()
      $0.notified(attribute: 22, [0x06, 71])
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements == [16: [70], 22: [71, 72]])
  }

  /// The table of its time has the measurement elsewhere.
  @Test(arguments: [[0x06, 90], [0x97, 0xC0, 0x39]] as [[UInt8]])
  func `a value before the change that made its handle a measurement's`(value: [UInt8]) throws {
    let measurements = try measurements {
      $0.notified(attribute: 22, value)
      $0.serviceChanged()
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements == [16: [70], 22: [72]])
  }

  /// Two bearers have no order between them, and a server may have sent a value before it changed its table: where a level,
  /// a location or nothing is then, it was a heart rate. What a vendor's value looks like nobody knows.
  @Test(arguments: [
    ("0f 00 10 10 00 19 2a", true), ("0f 00 02 10 00 38 2a", true), ("10 00 10 11 00 19 2a", true),
    ("0f 00 10 10 00 f1 ff", false),
  ]) func `a value that was on its way when the table changed`(declared: String, isMeasurement: Bool) throws {
    let measurements = try measurements {
      $0.serviceChanged()
      $0.notified([0x06, 71])
      $0.sent(hex("08 01 00 19 00 03 28"))
      $0.received(hex("09 07") + hex(declared) + hex("15 00 10 16 00 37 2a"))
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements == [16: isMeasurement ? [70, 71] : [70], 22: [72]])
  }

  @Test func `a value before its discovery, and a change after that`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x06, 69])
    host.discoverHeartRate()
    host.serviceChanged()
    host.discoverChangedTable()
    host.notified(attribute: 22, [0x06, 72])
    let rates = try InferredCapture(host).events.compactMap(\.content.heartRate?.reading.beatsPerMinute)
    #expect(rates == [69, 72])
  }

  /// Where what was known of a server lies is given away once nothing is: how often its table changed is not the next one's.
  @Test func `a change is its own server's`() throws {
    var host = HostSide()
    func connect(_ peer: UInt8, _ say: (inout HostSide) -> Void) {
      host.connected(peer: peer)
      say(&host)
      host.disconnected()
      host.wait(milliseconds: 3000)
    }
    connect(1) { $0.stream(seconds: 20, strap) }
    connect(2) { $0.serviceChanged() }
    connect(3) { $0.sent(hex("02 05 02")) }
    connect(1) { $0.discoverChangedTable() }
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  /// A client that has subscribed by what an earlier connection told, and been sent a minute of heart rates, was right, though
  /// another table is discovered then and nothing tells of the change. Of a few values nobody knows.
  @Test(arguments: [(60, 61), (5, 1)]) func `what measured all the time did so`(seconds: Int, count: Int) throws {
    let measurements = try measurements {
      $0.reconnect()
      $0.write(attribute: 17, [1, 0])
      $0.stream(seconds: seconds, strap)
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements[16]?.count == count && measurements[22] == [72])
  }

  /// Data may come before the making of their connection: whose they are, that tells, and what they are, what was known then.
  @Test(arguments: [1, 5]) func `values before the making, and a change later`(count: Int) throws {
    let measurements = try measurements { host in
      host.disconnected()
      host.wait(milliseconds: 60_000)
      for _ in 0..<count { host.notified([0x06, 71]) }
      host.connected()
      host.notified([0x06, 72])
      host.serviceChanged()
      host.discoverChangedTable()
      host.notified(attribute: 22, [0x06, 73])
    }
    #expect(measurements == [16: [70] + Array(repeating: 71, count: count) + [72], 22: [73]])
  }

  @Test func `each change has its own`() throws {
    let measurements = try measurements {
      $0.serviceChanged()
      $0.notified([0x06, 99])
      $0.discoverChangedTable()
      $0.serviceChanged()
      $0.notified([0x06, 71])
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 01 00 0d 00 01 18 0e 00 13 00 0d 18"))
      $0.discoverHeartRate()
      $0.serviceChanged()
      $0.notified([0x06, 72])
    }
    #expect(measurements == [16: [70, 71, 72]])
  }

  /// The first discovery behind a value tells what it was, and no later table.
  @Test(arguments: [true, false])
  func `a value before the first of two discoveries`(isMeasurementFirst: Bool) throws {
    var host = HostSide()
    host.connected()
    host.notified([0x06, 80])
    host.sent(hex("08 01 00 13 00 03 28"))
    host.received(
      hex("09 07 09 00 20 0a 00 05 2a 0f 00 10 10 00") + (isMeasurementFirst ? hex("37 2a") : hex("6e 2a")))
    host.notified([0x06, 81])
    // Another attribute is one that notified before it was known, in the last table: that brings the table forward.
    host.notified(attribute: 22, [0x06, 60])
    host.serviceChanged()
    host.sent(hex("08 01 00 19 00 03 28"))
    host.received(
      hex("09 07 09 00 20 0a 00 05 2a 0f 00 10 10 00") + (isMeasurementFirst ? hex("6e 2a") : hex("37 2a"))
        + hex("15 00 10 16 00 37 2a"))
    host.notified([0x06, 82])
    let measurements = try InferredCapture(host).events.compactMap(\.content.heartRate)
    #expect(
      measurements.filter { $0.handle == 16 }.map(\.reading.beatsPerMinute) == (isMeasurementFirst ? [80, 81] : [82]))
  }

  /// Twenty heart rates from handle 16, and behind a change a discovery that tells a characteristic there, and the
  /// measurement at 22.
  private func inferred(
    before change: (inout HostSide) -> Void, to declared: String, withoutIntervals isBare: Bool = false
  ) throws -> [UInt16: Int] {
    var host = HostSide()
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + hex("0a 05 09 48 52 4d 31 03 03 0d 18 c0"))
    host.connected()
    host.stream(seconds: 20) { isBare ? [0x06, strap($0)[1]] : strap($0) }
    change(&host)
    host.sent(hex("08 01 00 19 00 03 28"))
    host.received(hex("09 07") + hex(declared) + hex("15 00 10 16 00 37 2a"))
    host.notified(attribute: 22, [0x06, 72])
    return try InferredCapture(host).measurements
  }

  /// A client that remembers the table does not discover it, until it is told that it has changed: what is where the
  /// measurement was then says little, even a characteristic that notifies with a format of its own, if RR-Intervals fit.
  @Test(arguments: [
    ("a vendor's", "0f 00 10 10 00 f1 ff", true), ("nothing", "0e 00 02 0f 00 f1 ff", true),
    ("a location", "0f 00 02 10 00 38 2a", true), ("a battery level", "0f 00 10 10 00 19 2a", false),
    ("a battery level that is read", "0f 00 02 10 00 19 2a", true),
  ])
  func `inferred before a change that moves the measurement`(now: String, declared: String, isLikely: Bool) throws {
    let fitting = try inferred(before: { $0.serviceChanged() }, to: declared)
    #expect(fitting == [16: 20, 22: 1])
    let others = try inferred(before: { $0.serviceChanged() }, to: declared, withoutIntervals: true)
    #expect(others == (isLikely ? [16: 20, 22: 1] : [22: 1]))
  }

  /// A client asks for the types of all attributes first, and reads then which services they are: where the measurement is
  /// now, an earlier table had another service.
  @Test(arguments: [true, false]) func `by the types of all attributes`(isTold: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("11 06 16 00 19 00 0f 18"))
    host.sent(hex("08 16 00 19 00 03 28"))
    host.received(hex("09 07 17 00 12 18 00 19 2a"))
    if isTold { host.serviceChanged() } else { host.reconnect() }
    host.sent(hex("04 0e 00 ff ff"))
    host.received(hex("05 01 16 00 00 28 17 00 03 28 18 00 37 2a 19 00 02 29"))
    host.sent(hex("0a 16 00"))
    host.received(hex("0b 0d 18"))
    host.write(attribute: 25, [1, 0])
    host.notified(attribute: 24, [0x00, 72])
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [24: 1])
    let subscribed = capture.events.compactMap { event in
      if case .subscribed(let subscription) = event.content { subscription.valueHandle } else { nil }
    }
    #expect(subscribed == [24])
  }

  /// Nobody says that the table has changed, but from where heart rates came, nothing can be notified any more, or what
  /// looks otherwise. What a vendor's looks like nobody knows.
  @Test(arguments: [
    ("0f 00 02 10 00 38 2a", true), ("0f 00 10 10 00 19 2a", true), ("0e 00 02 0f 00 38 2a", true),
    ("0f 00 10 10 00 f1 ff", false),
  ])
  func `inferred before an unseen change that moves the measurement`(declared: String, isMeasurement: Bool) throws {
    let measurements = try inferred(before: { $0.reconnect() }, to: declared)
    #expect(measurements == (isMeasurement ? [16: 20, 22: 1] : [22: 1]))
  }

  /// What has the handle after the change is nobody's measurement unless its values say so.
  @Test(arguments: [true, false])
  func `inferred before a change behind which something else has the handle`(isOther: Bool) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 20, strap)
    host.serviceChanged()
    host.stream(seconds: 20) { isOther ? [0x55, UInt8($0), 3, 4, 5] : strap($0) }
    #expect(try InferredCapture(host).measurements == [16: isOther ? 20 : 40])
  }

  /// That an indication was one of Service Changed, 2A05, may come to light behind it: what came before it is told by
  /// the table of an earlier connection.
  @Test(arguments: [true, false])
  func `values before a change that is known as one only later`(isServiceChanged: Bool) throws {
    let measurements = try measurements {
      $0.reconnect()
      $0.notified([0x06, 71])
      // Handles 14 to 25.
      $0.received(hex("1d 0a 00 0e 00 19 00"))
      $0.sent(hex("1e"))
      $0.notified([0x06, 99])
      $0.discoverChangedTable(first: isServiceChanged ? 0x1801 : 0x180F)
      $0.sent(hex("08 01 00 0d 00 03 28"))
      $0.received(hex("09 07 09 00 20 0a 00") + (isServiceChanged ? hex("05 2a") : hex("19 2a")))
      $0.notified(attribute: 22, [0x06, 72])
      $0.notified([0x06, 98])
    }
    #expect(measurements == [16: isServiceChanged ? [70, 71] : [70], 22: [72]])
  }

  /// The services that a client asks for.
  enum Asked: CaseIterable { case changedServices, allServices, gattService }

  /// A client that remembers the table asks for just those services that have changed, and not for Service Changed, or
  /// for all services and not for what is in each.
  @Test(arguments: Asked.allCases)
  func `values before a change that its discovery shows`(asked: Asked) throws {
    let measurements = try measurements {
      $0.reconnect()
      $0.notified([0x06, 71])
      // Handles 14 to 25.
      $0.received(hex("1d 0a 00 0e 00 19 00"))
      $0.sent(hex("1e"))
      $0.notified([0x06, 99])
      $0.sent(hex(asked == .changedServices ? "10 0e 00 19 00 00 28" : "10 01 00 ff ff 00 28"))
      if asked == .gattService {
        $0.received(hex("11 06 08 00 0b 00 01 18"))
        $0.sent(hex("10 0c 00 ff ff 00 28"))
      }
      $0.received(hex("11 06 0e 00 13 00 e0 fe 14 00 19 00 0d 18"))
      $0.sent(hex("08 0e 00 13 00 03 28"))
      $0.received(hex("09 07 0f 00 10 10 00 f1 ff"))
      $0.sent(hex("08 14 00 19 00 03 28"))
      $0.received(hex("09 07 15 00 10 16 00 37 2a"))
      $0.notified(attribute: 22, [0x06, 72])
      $0.notified([0x06, 98])
    }
    #expect(measurements == [16: [70, 71], 22: [72]])
  }

  @Test func `what tells of a change is no finding when it is known for what it was`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.reconnect()
    host.notified([0x06, 71])
    host.received(hex("1d 0a 00 0e 00 19 00"))
    host.sent(hex("1e"))
    host.discoverChangedTable()
    host.sent(hex("08 01 00 0d 00 03 28"))
    host.received(hex("09 07 09 00 20 0a 00 05 2a"))
    let told = try InferredCapture(host).events.compactMap { event -> BluetoothUUID? in
      guard case .dialogue(.pdu(let pdu)) = event.content, pdu.octets.first == 0x1D else { return nil }
      return pdu.attribute?.uuid
    }
    #expect(told == [.serviceChanged])
  }

  /// Of a table whose attributes were told without services, what lies in the service that holds Service Changed now is
  /// past: what comes between two changes is told by the table of its time.
  @Test(arguments: [true, false])
  func `Service Changed where something else stood`(tellsDeclarations: Bool) throws {
    var host = HostSide()
    host.connected()
    if tellsDeclarations {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 07 02 00 20 03 00 05 2a 06 00 30 07 00 01 ff 0a 00 10 0b 00 37 2a"))
    } else {
      host.sent(hex("04 01 00 ff ff"))
      host.received(hex("05 01 01 00 00 28 02 00 03 28 03 00 05 2a 04 00 02 29"))
      host.sent(hex("04 05 00 ff ff"))
      host.received(hex("05 01 05 00 00 28 06 00 03 28 07 00 01 ff 08 00 02 29"))
      host.sent(hex("04 09 00 ff ff"))
      host.received(hex("05 01 09 00 00 28 0a 00 03 28 0b 00 37 2a 0c 00 02 29"))
    }
    host.notified(attribute: 11, [0x06, 70])
    host.received(hex("1d 03 00 01 00 ff ff"))
    host.sent(hex("1e"))
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 04 00 0d 18 05 00 08 00 01 18"))
    host.sent(hex("10 09 00 ff ff 00 28"))
    host.received(hex("01 10 09 00 0a"))
    host.sent(hex("08 01 00 04 00 03 28"))
    host.received(hex("09 07 02 00 10 03 00 37 2a"))
    host.reconnect()
    host.notified(attribute: 3, [0x06, 71])
    host.received(hex("1d 07 00 01 00 ff ff"))
    host.sent(hex("1e"))
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 08 00 01 18 10 00 13 00 0d 18"))
    host.sent(hex("08 01 00 08 00 03 28"))
    host.received(hex("09 07 02 00 20 03 00 05 2a"))
    host.sent(hex("08 10 00 13 00 03 28"))
    host.received(hex("09 07 11 00 10 12 00 37 2a"))
    host.notified(attribute: 18, [0x06, 72])
    #expect(try InferredCapture(host).measurements == [11: 1, 3: 1, 18: 1])
  }

  /// What told the table that had a declaration there.
  enum Told: CaseIterable { case information, declarations, informationOfKnownValue, informationOfService }

  /// Where the table had a declaration before, there may be a configuration now, which clients write though they have not
  /// discovered it.
  @Test(arguments: Told.allCases)
  func `a configuration where a declaration stood`(told: Told) throws {
    var host = HostSide()
    host.connected()
    if told == .informationOfKnownValue {
      host.sent(hex("08 01 00 ff ff 01 2a"))
      host.received(hex("09 04 35 00 40 03"))
    }
    switch told {
    case .informationOfService:
      host.sent(hex("04 31 00 35 00"))
      host.received(hex("05 01 31 00 00 28 32 00 03 28 33 00 00 2a 34 00 00 28 35 00 03 28"))
    case .declarations:
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 07 32 00 02 33 00 00 2a 34 00 02 35 00 01 2a"))
    case .information, .informationOfKnownValue:
      host.sent(hex("04 31 00 35 00"))
      host.received(hex("05 01 31 00 00 28 32 00 03 28 33 00 00 2a 34 00 03 28 35 00 01 2a"))
    }
    host.reconnect()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 31 00 3e 00 0d 18"))
    host.sent(hex("08 31 00 3e 00 03 28"))
    host.received(hex("09 07 32 00 10 33 00 37 2a 36 00 02 37 00 38 2a"))
    host.sent(hex("12 34 00 01 00"))
    host.received(hex("13"))
    host.notified(attribute: 0x33, [0x06, 70])
    let connection = try #require(try Analysis(host.file()).connections.last)
    #expect(connection.subscriptions.map(\.handle) == [0x34])
    #expect(try host.findings().isEmpty)
  }

  /// A client that is told of a service up to the last handle asks for none behind it.
  @Test func `a service that reaches to the end leaves no older one behind it`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18 20 00 25 00 0f 18"))
    host.reconnect()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 05 00 00 18 0e 00 ff ff 0d 18"))
    let services = try #require(try Analysis(host.file()).connections.last?.databases?.peer.services)
    #expect(services.map(\.uuid) == [.gapService, .heartRateService])
  }

  /// Where a service ended before its table changed says nothing of where it ends now.
  @Test(arguments: [true, false], [true, false])
  func `a service that reaches to the end now has all that is there`(isByType: Bool, isTold: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.reconnect()
    if isTold { host.serviceChanged() }
    if isByType {
      host.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      host.received(hex("07 0e 00 ff ff"))
    } else {
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 0e 00 ff ff 0d 18"))
    }
    host.sent(hex("08 0e 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 02 10 00 38 2a 1e 00 10 1f 00 37 2a"))
    host.sent(hex("08 1f 00 ff ff 03 28"))
    host.received(hex("01 08 1f 00 0a"))
    let services = try #require(try Analysis(host.file()).connections.last?.databases?.peer.services)
    #expect(services.map(\.uuid) == [.heartRateService])
    #expect(services.map(\.handles) == [14...0xFFFF])
    #expect(services.first?.characteristics.map(\.valueHandle) == [16, 31])
  }

  /// In one discovery, what is told more exactly holds. Core 6.0, Vol 3, Part F, 3.4.3.4.
  @Test func `a service whose end is told twice on one connection`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("06 01 00 ff ff 00 28 0d 18"))
    host.received(hex("07 0e 00 ff ff"))
    #expect(try Analysis(host.file()).connections.last?.databases?.peer.services.map(\.handles) == [14...19])
  }

  /// What is told of a table once is told again where another stands in its place.
  @Test(arguments: [true, false])
  func `what stands at handles that were told before is told`(hasMoved: Bool) throws {
    var host = HostSide()
    host.connected()
    func discover(_ first: String, _ second: String) {
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 06 00 \(first) 07 00 09 00 01 18"))
      host.sent(hex("08 01 00 06 00 03 28"))
      host.received(hex("09 07 02 00 12 03 00 \(second)"))
      host.sent(hex("08 07 00 09 00 03 28"))
      host.received(hex("09 07 08 00 20 09 00 05 2a"))
    }
    discover("0f 18", "19 2a")
    host.received(hex("1d 09 00 01 00 ff ff"))
    host.sent(hex("1e"))
    if hasMoved { discover("0d 18", "37 2a") } else { discover("0f 18", "19 2a") }
    host.wait(milliseconds: 20_000)
    host.disconnected()
    let events = try #require(try Analysis(host.file()).connections.first).events.map(\.content)
    let services = events.compactMap { if case .service(let service) = $0 { service.uuid } else { nil } }
    let characteristics = events.compactMap {
      if case .characteristic(let found) = $0 { found.characteristic.uuid } else { nil }
    }
    #expect(services == [.batteryService, .gattService] + (hasMoved ? [.heartRateService] : []))
    #expect(characteristics == [.batteryLevel, .serviceChanged] + (hasMoved ? [.heartRateMeasurement] : []))
    let findings = try host.rules()
    #expect(findings.contains("never-subscribed") == hasMoved, "\(findings)")
  }

  /// A client that finds attributes alone, and then services, has them all.
  @Test func `a measurement that was found alone fits the heart rate service`() throws {
    let measurements = try characteristics {
      $0.notified([0x06, 70])
      $0.serviceChanged()
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 01 00 0d 00 01 18 0e 00 13 00 0d 18"))
      $0.notified([0x06, 71])
    }
    #expect(measurements == [16: [70, 71]])
  }

  /// What is discovered though nothing has changed.
  enum Repeated: CaseIterable { case nothing, everything, servicesAlone, anotherService }

  /// Most servers say that their table has changed though it has not.
  @Test(arguments: Repeated.allCases)
  func `nothing is lost where nothing has changed`(repeated: Repeated) throws {
    let measurements = try measurements {
      $0.serviceChanged()
      $0.notified([0x06, 71])
      switch repeated {
      case .nothing: break
      case .everything: $0.discoverHeartRate()
      case .servicesAlone:
        $0.sent(hex("10 01 00 ff ff 00 28"))
        $0.received(hex("11 06 01 00 0d 00 01 18 0e 00 13 00 0d 18"))
        $0.sent(hex("10 14 00 ff ff 00 28"))
        $0.received(hex("01 10 14 00 0a"))
      case .anotherService:
        $0.sent(hex("06 01 00 ff ff 00 28 0f 18"))
        $0.received(hex("07 20 00 23 00"))
      }
      $0.notified([0x06, 72])
      $0.reconnect()
      $0.notified([0x06, 73])
      $0.discoverHeartRate()
      $0.notified([0x06, 74])
    }
    #expect(measurements == [16: [70, 71, 72, 73, 74]])
  }

  /// What was found without its service is not the service's that turns out to have its handle, nor does it lie where
  /// no service is.
  @Test(arguments: [true, false], [true, false])
  func `an old handle whose service was never discovered`(isChangeTold: Bool, isInOtherService: Bool) throws {
    let measurements = try characteristics {
      $0.notified([0x06, 70])
      if isChangeTold { $0.serviceChanged() } else { $0.reconnect() }
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(
        hex("11 06 01 00 0d 00 01 18" + (isInOtherService ? " 0e 00 13 00 e0 fe" : "") + " 14 00 19 00 0d 18"))
      $0.sent(hex("10 1a 00 ff ff 00 28"))
      $0.received(hex("01 10 1a 00 0a"))
      $0.notified([0x06, 99])
      $0.sent(hex("08 14 00 19 00 03 28"))
      $0.received(hex("09 07 15 00 10 16 00 37 2a"))
      $0.notified(attribute: 22, [0x06, 72])
      $0.notified([0x06, 98])
    }
    #expect(measurements == [16: [70], 22: [72]])
  }

  /// Where the old handle lies, by the declarations that there are.
  enum Place: CaseIterable { case beforeFirst, behindLast, beforeFirstOnceReadByType }

  /// Between the declarations that a response holds there is no other; nor where none is found.
  @Test(arguments: Place.allCases)
  func `an old handle where no characteristic is declared any more`(where place: Place) throws {
    let measurements = try characteristics(readsType: place == .beforeFirstOnceReadByType) {
      $0.notified([0x06, 70])
      $0.reconnect()
      if place == .behindLast {
        $0.sent(hex("08 01 00 ff ff 03 28"))
        $0.received(hex("09 07 08 00 10 09 00 37 2a"))
        $0.sent(hex("08 09 00 ff ff 03 28"))
        $0.received(hex("01 08 09 00 0a"))
        $0.notified(attribute: 9, [0x06, 72])
      } else {
        $0.sent(hex("08 01 00 ff ff 03 28"))
        $0.received(hex("09 07 08 00 20 09 00 05 2a 15 00 10 16 00 37 2a"))
        $0.notified(attribute: 22, [0x06, 72])
      }
      $0.notified([0x06, 99])
    }
    #expect(measurements == [16: [70], place == .behindLast ? 9 : 22: [72]])
  }

  /// Some servers leave handles out between a declaration and its value: no less are the declarations all that there are.
  @Test(arguments: [true, false])
  func `an old handle beside a value that is far from its declaration`(wasFar: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 05 00 10") + (wasFar ? hex("09 00") : hex("06 00")) + hex("37 2a 0b 00 02 0c 00 38 2a"))
    host.notified(attribute: wasFar ? 9 : 6, [0x06, 70])
    host.reconnect()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 02 00 02 03 00 38 2a 04 00 10 07 00 37 2a 0d 00 12 0e 00 19 2a"))
    host.notified(attribute: 7, [0x06, 72])
    host.notified(attribute: wasFar ? 9 : 6, [0x06, 99])
    #expect(try InferredCapture(host).measurements == [wasFar ? 9 : 6: 1, 7: 1])
    let database = try #require(try Analysis(host.file()).connections.last?.databases?.peer)
    #expect(database.services.flatMap(\.characteristics).map(\.valueHandle) == [3, 7, 14])
  }

  /// What a server says has changed; or all has, and nothing is discovered then.
  enum Changed: CaseIterable { case everything, heartRateService, nothing, everythingUndiscovered }

  /// Behind a change of the table, what a client does not look for is not known any more, and its values have no name;
  /// measurements have, and what did not change.
  @Test(arguments: Changed.allCases)
  func `a service that is not discovered again after a change`(changed: Changed) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 01 00 0d 00 01 18 0e 00 13 00 0d 18 28 00 2b 00 0f 18"))
    host.sent(hex("08 01 00 2b 00 03 28"))
    host.received(hex("09 07 09 00 20 0a 00 05 2a 0f 00 10 10 00 37 2a 29 00 10 2a 00 19 2a"))
    host.reconnect()
    switch changed {
    case .nothing: break
    case .heartRateService: host.received(hex("1d 0a 00 0e 00 19 00"))
    case .everything, .everythingUndiscovered: host.serviceChanged()
    }
    if changed != .everythingUndiscovered {
      host.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      host.received(hex("07 0e 00 13 00"))
      host.sent(hex("06 14 00 ff ff 00 28 0d 18"))
      host.received(hex("01 06 14 00 0a"))
    }
    host.notified([0x06, 72])
    host.notified(attribute: 0x2A, [50])
    let connection = try #require(try Analysis(host.file()).connections.last)
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72])
    let names = connection.events.compactMap { event -> BluetoothUUID?? in
      if case .notification(let value) = event.content { .some(value.uuid) } else { nil }
    }
    #expect(names == [changed == .everything ? nil : .batteryLevel])
    let services = connection.databases?.peer.services.map(\.uuid)
    #expect(services == [.gattService, .heartRateService] + (changed == .everything ? [] : [.batteryService]))
  }

  /// Find By Type Value goes on until there are no more: what it does not tell is not there.
  @Test(arguments: [true, false])
  func `an old handle where no service of the type is any more`(hadService: Bool) throws {
    let measurements = try characteristics(ofService: hadService) {
      $0.notified([0x06, 70])
      $0.reconnect()
      $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      $0.received(hex("07 1d 00 22 00"))
      $0.sent(hex("06 23 00 ff ff 00 28 0d 18"))
      $0.received(hex("01 06 23 00 0a"))
      $0.sent(hex("08 1d 00 22 00 03 28"))
      $0.received(hex("09 07 1e 00 10 1f 00 37 2a"))
      $0.notified(attribute: 0x1F, [0x06, 72])
      $0.notified([0x06, 99])
    }
    #expect(measurements == [16: [70], 0x1F: [72]])
  }

  /// A discovery that does not deny what was discovered before.
  enum Unrelated: CaseIterable {
    case servicesOfAnotherType, anotherService, behindIt, sameService, noServiceOfType, lostResponse, cutRequest
    case answerToNone
  }

  /// What a discovery does not pass over, or may have lost, it says nothing of.
  @Test(arguments: Unrelated.allCases)
  func `what is not denied goes on`(discovery: Unrelated) throws {
    let measurements = try characteristics {
      $0.reconnect()
      switch discovery {
      case .servicesOfAnotherType:
        $0.sent(hex("06 01 00 ff ff 00 28 0f 18"))
        $0.received(hex("07 20 00 23 00"))
        $0.sent(hex("06 24 00 ff ff 00 28 0f 18"))
        $0.received(hex("01 06 24 00 0a"))
      case .anotherService:
        $0.sent(hex("08 20 00 23 00 03 28"))
        $0.received(hex("09 07 21 00 10 22 00 19 2a"))
      case .behindIt:
        // The declaration before 0x0010 may be its own.
        $0.sent(hex("08 10 00 ff ff 03 28"))
        $0.received(hex("01 08 10 00 0a"))
        $0.sent(hex("10 10 00 ff ff 00 28"))
        $0.received(hex("01 10 10 00 0a"))
      case .sameService:
        $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
        $0.received(hex("07 0e 00 13 00"))
      case .noServiceOfType:
        $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
        $0.received(hex("01 06 01 00 0a"))
      case .lostResponse:
        $0.sent(hex("08 01 00 ff ff 03 28"))
        $0.sent(hex("08 14 00 ff ff 03 28"))
        $0.received(hex("09 07 21 00 10 22 00 19 2a"))
      case .cutRequest:
        $0.keptACLOctets = 14
        // 2A03, of which 03 is left.
        $0.sent(hex("08 01 00 ff ff 03 2a"))
        $0.keptACLOctets = nil
        $0.received(hex("01 08 01 00 0a"))
      case .answerToNone: $0.received(hex("09 07 21 00 10 22 00 19 2a"))
      }
      $0.notified([0x06, 71])
    }
    #expect(measurements == [16: [71]])
  }

  /// Without a word of the server, what was discovered on a connection holds until it is discovered anew.
  @Test func `a second discovery on the same connection takes nothing away`() throws {
    let measurements = try measurements {
      $0.notified([0x06, 71])
      $0.discoverChangedTable()
      $0.notified(attribute: 22, [0x06, 72])
    }
    #expect(measurements == [16: [70, 71], 22: [72]])
  }

  /// Other centrals of the same sensor discover for themselves.
  @Test func `what one central discovers says nothing of another's values`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.received(hex("08 0e 00 13 00 03 28"))
    host.sent(hex("09 07 0f 00 10 10 00 37 2a"))
    host.connected(0x41, peer: 2, isPeripheral: true)
    host.sent(on: 0x41, hex("1b 10 00 06 46"))
    host.received(hex("08 0e 00 13 00 03 28"))
    host.sent(hex("09 07 0f 00 10 10 00 f1 ff"))
    #expect(try InferredCapture(host).measurements == [16: 1])
  }
}

/// Where a handle is given to another connection at once, what comes between the two may be either's.
@Suite struct `Data between two connections` {
  /// The handles of each peer's measurements, by the last octet of its address.
  private func measurements(_ host: HostSide) throws -> [UInt64: [UInt16]] {
    var peers: [Int: UInt64] = [:]
    var measurements: [UInt64: [UInt16]] = [:]
    for event in try InferredCapture(host).events {
      guard let id = event.connection else { continue }
      if case .connected(let connected) = event.content { peers[id] = connected.peer.address.map { $0.number & 0xFF } }
    }
    for event in try InferredCapture(host).events {
      guard let measurement = event.content.heartRate else { continue }
      measurements[event.connection.flatMap { peers[$0] } ?? 0, default: []].append(
        measurement.reading.beatsPerMinute ?? 0)
    }
    return measurements
  }

  @Test(arguments: [
    // In milliseconds, from the end and to the beginning.
    (880, 0, true), (300, 100, true), (200, 400, false), (0, 0, false), (60, 0, false), (40, 500, false),
  ])
  func `belong to the nearer one`(silence: Int64, rest: Int64, isNext: Bool) throws {
    for peer in [1, 2] as [UInt8] {
      var host = HostSide()
      host.connected(peer: 1)
      host.discoverHeartRate()
      host.notified([0, 60])
      host.disconnected()
      host.wait(milliseconds: silence)
      host.notified([0, 61])
      host.notified([0, 62])
      host.wait(milliseconds: rest)
      host.connected(peer: peer)
      host.discoverHeartRate()
      host.notified([0, 63])
      let measurements = try measurements(host)
      #expect(
        measurements
          == (peer == 1 ? [1: [60, 61, 62, 63]] : isNext ? [1: [60], 2: [61, 62, 63]] : [1: [60, 61, 62], 2: [63]]))
    }
  }

  @Test func `late ones first, early ones then`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.disconnected()
    host.notified([0, 61])
    host.wait(milliseconds: 500)
    host.notified([0, 62])
    host.connected(peer: 2)
    host.discoverHeartRate()
    host.notified([0, 63])
    #expect(try measurements(host) == [1: [61], 2: [62, 63]])
  }

  /// A connection of another adapter begins between the two: the connections have other numbers when it is known whose the
  /// data are, and what was inferred on each must not be taken for what is on another.
  @Test func `early ones before another connection`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.disconnected()
    host.wait(milliseconds: 500)
    host.notified(attribute: 48, [0x01, 0x02])
    host.adapter = 1
    host.connected(0x50, peer: 3)
    host.adapter = 0
    host.connected(peer: 2)
    for second in 0..<30 {
      host.adapter = 1
      host.notified(on: 0x50, attribute: 48, strap(second))
      host.adapter = 0
      host.notified(attribute: 48, [0xA5, UInt8(second), 3])
      host.wait(milliseconds: 980)
    }
    let events = try InferredCapture(host.file(.btsnoopMonitor)).events
    let sensor = events.first { if case .connected(let event) = $0.content { event.adapter == 1 } else { false } }
    let measured = events.filter { $0.content.heartRate != nil }.map(\.connection)
    #expect(measured == Array(repeating: sensor?.connection, count: 30))
  }
}
