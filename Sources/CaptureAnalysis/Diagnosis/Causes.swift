import CaptureFiles

/// Puts findings in the order of the capture, and finds out which explain which.
enum Causes {
  /// A cause reaches so far, in seconds: what comes later has another. What was over by then has less to do with it than
  /// what was done once and still holds.
  private static let reach = (event: 60.0, episode: 10.0)

  /// Findings in order, each with its causes: the last before its end of every rule that explains its own; or the first
  /// behind its beginning, where it tells what did not follow.
  static func linked(_ found: consuming [Finding]) -> [Finding] {
    // There may be so many that a copy of them would be what takes most memory.
    var findings = found
    findings.sort { ($0.beginning, $0.rule) < ($1.beginning, $1.rule) }
    var places: [Key: [Int]] = [:]
    // Those that are only counted are too many to be one cause, or to have one.
    for (place, finding) in findings.enumerated() where finding.amount == 1 {
      places[Key(rule: finding.rule, connection: finding.connection), default: []].append(place)
    }
    let explanations = explanations(among: Set(findings.map(\.rule)))
    for place in findings.indices {
      let effect = findings[place]
      guard effect.amount == 1, let explanations = explanations[effect.rule] else { continue }
      findings[place].causes = explanations.rules.flatMap { rule in
        [effect.connection, nil].compactMap { connection in
          places[Key(rule: rule, connection: connection)].flatMap { places in
            last(of: places, explaining: effect, in: findings, lasting: explanations.mustLast)
              ?? (explanations.mayFollow ? first(of: places, behind: effect, in: findings) : nil)
          }
        }
      }
      .filter { $0 != place }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      .sorted()
    }
    return findings
  }

  /// The rules that explain those of one, whether they may do so from behind, and whether they must last as long.
  private typealias Explanations = (rules: [String], mayFollow: Bool, mustLast: Bool)

  /// Which of the rules that have found something explain which others, and how.
  private static func explanations(among rules: Set<String>) -> [String: Explanations] {
    var explanations: [String: Explanations] = [:]
    for name in rules {
      guard let rule = RuleBook.rule(named: name) else { continue }
      let causes = rule.explainedBy.filter(rules.contains)
      if !causes.isEmpty { explanations[name] = (causes, rule.tellsWhatIsMissing, rule.isExplainedWhileLasting) }
    }
    return explanations
  }

  private struct Key: Hashable {
    let rule: String
    let connection: Int?
  }

  /// The last of those that began before the effect was over, if it is close enough. Of the same connection it must have
  /// begun before half of the effect was over: what comes into a silence does not make it. What is said of the capture
  /// stands behind what it explains.
  private static func last(
    of places: [Int], explaining effect: Finding, in findings: [Finding], lasting mustLast: Bool
  ) -> Int? {
    guard effect.frame != nil, let time = effect.time else { return nil }
    let end = effect.ending
    // They are in order: those before it began in time.
    var low = places.firstPlace { findings[$0].beginning > end }
    if effect.connection != nil, let length = effect.endTime?.seconds(since: time) {
      func comesLate(_ cause: Finding) -> Bool {
        cause.connection == effect.connection && cause.time.map { $0.seconds(since: time) > length / 2 } ?? false
      }
      while low > 0, comesLate(findings[places[low - 1]]) { low -= 1 }
    }
    guard low > 0 else { return nil }
    let cause = findings[places[low - 1]]
    guard let causeTime = cause.endTime ?? cause.time else { return places[low - 1] }
    let isEpisode = cause.ending > cause.beginning
    if isEpisode, mustLast, causeTime.seconds(since: time) < effect.duration / 2 { return nil }
    return time.seconds(since: causeTime) <= (isEpisode ? reach.episode : reach.event) ? places[low - 1] : nil
  }

  /// The first of those that began behind the effect's beginning, if it is close enough to its end.
  private static func first(of places: [Int], behind effect: Finding, in findings: [Finding]) -> Int? {
    guard effect.frame != nil, let end = effect.endTime ?? effect.time,
      let place = places.first(where: { findings[$0].beginning > effect.beginning }),
      let time = findings[place].time, time.seconds(since: end) <= reach.event
    else { return nil }
    return place
  }
}
