import CaptureFiles

/// What rules have found: the first findings of each one by one, and the others counted.
struct FindingBook {
  /// What was found and has not been taken.
  private(set) var findings: [Finding] = []
  /// How often each rule has found something: few ever do.
  private var counts: ContiguousArray<RuleCount> = []
  /// What was told while it lasted.
  private var lasting = LastingFaults()
  /// More findings of one rule are only counted.
  private let mostOfRule: Int

  init(mostOfRule: Int) { self.mostOfRule = mostOfRule }

  /// Adds what a rule has found.
  /// - Parameters:
  ///   - message: What was seen, in a sentence with its numbers.
  ///   - severity: How grave it is, if not as the rule always is.
  ///   - span: The records that show it, and how often.
  ///   - connection: The connection it is about; nil for one over the whole capture.
  mutating func add(
    _ rule: any AnomalyRule.Type, _ message: @autoclosure () -> String, severity: Severity?, _ span: RecordSpan,
    connection: Int?
  ) {
    let place = place(of: rule)
    let (start, end) = (span.first, span.last)
    let severity = lasting.severity(of: rule, since: start, severity ?? counts[place].severity)
    guard makeRoom(for: start, place) else {
      // What is only counted needs no words.
      let span = RecordSpan(from: start, to: end, count: 1)
      return counts[place].unlisted.add(UnlistedFindings(span, severity: severity))
    }
    let about = rule.about
    findings.append(
      Finding(
        rule: about.name, severity: severity, connection: connection, from: start, to: end, count: span.count,
        message: message(), reference: about.reference))
  }

  /// Adds what may last, unless it was told already.
  mutating func add(
    lasting rule: any AnomalyRule.Type, _ message: @autoclosure () -> String, severity: Severity?, _ span: RecordSpan,
    connection: Int?
  ) {
    let severity = severity ?? rule.about.severity
    guard lasting.isNew(rule, since: span.first, severity) else { return }
    add(rule, message(), severity: severity, span, connection: connection)
    lasting.note(rule, since: span.first, severity)
  }

  /// Makes room for one more finding of a rule to be told by itself; false if there is none. What could be judged only
  /// later than what came behind it takes the place of the last of those, as long as nobody has taken that: the first of
  /// all are told, and the others counted.
  private mutating func makeRoom(for start: Moment, _ place: Int) -> Bool {
    if counts[place].told < mostOfRule {
      counts[place].told += 1
    } else if start < counts[place].latest, let last = lastListed(counts[place].name, behind: start) {
      counts[place].unlisted.add(UnlistedFindings(findings.remove(at: last)))
    } else {
      return false
    }
    counts[place].latest = max(counts[place].latest, start)
    return true
  }

  /// Where the finding of a rule stands that begins last, if that is behind a moment.
  private func lastListed(_ rule: String, behind moment: Moment) -> Int? {
    findings.indices.filter { findings[$0].rule == rule && findings[$0].beginning > moment }
      .max { findings[$0].beginning < findings[$1].beginning }
  }

  /// Where it is counted what a rule has found.
  private mutating func place(of rule: any AnomalyRule.Type) -> Int {
    if let place = counts.firstIndex(where: { $0.rule == rule }) { return place }
    counts.append(RuleCount(rule: rule, name: rule.about.name, severity: rule.about.severity))
    return counts.count - 1
  }

  /// The findings since the last call.
  mutating func take() -> [Finding] {
    guard !findings.isEmpty else { return [] }
    defer { findings = [] }
    return findings
  }

  /// Adds how much was found beyond what has been told one by one.
  mutating func close(connection: Int?) {
    for count in counts {
      for more in count.unlisted {
        findings.append(
          more.finding(of: count.name, connection: connection, "\(more.count) more like the \(count.told) before"))
      }
    }
  }
}

/// What a rule has found on a connection.
private struct RuleCount {
  let rule: any AnomalyRule.Type
  /// Its name, and how grave it is, where the rule does not say otherwise. Asking for a rule's description takes a moment.
  let name: String
  let severity: Severity
  /// No finding that is told one by one begins later.
  var latest = Moment.nowhere()
  /// How many findings are told one by one, and all others.
  var told = 0
  var unlisted: [UnlistedFindings] = []
}
