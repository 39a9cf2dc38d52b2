import Octets

/// What was unusual: which warnings and errors there are, and how many, as far as that is no chance. What is only worth
/// knowing is left out. What values show is not told where packets were cut; and where a rule could not speak, it is not
/// told that it was silent.
enum FindingsAspect: ComparisonAspect {
  static let name = "findings"
  static let title = "findings"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let tallies = sides.map(FindingTally.all)
    let told = Set(tallies.map(\.keys).joined()).filter { rule in
      zip(sides, tallies).allSatisfy {
        $1[rule] != nil || !($0.hasCutPackets && AnomalyRules.readingValues.contains(rule))
      }
    }
    let shown = tallies.map { $0.filter { told.contains($0.key) } }
    var comparison = AspectComparison(
      parts: shown.map { $0.mapValues(\.words) }, order: told.sorted(), none: "none above info", isList: false,
      tellsLack: { sides[$0].maySpeak(of: $1) },
      { rule, places in
        AspectComparison.anyTwo(of: places) { first, second in
          let one = shown[first][rule] ?? FindingTally(of: sides[first])
          return one.differs(from: shown[second][rule] ?? FindingTally(of: sides[second]))
        }
      })
    let isCounted = told.contains { rule in Set(shown.compactMap { $0[rule]?.words }).count > 1 }
    if isCounted { comparison.note = "three times as many, beyond chance; \(GroupTest.note)" }
    return comparison
  }
}

/// What a rule has found on a side.
private struct FindingTally {
  private var amounts: [Severity: Int] = [:]
  /// On how many connections, by the gravest on each.
  private var affected: [Severity: Int] = [:]
  private let connections: Int
  /// How long these were, in seconds; nil where that cannot be told.
  private let duration: Double?

  /// No finding yet.
  init(of side: SensorBehaviour) {
    connections = side.connections.count
    duration = side.connections.reduce(0) { sum, connection in
      sum.flatMap { sum in connection.duration.map { sum + $0 } }
    }
  }

  /// All warnings and errors of a side, by their rules.
  static func all(of side: SensorBehaviour) -> [String: FindingTally] {
    side.connections.reduce(into: [:]) { tallies, connection in
      let grave = Dictionary(grouping: connection.findings.lazy.filter { $0.severity > .info }, by: \.rule)
      for (rule, findings) in grave { tallies[rule, default: FindingTally(of: side)].add(findings) }
    }
  }

  /// Adds what it has found on a connection.
  private mutating func add(_ findings: [Finding]) {
    for finding in findings { amounts[finding.severity, default: 0] += finding.amount }
    if let gravest = findings.map(\.severity).max() { affected[gravest, default: 0] += 1 }
  }

  /// "1 error, 3 warnings on 2 of 10 connections".
  var words: String {
    let counts = amounts.sorted { $0.key > $1.key }.map { $1.words($0.rawValue) }
    let place = connections > 1 ? " on \(affected.values.reduce(0, +)) of \(connections) connections" : ""
    return counts.joined(separator: ", ") + place
  }

  private var amount: Int { amounts.values.reduce(0, +) }

  /// Whether it is another than on another side, of which it may have found nothing.
  func differs(from other: FindingTally) -> Bool {
    if isMoreFrequent(than: other) || other.isMoreFrequent(than: self) { return true }
    guard GroupTest.isApplied(connections, other.connections) else {
      return affected.keys.max() != other.affected.keys.max()
    }
    return Severity.allCases.contains { severity in
      let (some, others) = (count(atLeast: severity), other.count(atLeast: severity))
      return GroupTest.differ((some, connections), (others, other.connections)) ?? false
    }
  }

  /// On how many connections there is one that is as grave, or graver.
  private func count(atLeast severity: Severity) -> Int {
    affected.reduce(0) { $1.key >= severity ? $0 + $1.value : $0 }
  }

  /// Whether there are more than chance makes of them, both for the time and for the connections in which they came.
  private func isMoreFrequent(than other: FindingTally) -> Bool {
    guard let duration, let others = other.duration else { return false }
    let parts = [
      duration / (duration + others), Double(connections) / Double(max(1, connections + other.connections)),
    ]
    return parts.allSatisfy { part in
      guard part > 0, part < 1 else { return false }
      let isMuch = Double(amount) * (1 - part) >= Self.leastRatio * Double(other.amount) * part
      // Of very many, a part tells enough.
      let burst = max(Self.burst, (amount + other.amount) / Self.mostCounted)
      let (some, others) = (amount / burst, other.amount / burst)
      return isMuch && CountStatistics.binomial(atLeast: some, of: some + others, each: part) < Self.significance
    }
  }

  /// In what rates at least differ that are told to.
  private static let leastRatio = 3.0
  /// They come in bursts: so many tell as much as one that came by itself.
  private static let burst = 3
  private static let mostCounted = 1000
  private static let significance = 0.01
}

extension SensorBehaviour {
  /// Whether a rule could have said something of a connection: those that look at values need some, those that look at
  /// tables or at the link its beginning.
  fileprivate func maySpeak(of rule: String) -> Bool {
    let needsValues = AnomalyRules.readingValues.contains(rule)
    let needsBeginning = !needsValues || AnomalyRules.readingTables.contains(rule)
    return connections.contains { connection in
      (!needsValues || connection.summary.hasMeasurements) && (!needsBeginning || connection.summary.wasOpened)
    }
  }
}
