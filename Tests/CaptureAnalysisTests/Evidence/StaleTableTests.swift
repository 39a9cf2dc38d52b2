import BluetoothHost
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Tables that are of another time: the sensor's firmware has moved its measurement since, and what comes now shows it.
@Suite struct `A table of another time` {
  private static let peer = DeviceAddress(0xC544_3322_1101, .random)

  /// What a table has, beside its measurement at 42.
  private func table(_ there: BluetoothUUID?, at handle: UInt16 = 16) -> GATTDatabase {
    var database = GATTDatabase()
    if let there {
      database.insertService(handle - 6...handle + 1, uuid: .batteryService, isPrimary: true)
      database.insertCharacteristic(declaration: handle - 1, valueHandle: handle, properties: .notify, uuid: there)
    }
    database.insertService(40...45, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 41, valueHandle: 42, properties: .notify, uuid: .heartRateMeasurement)
    return database
  }

  private func measurements(_ host: HostSide, beside database: GATTDatabase) throws -> [UInt16: Int] {
    let known = CaptureKnowledge.PeerDatabase(address: Self.peer, database: database, origin: .imported)
    return try InferredCapture(host, CaptureKnowledge(databases: [known])).measurements
  }

  /// What comes cannot be what such a table has there. What is no measurement does not bear the table out either.
  @Test(
    arguments: [
      (.batteryLevel, nil, true), (BluetoothUUID(0x2A5B), nil, true), (BluetoothUUID(0x2A53), [0x5A], true),
      (nil, [0x5A], true), (.heartRateControlPoint, nil, false), (.heartRateControlPoint, [0x5A], true),
      (.batteryLevel, [0x00, 70], false),
    ] as [(BluetoothUUID?, [UInt8]?, Bool)])
  func `is denied by what comes`(there: BluetoothUUID?, fromOld: [UInt8]?, isFound: Bool) throws {
    var host = HostSide()
    host.connected()
    if let fromOld { host.notified(attribute: 42, fromOld) }
    host.stream(seconds: 20, strap)
    if let fromOld { host.notified(attribute: 42, fromOld) }
    let found = try measurements(host, beside: table(there))
    #expect(found == (isFound ? [16: 20] : fromOld == nil ? [:] : [42: 2]))
  }

  /// Without contact, without flags, malformed: of no more than that, nothing would be made.
  @Test(arguments: ["04 00", "00 50", "16 50 00"]) func `is denied though the first value tells little`(
    first: String
  ) throws {
    var host = HostSide()
    host.connected()
    host.notified(hex(first))
    host.wait(milliseconds: 980)
    host.stream(seconds: 30, strap)
    #expect(try measurements(host, beside: table(.batteryLevel)) == [16: 31])
  }

  /// The server says that its table has changed, and nobody discovers it, as far as the capture shows.
  @Test(arguments: [nil, [0x02, 0x00, 0x00, 0x00, 0x00]] as [[UInt8]?])
  func `is denied behind Service Changed`(fromOld: [UInt8]?) throws {
    var host = HostSide()
    host.connected()
    host.received(hex("1d 08 00 01 00 ff ff"))
    host.sent([0x1E])
    for second in 0..<20 {
      host.notified(strap(second))
      if let fromOld { host.notified(attribute: 42, fromOld) }
      host.wait(milliseconds: 970)
    }
    var database = table(.batteryLevel)
    database.insertService(6...9, uuid: BluetoothUUID(0x1801), isPrimary: true)
    database.insertCharacteristic(declaration: 7, valueHandle: 8, properties: .indicate, uuid: .serviceChanged)
    #expect(try measurements(host, beside: database) == [16: 20])
  }

  /// An earlier connection of the same capture has looked for the heart rate service alone; a battery's level comes now
  /// where its measurement was, before or behind each rate.
  @Test(arguments: [nil, true, false]) func `is of an earlier connection`(comesFirst: Bool?) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.disconnected()
    host.connected()
    for second in 0..<20 {
      if comesFirst == true { host.notified(attribute: 16, [0x5A]) }
      host.notified(attribute: 45, strap(second))
      if comesFirst == false { host.notified(attribute: 16, [0x5A]) }
      host.wait(milliseconds: 970)
    }
    #expect(try InferredCapture(host).measurements == [45: 20])
  }

  /// Of a UINT16 the second octet is gone, and the length tells.
  @Test(arguments: [14, 15]) func `is denied by what is cut`(kept: Int) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 30) { second in
      let value = strap(second)
      return [0x17, value[1], 0] + value[2...]
    }
    host.keepOnly(kept)
    #expect(try measurements(host, beside: table(.batteryLevel)) == [16: 30])
  }

  /// A capture cannot be read again: what was taken so far stays so, and no more of it comes.
  @Test func `is put away where what comes denies it later`() throws {
    var host = HostSide()
    host.connected()
    host.stream(attribute: 60, seconds: 20, strap)
    for _ in 0..<5 { host.notified(attribute: 42, [0x5A]) }
    var knowledge = CaptureKnowledge(databases: [
      CaptureKnowledge.PeerDatabase(address: Self.peer, database: table(nil), origin: .imported)
    ])
    knowledge.concludesAtOnce = true
    var handles: [UInt16: Int] = [:]
    var analyzer = Analyzer(
      into: EventForwarder(
        selection: .all, { if let rate = $0.content.heartRate { handles[rate.handle, default: 0] += 1 } }),
      knowing: knowledge)
    let octets = ContiguousArray(host.file())
    _ = try analyzer.read(octets.span, isLast: true)
    #expect(handles == [60: 12])
  }

  /// Two captures tell of two firmwares: no table has some of each.
  @Test func `is not mixed with another`() {
    var (old, new) = (Conclusions(), Conclusions())
    old.peers = [Self.peer: table(.batteryLevel)]
    var other = GATTDatabase()
    other.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    other.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    other.insertService(50...53, uuid: .batteryService, isPrimary: true)
    new.peers = [Self.peer: other]
    #expect(!table(.batteryLevel).agrees(with: other) && other.agrees(with: other))
    old.fillIn(from: new)
    #expect(old.peers[Self.peer]?.type(of: 42) == .heartRateMeasurement)
    #expect(old.peers[Self.peer]?.serviceType(at: 50) == nil)
  }
}
