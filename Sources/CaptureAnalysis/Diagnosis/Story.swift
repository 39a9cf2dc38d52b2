/// What went wrong on a connection, in one go: the gravest finding, and before it what explains it.
public struct Story: Sendable {
  /// The gravest finding; nil if nothing is unusual.
  public let gravest: Finding?
  /// What explains it and was there before it, in order.
  public let before: [Finding]
  /// What explains it and began only then: why it went on, or why nothing else followed.
  public let behind: [Finding]
  /// What it explains and says why heart rates are missing; of several, the one that lasted longest.
  public let consequence: Finding?
  /// The one that explains it in the end; the gravest itself if nothing does.
  public let root: Finding?
  /// How many more there are of a chapter's rule, by its name.
  public let repetitions: [String: Int]
  /// How many findings of other rules, beside what is only worth knowing, are not among them.
  public let others: Int
  /// How many are only worth knowing.
  public let notes: Int
  /// Where nothing is unusual, the first of those that says why no heart rate came, or none any more.
  public let remark: Finding?
  /// Where nothing is unusual, what happened to the capture meanwhile: records were lost, or the clock leapt.
  public internal(set) var circumstance: Finding?

  /// Where a filter shows only a part of the connection, how many findings, other than of what is only worth knowing, lie
  /// outside of it; nil where all of it is shown.
  public let outside: Int?

  /// Where nothing is unusual by itself, what is told of an earlier connection to the same peer, and this one with it.
  public internal(set) var toldEarlier: Finding?

  /// Whether it is what all rules have found, not only some that were chosen.
  public internal(set) var isOfAllRules = true

  /// Whether rules looked at the connection: not where too many others were open.
  public internal(set) var wasWatched = true

  /// Whether any measurement came, or neither end is a sensor.
  public internal(set) var hasMeasurements = true

  /// How many heart rates the capture did not keep, and of how many that are sound: no rule could look at them.
  public internal(set) var cutRates = (count: 0, all: 0)

  /// The findings that are told, in the order in which they are.
  public var chapters: [Finding] { before + [gravest].compactMap(\.self) + behind + [consequence].compactMap(\.self) }

  /// How many more there are of a chapter's rule, where it is the last of it: they are told once.
  public func repetitions(behind chapter: Finding) -> Int {
    guard let last = chapters.last(where: { $0.rule == chapter.rule }), Self.are(last, chapter) else { return 0 }
    return repetitions[chapter.rule] ?? 0
  }

  /// How grave the gravest is; nil if nothing is unusual.
  public var severity: Severity? { gravest?.severity }

  /// The same with what is told of an earlier connection.
  public var gravity: Severity? { severity ?? toldEarlier?.severity }

  /// Whether a finding is one of its chapters, or its remark.
  public func tells(_ finding: Finding) -> Bool {
    (chapters + [remark].compactMap(\.self)).contains { Self.are($0, finding) }
  }

  /// Whether two are the same one.
  private static func are(_ one: Finding, _ other: Finding) -> Bool {
    one.rule == other.rule && one.beginning == other.beginning && one.message == other.message
  }

  /// Whether one of those that are listed together is.
  public func tells(_ listed: ListedFinding) -> Bool { listed.all.contains(where: tells) }

  /// A story has no more chapters: what explains what explains it, and so on.
  private static let mostChapters = 4

