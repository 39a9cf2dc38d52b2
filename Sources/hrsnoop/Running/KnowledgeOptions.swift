import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// What is known of captures beforehand, and how sure one must be of the rest.
struct KnowledgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A GATT database for sensors whose discovery is not in the capture: what 'gatt --format json' wrote, or a device's file in BlueZ's cache. May be repeated.",
      valueName: "file"))
  var gattMap: [FilePath] = []

  @Option(
    help: ArgumentHelp(
      "How sure it must be, from 0 to 1, that an attribute without discovery is a heart rate measurement.",
      valueName: "confidence"))
  var minConfidence = CaptureKnowledge.usualMinConfidence

  func validate() throws {
    guard (0...1).contains(minConfidence) else {
      throw ValidationError("--min-confidence is a number from 0 to 1, not \(minConfidence).")
    }
  }

  /// The knowledge to begin with.
  /// - Parameters:
  ///   - zone: The zone of times that are not UTC; nil if none was given.
  ///   - failures: Takes what cannot be read, of which a sentence has been said.
  func knowledge(in zone: TimeZoneRule?, _ failures: inout [InputError]) -> CaptureKnowledge {
    var databases: [CaptureKnowledge.PeerDatabase] = []
    for path in gattMap {
      do {
        let octets = try FileSource.all(of: path, limit: Self.longestMap)
        databases += try GATTMap.databases(in: octets, name: "\(path.name)") {
          InputError(path: path, message: $0).complain()
        }
      } catch {
        failures.complain(InputError(path: path, message: "\(error)"))
      }
    }
    return CaptureKnowledge(minConfidence: minConfidence, databases: databases, zone: zone)
  }

  /// No database takes as many octets.
  private static let longestMap = 16 << 20
}

extension CaptureKnowledge {
  /// For whom GATT maps are taken that name no device, where what comes is told as it comes; nil if all name theirs.
  var unnamedSentence: String? {
    hasUnnamedDatabases
      ? "a GATT map names no device: taken for each that nothing else tells of and that has no other name" : nil
  }

  /// For whom they are taken in a capture that has been read, and for whom not; nil if nobody needs one.
  func unnamedSentence(of conclusions: Conclusions) -> String? {
    func part(_ beginning: String, _ peers: [String]) -> String? {
      guard !peers.isEmpty else { return nil }
      let more = peers.count > Self.mostTold ? ["\(peers.count - Self.mostTold) more"] : []
      return "\(beginning) \((peers.prefix(Self.mostTold) + more).joined(separator: ", "))"
    }
    let parts = [
      part("taken for", unnamedDatabasePeers), part("not taken for", peersWithoutUnnamedDatabase(conclusions)),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "a GATT map names no device: \(parts.joined(separator: "; "))"
  }

  private static let mostTold = 4
}
