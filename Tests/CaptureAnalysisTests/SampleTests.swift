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

/// Where an event stands and what it carries, as far as that can be compared.
private struct Trace: Hashable {
  let frame: Int
  let time: Timestamp
  let connection: Int?
  let kind: EventKind
  let payload: AnyHashable?

  init(_ event: Event) {
    frame = event.frame
    time = event.time
    connection = event.connection
    kind = event.content.kind
    payload =
      switch event.content {
      case .connected(let event): event.peer
      case .peer(let peer): peer
      case .heartRate(let event): event
      case .read(let value), .write(let value), .notification(let value), .indication(let value): value
      case .service(let event): event.range
      case .characteristic(let event): event.characteristic
      case .subscribed(let event), .unsubscribed(let event): event
      case .mtu(let event): event.mtu
      case .attError(let event): event
      case .malformed(let event): event
      case .databases(let databases): databases
      case .disconnected(let event): event
      default: nil
      }
  }
}
