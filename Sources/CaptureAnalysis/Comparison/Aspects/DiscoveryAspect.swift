import CaptureFiles
import GATTKit

/// Whether its attributes were discovered, or known beforehand.
enum DiscoveryAspect: ComparisonAspect {
  static let name = "discovery"
  static let title = "discovery"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: String, words: String)? in
      let spans = side.connections.compactMap { connection in
        connection.asked.discovery.map { (connection.facts, first: $0.lowerBound, last: $0.upperBound) }
      }
      let sessions = side.connections.compactMap(\.summary.heartRate)
      if sessions.contains(where: \.isDiscovered), let (facts, first, last) = spans.first {
        return ("discovered", facts.seconds(from: first, to: last).map { "in \(length(seconds: $0))" } ?? "discovered")
      }
      // Where the capture cut their types away, the heart rate service may be among those that were found.
      if !spans.isEmpty, side.services == nil { return nil }
      if !spans.isEmpty {
        // It may have been found next, or what is in it.
        let isOver = !side.connections.allSatisfy(\.asked.isSearching) && !side.hasService(.heartRateService)
        return isOver ? ("partly", "without the heart rate service") : nil
      }
      // What was found may have been cut away or lost; without the connection's beginning, there may have been one; and who
      // uses nothing need not know where it is.
      guard !side.connections.contains(where: \.asked.wasSearched),
        side.connections.contains(where: { $0.summary.wasOpened && $0.summary.heartRate != nil })
      else { return nil }
      return ("none", "none: known beforehand")
    }
  }
}
