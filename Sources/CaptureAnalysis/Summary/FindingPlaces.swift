/// Where the findings of each connection stand among all of a capture, found once: there may be thousands of both.
struct FindingPlaces: Sendable {
  private var places: [Int?: [Int]] = [:]
  /// Those, more than worth knowing, that stand with a connection and are about later ones to the same peer as well.
  private(set) var ofSeveral: [Int] = []

  init(_ findings: [Finding]) {
    let rules = Set(RuleBook.rules.filter(\.tellsOfSeveral).map(\.name))
    for place in findings.indices {
      places[findings[place].connection, default: []].append(place)
      guard findings[place].severity > .info, findings[place].connection != nil, rules.contains(findings[place].rule)
      else { continue }
      ofSeveral.append(place)
    }
  }

  /// Those of a connection, or of the capture as a whole, in order.
  subscript(connection: Int?) -> [Int] { places[connection] ?? [] }
}
