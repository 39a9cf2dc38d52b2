import Foundation

/// A recorded capture, and what is known to have happened in it.
package struct Sample: Sendable, CustomStringConvertible {
  /// The file's name.
  package let name: String
  /// What happened, from the scenario's own model.
  package let truth: Truth

  package var description: String { name }

  /// The octets of the file.
  package var octets: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: Self.folder.appending(path: name))) }
  }

  /// The path of the file.
  package var path: String { Self.folder.appending(path: name).path }

  /// Every capture that has a truth.
  package static let all: [Sample] = {
    do { return try load() } catch { fatalError("the samples cannot be read: \(error)") }
  }()

  /// One sample; a name that does not exist is a mistake in the test.
  package static func named(_ name: String) -> Sample {
    guard let sample = all.first(where: { $0.name == name }) else { fatalError("there is no sample \(name)") }
    return sample
  }

  private static let folder = packageFolder.appending(path: "Samples")

  private static func load() throws -> [Sample] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try names.filter { $0.hasSuffix(".truth.json") }.flatMap { name in
      let truth = try decoder.decode(Truth.self, from: Data(contentsOf: folder.appending(path: name)))
      return truth.captures.map { Sample(name: $0, truth: truth) }
    }
  }
}

/// What happened in a scenario. Names and meanings are those of the samples' README.
package struct Truth: Decodable, Sendable {
  package let captures: [String]
  package let connections: [Connection]

  package struct Connection: Decodable, Sendable {
    package let handle: UInt16
    package let role: String
    package let peer: Peer
    package let discovered: Bool
    package let measurementHandle: UInt16
    package let cccdHandle: UInt16
    package let locationHandle: UInt16?
    package let location: Location?
    package let attMtu: UInt16?
    package let encrypted: Bool
    package let closedReason: UInt8?
    package let services: [Service]
    package let measurements: [Measurement]
  }

  package struct Peer: Decodable, Sendable {
    package let address: String
    package let addressType: String
    package let name: String?
    package let manufacturer: String?
    package let model: String?
    package let firmware: String?
    package let batteryPercent: UInt8?
  }

  package struct Location: Decodable, Sendable {
    package let value: UInt8
  }

  package struct Service: Decodable, Hashable, Sendable {
    package let uuid: String
    package let start: UInt16
    package let end: UInt16
    package let characteristics: [Characteristic]

    package init(uuid: String, start: UInt16, end: UInt16, characteristics: [Characteristic]) {
      self.uuid = uuid
      self.start = start
      self.end = end
      self.characteristics = characteristics
    }
  }

  package struct Characteristic: Decodable, Hashable, Sendable {
    package let uuid: String
    package let declaration: UInt16
    package let handle: UInt16
    package let properties: [String]
    package let descriptors: [Descriptor]

    package init(
      uuid: String, declaration: UInt16, handle: UInt16, properties: [String], descriptors: [Descriptor]
    ) {
      self.uuid = uuid
      self.declaration = declaration
      self.handle = handle
      self.properties = properties
      self.descriptors = descriptors
    }
  }

  package struct Descriptor: Decodable, Hashable, Sendable {
    package let uuid: String
    package let handle: UInt16

    package init(uuid: String, handle: UInt16) {
      self.uuid = uuid
      self.handle = handle
    }
  }

  package struct Measurement: Decodable, Hashable, Sendable {
    package let raw: String
    package let octets: Int
    package let bpm: UInt16?
    package let contact: String?
    package let energyKj: UInt16?
    package let rr: [UInt16]?
    package let error: Bool

    package init(
      raw: String, octets: Int, bpm: UInt16?, contact: String?, energyKj: UInt16?, rr: [UInt16]?, error: Bool
    ) {
      self.raw = raw
      self.octets = octets
      self.bpm = bpm
      self.contact = contact
      self.energyKj = energyKj
      self.rr = rr
      self.error = error
    }
  }
}
