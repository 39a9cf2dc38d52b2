/// Sums up the part of a capture that a filter leaves. Rules see all of it: what they find in that part is told.
public final class PartialSummary {
  private var gate: EventGate
  private var builder: SummaryBuilder
  private var diagnosis: Diagnosis
  private let rules: RuleSettings

  /// Creates the summary of no event.
  /// - Parameters:
  ///   - listsMeasurements: Whether each measurement is kept, or only their figures.
  ///   - rules: Which rules are asked.
  public init(listsMeasurements: Bool, _ filter: EventFilter, rules: RuleSettings = RuleSettings()) {
    gate = EventGate(filter, keepsBackground: true)
    builder = SummaryBuilder(listsMeasurements: listsMeasurements, rules: .none)
    diagnosis = Diagnosis(rules, isForPart: true)
    self.rules = rules
  }

  /// Takes the events of the capture.
  public var receiver: EventForwarder {
    EventForwarder(selection: selection, start: { [self] in begin($0) }, { [self] in _ = note($0) })
  }

  /// The events that are needed.
  var selection: EventSelection { builder.selection.union(diagnosis.selection).union(.measurementOctets) }

  func begin(_ start: CaptureStart) { gate.begin(start) }

  /// Takes an event.
  /// - Returns: Whether the filter leaves it.
  func note(_ event: Event) -> Bool {
    diagnosis.note(event)
    let isLeft = gate.admits(event)
    if isLeft { builder.note(event) } else { builder.leaveOut(event) }
    return isLeft
  }

  /// The summary, when the capture has ended.
  public func summary(path: String, memberNames: [String] = [], facts: CaptureFacts) -> CaptureSummary {
    diagnosis.finish()
    var summary = builder.summary(path: path, memberNames: memberNames, facts: facts)
    summary.asksAllRules = rules.asksAll
    let findings = diagnosis.findings
    summary.findings = facts.findings(rules) + findings.filter(gate.admits)
    summary = gate.filtered(summary)
    summary.part = gate.part(findings, of: summary.connections)
    summary.isFiltered = true
    summary.unwatched = diagnosis.unwatched(of: summary.connections.map(\.id))
    summary.findings = Causes.linked(summary.findings)
    return summary
  }
}
