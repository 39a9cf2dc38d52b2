extension CaptureSummary {
  /// How many findings a connection has, or the capture as a whole.
  public func findingCount(of connection: Int?) -> Int { findingPlaces[connection].count }

  /// The findings of a connection, or those of the capture as a whole, as far as a person reads on. Those of a rule that say
  /// the same one behind another are one entry; where there are more, each rule has the same share of them, and one more
  /// stands for the rest of its own.
  /// - Parameter most: How many to list; more where there are more rules.
  public func findings(of connection: Int?, most: Int) -> [ListedFinding] {
    let own = Self.joined(findingPlaces[connection].map { findings[$0] })
    guard own.count > most else { return own }
    let places = Dictionary(grouping: own.indices) { Kind(own[$0].finding) }
    let share = Self.share(of: places.values.map(\.count), most: most)
    var listed: [(place: Int, finding: ListedFinding)] = []
    for (kind, places) in places {
      // What would stand for one takes the room of that one.
      let told = places.count == share + 1 ? places.count : share
      listed += places.prefix(told).map { ($0, own[$0]) }
      let rest = places.dropFirst(told)
      var more: [UnlistedFindings] = []
      for finding in rest.flatMap({ own[$0].all }) { more.add(UnlistedFindings(finding)) }
      if let more = more.first, let first = rest.first {
        let finding = more.finding(of: kind.rule, connection: connection, "\(more.count) more like these")
        listed.append((first, ListedFinding(finding)))
      }
    }
    return listed.sorted { $0.place < $1.place }.map(\.finding)
  }

  /// One entry for those of a rule that say the same with no other of it between them, where the first of them stands.
  private static func joined(_ findings: [Finding]) -> [ListedFinding] {
    var joined: [ListedFinding] = []
    var latest: [Kind: Int] = [:]
    for finding in findings {
      if let place = latest[Kind(finding)], joined[place].says(finding) {
        joined[place].add(finding)
      } else {
        latest[Kind(finding)] = joined.count
        joined.append(ListedFinding(finding))
      }
    }
    return joined
  }

  /// What findings are alike.
  private struct Kind: Hashable {
    let rule: String
    let severity: Severity

    init(_ finding: Finding) { (rule, severity) = (finding.rule, finding.severity) }
  }

  /// How many findings of each rule there is room for, beside one for the rest.
  private static func share(of counts: [Int], most: Int) -> Int {
    (1..<max(2, most)).last { share in counts.reduce(0) { $0 + min($1, share + 1) } <= most } ?? 1
  }
}
