extension CaptureSummary {
  /// The findings of a connection, or those of the capture as a whole, as far as a person reads on: where there are more,
  /// each rule has the same share of them, and one more finding stands for the rest of its own.
  /// - Parameter most: How many to list; more where there are more rules.
  public func findings(of connection: Int?, most: Int) -> [Finding] {
    let own = findings.indices.filter { findings[$0].connection == connection }
    guard own.count > most else { return own.map { findings[$0] } }
    let places = Dictionary(grouping: own) { findings[$0].rule }
    let share = Self.share(of: places.values.map(\.count), most: most)
    var listed: [(place: Int, finding: Finding)] = []
    for (rule, places) in places {
      listed += places.prefix(share).map { ($0, findings[$0]) }
      let rest = places.dropFirst(share)
      var more: UnlistedFindings?
      for place in rest { more.add(UnlistedFindings(findings[place])) }
      if let more, let first = rest.first {
        listed.append((first, more.finding(of: rule, connection: connection, "\(more.count) more like these")))
      }
    }
    return listed.sorted { $0.place < $1.place }.map(\.finding)
  }

  /// How many findings of each rule there is room for, beside one for the rest.
  private static func share(of counts: [Int], most: Int) -> Int {
    (1..<max(2, most)).last { share in counts.reduce(0) { $0 + min($1, share + 1) } <= most } ?? 1
  }
}
