import CaptureAnalysis
import CaptureReports

/// The events that a filter leaves, while they come. Rules see all events: what they find in that part is told.
struct PartialEvents {
  private var gate: EventGate
  private var diagnosis: Diagnosis
  private let rules: RuleSettings
  private let asksRules: Bool
  private let isPart: Bool
  /// Whether a part was asked for, and nothing of it came that has a line.
  private(set) var showsNothing: Bool

  init(_ filter: EventFilter, _ rules: RuleSettings) {
    gate = EventGate(filter)
    isPart = !filter.isEmpty
    showsNothing = isPart
    diagnosis = Diagnosis(rules)
    asksRules = !diagnosis.selection.isEmpty
    self.rules = rules
  }

  /// The events that are needed beside those that are shown.
  var selection: EventSelection {
    diagnosis.selection.union(gate.selection).union(asksRules ? .measurementOctets : [])
  }

  /// The first packet is there.
  /// - Parameter scout: Has seen the capture before; nil if nobody has.
  mutating func begin(_ start: CaptureStart, _ scout: DeviceScout? = nil) {
    gate.begin(start)
    if let scout { gate.know(scout) }
  }

  /// What has come so far is older than what is asked for.
  mutating func beginPresent() { showsNothing = isPart }

  /// Whether an event is shown. Each must be asked for, in order.
  mutating func admits(_ event: Event) -> Bool {
    let isAdmitted = gate.admits(event)
    if showsNothing, isAdmitted, TimelineKinds.tells(of: event.content.kind) { showsNothing = false }
    return isAdmitted
  }

  /// What rules have found, now that an event came.
  mutating func findings(at event: Event) -> [Finding] {
    guard asksRules else { return [] }
    diagnosis.note(event)
    return takeFindings()
  }

  /// What rules have found, now that nothing more happened until a moment.
  mutating func findings(pausedUntil moment: Moment) -> [Finding] {
    diagnosis.pause(until: moment)
    return takeFindings()
  }

  /// What rules have found, now that nothing more will come.
  mutating func findingsAtEnd() -> [Finding] {
    diagnosis.finish()
    return takeFindings()
  }

  /// What is to be said of the capture as a whole: it is said of every part of it.
  func findings(in facts: CaptureFacts) -> [Finding] { facts.findings(rules) }

  private mutating func takeFindings() -> [Finding] {
    var findings = diagnosis.takeFindings()
    // Behind almost every event there is nothing.
    guard !findings.isEmpty else { return [] }
    findings.removeAll { !gate.admits($0) }
    if !findings.isEmpty { showsNothing = false }
    return findings
  }
}
