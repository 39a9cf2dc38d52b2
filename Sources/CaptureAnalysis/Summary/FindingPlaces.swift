/// Where the findings of each connection stand among all of a capture, found once: there may be thousands of both.
struct FindingPlaces: Sendable {
  private var places: [Int?: [Int]] = [:]
  /// Those, more than worth knowing, that stand with a connection and are about later ones to the same peer as well.
  private(set) var ofSeveral: [Int] = []
  /// Those of the capture as a whole that are to be known of the connections that were open meanwhile.
  private(set) var circumstances: [Int] = []

  init(_ findings: [Finding]) {
    let rulesOfSeveral = Set(RuleBook.rules.filter(\.tellsOfSeveral).map(\.name))
    let rulesInHead = Set(RuleBook.rules.filter(\.belongsInHead).map(\.name))
    for place in findings.indices {
      let finding = findings[place]
      places[finding.connection, default: []].append(place)
      if finding.connection == nil {
        if rulesInHead.contains(finding.rule) { circumstances.append(place) }
      } else if finding.severity > .info, rulesOfSeveral.contains(finding.rule) {
        ofSeveral.append(place)
      }
    }
  }

  /// Those of a connection, or of the capture as a whole, in order.
  subscript(connection: Int?) -> [Int] { places[connection] ?? [] }
}
