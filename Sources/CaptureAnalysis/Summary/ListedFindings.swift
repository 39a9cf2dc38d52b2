extension CaptureSummary {
  /// The findings of a connection, or those of the capture as a whole, as far as a person reads on: where there are more,
  /// each rule has the same share of them, and one more finding stands for the rest of its own.
  /// - Parameter most: How many to list; more where there are more rules.
  public func findings(of connection: Int?, most: Int) -> [Finding] {
    let own = findings.filter { $0.connection == connection }
    guard own.count > most else { return own }
    let share = Self.share(of: own.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 }.values, most: most)
    var listed: [(place: Int, finding: Finding)] = []
    var counts: [String: Int] = [:]
    var rest: [String: (place: Int, findings: UnlistedFindings?)] = [:]
    for (place, finding) in own.enumerated() {
      counts[finding.rule, default: 0] += 1
      if counts[finding.rule, default: 0] <= share {
        listed.append((place, finding))
      } else {
        rest[finding.rule, default: (place, nil)].findings.add(UnlistedFindings(finding))
      }
    }
    for (rule, (place, findings)) in rest {
      guard let findings else { continue }
      let message = "\(findings.count) more like these"
      listed.append((place, findings.finding(of: rule, connection: connection, message)))
    }
    return listed.sorted { $0.place < $1.place }.map(\.finding)
  }

  /// How many findings of each rule there is room for, beside one for the rest.
  private static func share(of counts: some Collection<Int>, most: Int) -> Int {
    func length(_ share: Int) -> Int { counts.reduce(0) { $0 + min($1, share + 1) } }
    return (1..<max(2, most)).last { length($0) <= most } ?? 1
  }
}
