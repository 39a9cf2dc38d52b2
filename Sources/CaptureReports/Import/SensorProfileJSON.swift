public import CaptureAnalysis
import GATTKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A sensor profile that a user keeps in a file: what `gatt --profile` writes, and what `--profiles` reads.
public enum SensorProfileJSON {
  static let schema = "hrsnoop.profile/1"

  /// Reads the profiles in a file.
  /// - Throws: `ImportError` if it holds none, or one that contradicts itself.
  public static func profiles(in octets: ContiguousArray<UInt8>) throws(ImportError) -> [SensorProfile] {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(octets))
    } catch {
      throw ImportError("it is not what `hrsnoop gatt --profile` writes")
    }
    guard document.schema == schema else {
      throw ImportError("its schema is \(AirText.shown(document.schema, limit: 40)), not \(schema)")
    }
    var profiles: [SensorProfile] = []
    for sensor in document.profiles { profiles.append(try sensor.profile()) }
    guard !profiles.isEmpty else { throw ImportError("it holds no profile") }
    return profiles
  }

  // The keys are the document's.

  private struct Document: Decodable {
    let schema: String
    let profiles: [Sensor]
  }

  private struct Sensor: Decodable {
    let name: String
    let marks: Marks
    let usual: Usual
    let source: String?

    func profile() throws(ImportError) -> SensorProfile {
      guard (1...SensorProfile.longestName).contains(name.count) else {
        throw ImportError("a profile's name has 1 to \(SensorProfile.longestName) characters")
      }
      guard !(marks.names ?? []).isEmpty || !(marks.models ?? []).isEmpty || !(marks.services ?? []).isEmpty else {
        throw ImportError("nothing in it tells how \(AirText.shown(name)) is recognised")
      }
      let known = SensorProfile.Marks(
        names: marks.names ?? [], models: marks.models ?? [], services: try uuids(marks.services),
        companies: marks.companies ?? [])
      var traits: [SensorTrait] = []
      if let contact = usual.contact { traits.append(.contact(contact)) }
      if let sends = usual.rr_intervals { traits.append(.rrIntervals(sends)) }
      if let sends = usual.energy_expended { traits.append(.energyExpended(sends)) }
      if let location = usual.location { traits.append(.location(BodySensorLocation(rawValue: location))) }
      for uuid in try uuids(usual.services) { traits.append(.service(uuid, true)) }
      for uuid in try uuids(usual.characteristics) { traits.append(.characteristic(uuid, true)) }
      if let period = usual.period_s {
        guard period.count == 2, period[0] <= period[1] else {
          throw ImportError("the period of \(AirText.shown(name)) takes two numbers, the shortest first")
        }
        traits.append(.period(period[0]...period[1]))
      }
      let source = source ?? "a profile of your own"
      return SensorProfile(name: name, marks: known, facts: traits.map { SensorFact($0, source: source) })
    }

    private func uuids(_ texts: [String]?) throws(ImportError) -> [BluetoothUUID] {
      var uuids: [BluetoothUUID] = []
      for text in texts ?? [] {
        guard let uuid = BluetoothUUID(text) else {
          throw ImportError("\(AirText.shown(text, limit: 40)) in it is no UUID")
        }
        uuids.append(uuid)
      }
      return uuids
    }
  }

  private struct Marks: Decodable {
    let names: [String]?
    let models: [String]?
    let services: [String]?
    let companies: [UInt16]?
  }

  private struct Usual: Decodable {
    let contact: Bool?
    let rr_intervals: Bool?
    let energy_expended: Bool?
    let location: UInt8?
    let services: [String]?
    let characteristics: [String]?
    let period_s: [Double]?
  }
}