  /// The story of the findings of a connection.
  /// - Parameters:
  ///   - own: Where they stand.
  ///   - findings: All findings of the capture, as their causes count them.
  ///   - outside: How many findings a filter leaves out; nil where it shows all of the connection.
  init(of own: [Int], in findings: [Finding], outside: Int? = nil) {
    self.outside = outside
    let faults = own.filter { findings[$0].severity > .info }
    func amount(_ places: [Int]) -> Int { places.reduce(0) { $0 + findings[$1].amount } }
    notes = amount(own) - amount(faults)
    let remarkable = faults.isEmpty ? own : []
    func belongsInHead(_ place: Int) -> Bool { RuleBook.rule(named: findings[place].rule)?.belongsInHead ?? false }
    remark = remarkable.first(where: belongsInHead).map { findings[$0] }
    let counts = faults.reduce(into: [:]) { $0[findings[$1].rule, default: 0] += findings[$1].count }
    let gravest = faults.map { (weight: Self.weight(findings[$0], counts, $0), place: $0) }
      .max { $0.weight < $1.weight }
      .map { Self.longest(like: $0.place, among: faults, findings) }
    var told: [Int] = []
    func tell(_ place: Int) {
      guard !told.contains(place), told.count < Self.mostChapters else { return }
      told.append(place)
      for cause in findings[place].causes { tell(cause) }
    }
    if let gravest { tell(gravest) }
    self.gravest = gravest.map { findings[$0] }
    let causes = told.filter { $0 != gravest }.sorted().map { findings[$0] }
    func isBehind(_ cause: Finding) -> Bool { gravest.map { cause.beginning > findings[$0].beginning } ?? false }
    (before, behind) = (causes.filter { !isBehind($0) }, causes.filter(isBehind))
    root = gravest.map { findings[Self.root(of: $0, in: findings)] }
    let effect = faults.filter { !told.contains($0) && findings[$0].causes.contains(where: told.contains) }
      .filter(belongsInHead).max { findings[$0].duration < findings[$1].duration }
    if let effect { told.append(effect) }
    consequence = effect.map { findings[$0] }
    var left = (alike: told.reduce(into: [:]) { $0[findings[$1].rule] = 0 }, others: 0)
    for place in faults where !told.contains(place) {
      let finding = findings[place]
      if left.alike[finding.rule] != nil {
        left.alike[finding.rule, default: 0] += finding.amount
      } else if !finding.causes.contains(where: told.contains) {
        // What a chapter explains is no news.
        left.others += finding.amount
      }
    }
    (repetitions, others) = left
  }

  /// What explains a finding, and is not explained itself by more than what is only worth knowing: of several causes, the
  /// gravest, and of those the last, which is nearest to what it explains.
  private static func root(of place: Int, in findings: [Finding]) -> Int {
    var path = [place]
    while let next = findings[path[path.count - 1]].causes.filter({
      findings[$0].severity > .info && !path.contains($0)
    })
    .max(by: { (findings[$0].severity, $0) < (findings[$1].severity, $1) }) {
      path.append(next)
    }
    return path[path.count - 1]
  }

  /// The gravest finding is the story; of several, the one that tells how it ended, that others explain, that comes most
  /// often, that says what happened and not only how often it did, that came first.
  private static func weight(
    _ finding: Finding, _ counts: [String: Int], _ place: Int
  ) -> (Severity, Int, Int, Int, Int) {
    let tellsEnd = RuleBook.rule(named: finding.rule)?.tellsEnd ?? false
    return (
      finding.severity, (tellsEnd ? 2 : 0) + (finding.causes.isEmpty ? 0 : 1), counts[finding.rule] ?? 0,
      finding.amount == 1 ? 1 : 0, -place
    )
  }

  /// Of the findings that are as grave as one, and of its rule, the one that lasted longest, if that is more than twice as
  /// long: who has seen a minute's silence does not look for the five seconds that came first.
  private static func longest(like place: Int, among places: [Int], _ findings: [Finding]) -> Int {
    let first = findings[place]
    guard first.duration > 0 else { return place }
    let alike = places.filter {
      let other = findings[$0]
      return other.rule == first.rule && other.severity == first.severity && other.amount == first.amount
        && other.causes.isEmpty == first.causes.isEmpty
    }
    guard let longest = alike.max(by: { findings[$0].duration < findings[$1].duration }) else { return place }
    return findings[longest].duration > 2 * first.duration ? longest : place
  }
}
