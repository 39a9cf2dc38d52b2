import BluetoothHost
import CaptureAnalysis
import GATTKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `gatt --format json` writes.
enum GATTMapJSON {
  static func databases(in octets: ContiguousArray<UInt8>) throws(ImportError) -> [CaptureKnowledge.PeerDatabase] {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(octets))
    } catch {
      throw ImportError("it is not what `hrsnoop gatt --format json` writes")
    }
    guard document.schema == "hrsnoop.gatt/1" else {
      throw ImportError("its schema is \(AirText.shown(document.schema, limit: 40)), not hrsnoop.gatt/1")
    }
    return document.captures.flatMap { $0.servers ?? [] }.filter { $0.server == "peer" }.flatMap { server in
      let database = server.database
      return server.addresses.map {
        CaptureKnowledge.PeerDatabase(address: $0, name: server.name, database: database, origin: .imported)
      }
    }
  }

  // The keys are the document's.

  private struct Document: Decodable {
    let schema: String
    let captures: [Capture]
  }

  private struct Capture: Decodable {
    let servers: [Server]?
  }

  private struct Server: Decodable {
    let server: String
    let address: String?
    let address_type: String?
    let identity: String?
    let identity_type: String?
    let name: String?
    let services: [Service]

    /// The lasting address, and the private one that it was found under: another capture may not tell whose that is. One
    /// that is nil where none is known.
    var addresses: [DeviceAddress?] {
      let lasting = identity.flatMap { Self.address($0, identity_type) }
      let used = address.flatMap { Self.address($0, address_type) }
      return lasting.map { [$0, used].filter { $0 != nil } } ?? [used]
    }

    private static func address(_ text: String, _ kind: String?) -> DeviceAddress? {
      DeviceAddress(text: text, kind == "public" ? .public : .random)
    }

    var database: GATTDatabase {
      var database = GATTDatabase()
      for service in services where service.start > 0 && service.start <= service.end {
        database.insertService(
          service.start...service.end, uuid: service.uuid.flatMap { BluetoothUUID($0) }, isPrimary: service.primary
        ) { _ in true }
        for include in service.includes ?? [] { include.insert(into: &database) }
        for characteristic in service.characteristics { characteristic.insert(into: &database) }
      }
      return database
    }
  }

  private struct Service: Decodable {
    let uuid: String?
    let start: UInt16
    let end: UInt16
    let primary: Bool?
    let includes: [Include]?
    let characteristics: [Characteristic]
  }

  private struct Include: Decodable {
    let handle: UInt16
    let start: UInt16
    let end: UInt16
    let uuid: String?

    func insert(into database: inout GATTDatabase) {
      guard handle > 0, start > 0, start <= end else { return }
      database.insertInclude(
        GATTInclude(handle: handle, service: start...end, uuid: uuid.flatMap { BluetoothUUID($0) }))
    }
  }

  private struct Characteristic: Decodable {
    let uuid: String?
    let declaration: UInt16?
    let handle: UInt16
    let properties: [String]?
    let descriptors: [Descriptor]

    func insert(into database: inout GATTDatabase) {
      guard handle > 0 else { return }
      database.insertCharacteristic(
        declaration: declaration, valueHandle: handle,
        properties: properties.map { CharacteristicProperties($0.compactMap { CharacteristicProperties(named: $0) }) },
        uuid: uuid.flatMap { BluetoothUUID($0) })
      for descriptor in descriptors {
        if let type = BluetoothUUID(descriptor.uuid) { database.insertAttribute(descriptor.handle, uuid: type) }
      }
    }
  }

  private struct Descriptor: Decodable {
    let uuid: String
    let handle: UInt16
  }
}
