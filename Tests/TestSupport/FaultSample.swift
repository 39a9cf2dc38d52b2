import Foundation

/// A recorded capture in which something is wrong, and what was planted in it.
package struct FaultSample: Decodable, Sendable, CustomStringConvertible {
  /// The names of its files, of which there is one.
  package let captures: [String]
  /// Its connections, in the order in which they were made.
  package let connections: [Connection]
  /// What was planted in no connection.
  package let faults: [Fault]?

  /// What a connection carried.
  package struct Connection: Decodable, Sendable {
    /// The octets of each measurement, in hexadecimal.
    package let measurements: [String]
    /// What was planted in it.
    package let faults: [Fault]
  }

  /// A fault, and where a rule has to find it.
  package struct Fault: Decodable, Sendable {
    /// The rule's name.
    package let rule: String
    /// The measurement, from 0, at which the finding begins.
    package let first: Int?
    /// The one at which it ends.
    package let last: Int?
    /// Two measurements between which it lies, where a rule looks at stretches of them.
    package let within: [Int]?
    /// The kind of event at whose record it begins or ends.
    package let event: String?
    /// Two records, from 1, between which it begins.
    package let records: [Int]?
  }

  package var description: String { captures.first ?? "" }

  /// The octets of the file.
  package var octets: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: Self.folder.appending(path: description))) }
  }

  /// Every one there is.
  package static let all: [FaultSample] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".truth.json") }
        .map { try JSONDecoder().decode(Self.self, from: Data(contentsOf: folder.appending(path: $0))) }
    } catch { fatalError("the samples with faults cannot be read: \(error)") }
  }()

  private static let folder = packageFolder.appending(path: "Samples/Faults")
}
