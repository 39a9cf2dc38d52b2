import BluetoothHost
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Heart rates whose attributes nothing in the capture tells, but a table that was known before.
@Suite struct `Measurements of known tables` {
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
}
