import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Every recorded capture against what its scenario says happened.
@Suite struct `Samples` {
  /// The connections that a capture ought to show, beside what was found.
  private func connections(_ sample: Sample) throws -> [(found: AnalyzedConnection, truth: Truth.Connection)] {
    let found = try Analysis(sample.octets).connections
    #expect(found.count == sample.truth.connections.count)
    return Array(zip(found, sample.truth.connections))
  }

  @Test(arguments: Sample.all)
  func `are read whole`(sample: Sample) throws {
    let analysis = try Analysis(sample.octets)
    #expect(analysis.facts.progress.isComplete)
    #expect(analysis.facts.truncatedRecords == 0 && analysis.facts.droppedRecords == 0)
    #expect(analysis.facts.packets > 0 && analysis.facts.packets <= analysis.facts.records)
    let first = try #require(analysis.facts.firstTime)
    let last = try #require(analysis.facts.lastTime)
    #expect(first < last)
    #expect(analysis.events.allSatisfy { $0.frame >= 1 && $0.frame <= analysis.facts.records })
    #expect(zip(analysis.events, analysis.events.dropFirst()).allSatisfy { $0.frame <= $1.frame })
    #expect(analysis.connections.allSatisfy { $0.malformed.isEmpty })
  }

  /// Raw octets, length, rate, contact, energy, intervals and error of every measurement, in order.
  @Test(arguments: Sample.all)
  func `hold the measurements that were sent`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      #expect(found.measurements.count == truth.measurements.count)
      for (index, (event, measurement)) in zip(found.measurements, truth.measurements).enumerated() {
        #expect(Truth.Measurement(event) == measurement, "measurement \(index)")
        #expect(event.handle == truth.measurementHandle)
        #expect(event.reading.rrCount == nil || event.reading.rrCount == measurement.rr?.count)
      }
    }
  }

  @Test(arguments: Sample.all)
  func `hold the connections that were made`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      let connected = try #require(found.connected)
      #expect(connected.handle == truth.handle && connected.wasSeen)
      #expect(connected.role.map { "\($0)" } == truth.role)
      let peer = try #require(found.peer?.address)
      #expect("\(peer)" == truth.peer.address && "\(peer.kind)" == truth.peer.addressType)
      #expect(found.disconnections.count == 1)
      let reason: UInt8? = found.disconnections.first.flatMap { $0?.rawValue }
      #expect(reason == truth.closedReason)
      #expect(found.isEncrypted == truth.encrypted)
    }
  }

  /// The sensor's name, from its advertising or what was read of it.
  @Test(arguments: Sample.all.filter { sample in sample.truth.connections.allSatisfy { $0.role == "central" } })
  func `tell who the sensors are`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      let text = { (uuid: BluetoothUUID) in found.lastValue(uuid).map { String(decoding: $0, as: UTF8.self) } }
      let name = found.peer?.name ?? text(.deviceName)
      #expect(name == truth.peer.name)
      guard truth.discovered else { continue }
      #expect(text(.manufacturerNameString) == truth.peer.manufacturer)
      #expect(text(.modelNumberString) == truth.peer.model)
      #expect(text(.firmwareRevisionString) == truth.peer.firmware)
      #expect(found.lastValue(.batteryLevel)?.first == truth.peer.batteryPercent)
      #expect(found.lastValue(.bodySensorLocation)?.first == truth.location?.value)
    }
  }

  /// Without an exchange it is 23, of which no event tells.
  @Test(arguments: Sample.all)
  func `agree on an MTU`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      #expect(found.mtu ?? 23 == truth.attMtu)
    }
  }

  /// Service by service, characteristic by characteristic, with handles, properties and descriptors.
  @Test(arguments: Sample.all)
  func `hold the sensor's database`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      let databases = try #require(found.databases)
      let database = truth.role == "central" ? databases.peer : databases.local
      #expect(database.services.map(Truth.Service.init) == truth.services)
    }
  }

  @Test(arguments: Sample.all)
  func `hold the handles of the heart rate service`(sample: Sample) throws {
    for (found, truth) in try connections(sample) {
      let databases = try #require(found.databases)
      let database = truth.role == "central" ? databases.peer : databases.local
      let measurement = try #require(database.characteristics(.heartRateMeasurement).first)
      #expect(measurement.valueHandle == truth.measurementHandle)
      #expect(
        measurement.descriptors.first { $0.uuid == .clientCharacteristicConfiguration }?.handle == truth.cccdHandle)
      #expect(database.characteristics(.bodySensorLocation).first?.valueHandle == truth.locationHandle)
      // In the second connection of "pairing" the sensor remembers, and nothing is written.
      for subscription in found.subscriptions where subscription.uuid == .heartRateMeasurement {
        #expect(subscription.handle == truth.cccdHandle && subscription.valueHandle == truth.measurementHandle)
        #expect(subscription.configuration == .notification)
      }
    }
  }

  @Test(arguments: Sample.all)
  func `say the same in pieces`(sample: Sample) throws {
    let octets = try sample.octets
    let whole = try Analysis(octets).events.map(Trace.init)
    for delivery in [.pieces(1), .pieces(7), .pieces(4096)] as [Delivery] {
      #expect(try Analysis(octets, delivery).events.map(Trace.init) == whole)
    }
  }

  /// btsnoop's usual packets go a shorter way than those of other files: they must tell the same, whatever else is heard
  /// between them.
  @Test func `say the same by the short way and the long one`() throws {
    for octets in try Sample.all.map({ try $0.octets }) + FaultSample.all.map({ try $0.octets }) {
      let records = try ReadCapture(octets).records.filter(\.content.isPacket)
      // What was sent is counted from the first data on.
      guard let firstData = records.firstIndex(where: { $0.content == .aclData }) else { continue }
      var packets: [CapturedPacket] = []
      for (place, record) in records.enumerated() {
        packets.append(
          CapturedPacket(record.content, record.direction ?? .received, record.octets, time: record.time))
        guard place >= firstData else { continue }
        let (heard, kept) = Self.chatter[place % Self.chatter.count]
        packets.append(CapturedPacket(.event, .received, heard, kept: kept, time: record.time))
      }
      let short = try Analysis(Container.btsnoopH4.file(packets)).events.map { Trace($0, tellsOffsets: false) }
      let long = try Analysis(Container.pcapDirection.file(packets)).events.map { Trace($0, tellsOffsets: false) }
      #expect(long == short)
      #expect(!short.isEmpty)
    }
  }

  /// Events that say nothing of the connections of a sample, or just a little: a beacon, legacy and extended; two in one
  /// event; one with a name; one of a heart rate sensor; one that is not all there; packets that were sent on handles
  /// used and not used, on two at once, more than there were; and what is no event at all.
  private static let chatter: [(octets: [UInt8], kept: Int?)] = [
    (hex("3e 16 02 01 03 01 aa bb cc dd ee 4c 0a 02 01 06 06 ff 4c 00 10 02 0b c4"), nil),
    (
      hex(
        "3e 24 0d 01 13 00 01 aa bb cc dd ee 4c 01 00 ff 7f c4 00 00 00 00 00 00 00 00 00 0a 02 01 06 06 ff 4c 00 10 02 0b"
      ), nil
    ),
    (hex("3e 1a 02 02 03 01 aa bb cc dd ee 4c 02 01 06 c4 03 01 aa bb cc dd ee 4d 02 0a 00 c3"), nil),
    (hex("3e 10 02 01 04 01 aa bb cc dd ee 4e 04 03 09 48 52 c4"), nil),
    (hex("3e 10 02 01 00 01 aa bb cc dd ee 4f 04 03 03 0d 18 c4"), nil),
    (hex("3e 16 02 01 03 01 aa bb cc dd ee 4c 0a 02 01 06 06 ff 4c 00 10 02 0b c4"), 12),
    (hex("13 05 01 40 00 01 00"), nil),
    (hex("13 05 01 ff 0e 01 00"), nil),
    (hex("13 09 02 40 00 00 00 41 00 00 00"), nil),
    (hex("13 05 01 40 00 09 00"), nil),
    (hex("13 02 01 40"), nil),
    (hex("13"), nil),
    (hex("3e 00"), nil),
  ]
}

