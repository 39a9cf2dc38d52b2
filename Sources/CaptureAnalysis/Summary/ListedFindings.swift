extension CaptureSummary {
  /// How many findings a connection has, or the capture as a whole.
  public func findingCount(of connection: Int?) -> Int { findingPlaces[connection].count }

  /// Whether a connection has any beside those that are only worth knowing.
  public func hasFaults(_ connection: Int?) -> Bool {
    findingPlaces[connection].contains { findings[$0].severity > .info }
  }

  /// The findings of a connection, or those of the capture as a whole, as far as a person reads on: where there are more,
  /// each rule has the same share of them, and one more finding stands for the rest of its own.
  /// - Parameter most: How many to list; more where there are more rules.
  public func findings(of connection: Int?, most: Int) -> [Finding] {
    let own = findingPlaces[connection]
    guard own.count > most else { return own.map { findings[$0] } }
    let places = Dictionary(grouping: own) { Kind(rule: findings[$0].rule, severity: findings[$0].severity) }
    let share = Self.share(of: places.values.map(\.count), most: most)
    var listed: [(place: Int, finding: Finding)] = []
    for (kind, places) in places {
      // What would stand for one takes the room of that one.
      let told = places.count == share + 1 ? places.count : share
      listed += places.prefix(told).map { ($0, findings[$0]) }
      let rest = places.dropFirst(told)
      var more: [UnlistedFindings] = []
      for place in rest { more.add(UnlistedFindings(findings[place])) }
      if let more = more.first, let first = rest.first {
        listed.append((first, more.finding(of: kind.rule, connection: connection, "\(more.count) more like these")))
      }
    }
    return listed.sorted { $0.place < $1.place }.map(\.finding)
  }

  /// What findings are alike.
  private struct Kind: Hashable {
    let rule: String
    let severity: Severity
  }

  /// How many findings of each rule there is room for, beside one for the rest.
  private static func share(of counts: [Int], most: Int) -> Int {
    (1..<max(2, most)).last { share in counts.reduce(0) { $0 + min($1, share + 1) } <= most } ?? 1
  }
}