extension Truth.Measurement {
  /// A measurement as the truth tells it.
  fileprivate init(_ event: HeartRateEvent) {
    let reading = event.reading
    self.init(
      raw: event.octets?.hexadecimal ?? "none", octets: event.length, bpm: reading.beatsPerMinute,
      contact: reading.contact.map {
        switch $0 {
        case .unsupported: "unsupported"
        case .notDetected: "not-detected"
        case .detected: "detected"
        }
      }, energyKj: reading.energyExpended, rr: reading.rrIntervals?.map(\.rawValue), error: reading.error != nil)
  }
}

extension Truth.Service {
  /// A service as the truth tells it.
  fileprivate init(_ service: GATTService) {
    self.init(
      uuid: service.uuid.map { "\($0)" } ?? "unknown", start: service.handles.lowerBound,
      end: service.handles.upperBound,
      characteristics: service.characteristics.map { characteristic in
        Truth.Characteristic(
          uuid: characteristic.uuid.map { "\($0)" } ?? "unknown", declaration: characteristic.declaration ?? 0,
          handle: characteristic.valueHandle, properties: characteristic.properties?.names ?? [],
          descriptors: characteristic.descriptors.map { Truth.Descriptor(uuid: "\($0.uuid)", handle: $0.handle) })
      })
  }
}

extension MalformedEvent {
  /// What is wrong, wherever it stands in the file.
  fileprivate var withoutOffset: Problem {
    guard case .field(var error) = problem else { return problem }
    error.offset = 0
    return .field(error)
  }
}

/// Where an event stands and what it carries, as far as that can be compared.
private struct Trace: Hashable {
  let frame: Int
  let time: Timestamp
  let connection: Int?
  let kind: EventKind
  let payload: AnyHashable?

  init(_ event: Event) { self.init(event, tellsOffsets: true) }

  /// - Parameter tellsOffsets: Whether it matters where in the file something stands.
  init(_ event: Event, tellsOffsets: Bool) {
    frame = event.frame
    time = event.time
    connection = event.connection
    kind = event.content.kind
    payload =
      switch event.content {
      case .connected(let event): event.peer
      case .peer(let peer): peer
      case .heartRate(let event): tellsOffsets ? event as AnyHashable : event.octets
      case .read(let value), .write(let value), .notification(let value), .indication(let value): value
      case .service(let event): event.range
      case .characteristic(let event): event.characteristic
      case .subscribed(let event), .unsubscribed(let event): event
      case .mtu(let event): event.mtu
      case .attError(let event): event
      case .malformed(let event): tellsOffsets ? event as AnyHashable : event.withoutOffset
      case .databases(let databases): databases
      case .disconnected(let event): event
      default: nil
      }
  }
}
