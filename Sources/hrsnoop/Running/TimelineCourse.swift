import CaptureAnalysis
import CaptureReports

/// A capture's events on their way to a timeline: what is wanted of them, and what rules find in them.
struct TimelineCourse {
  private(set) var report: any TimelineReport
  /// Sees the capture before, if it can be read twice.
  let scout: DeviceScout
  private var gate: EventGate?
  private var diagnosis: Diagnosis
  private let rules: RuleSettings
  private let asksRules: Bool
  private let heading: (inout any TimelineReport) -> Void
  private var hasHeading = false
  /// Whether a part of the capture was asked for that nothing is in that a timeline tells.
  private(set) var showsNothing: Bool

  /// - Parameter heading: Writes what stands above a capture's events.
  init(
    _ report: any TimelineReport, _ filter: EventFilter, _ rules: RuleSettings,
    heading: @escaping (inout any TimelineReport) -> Void
  ) {
    self.report = report
    self.rules = rules
    self.heading = heading
    scout = DeviceScout(filter)
    gate = filter.isEmpty ? nil : EventGate(filter)
    showsNothing = gate != nil
    diagnosis = Diagnosis(rules)
    asksRules = !diagnosis.selection.isEmpty
  }

  /// The events that are needed.
  var selection: EventSelection {
    report.selection.union(gate?.selection ?? []).union(diagnosis.selection)
      .union(asksRules ? .measurementOctets : [])
  }

  mutating func start(_ start: CaptureStart) {
    begin()
    gate?.begin(start)
    let scout = scout
    gate?.know(scout)
    report.start(start)
  }

  mutating func take(_ event: Event) {
    if gate?.admits(event) ?? true {
      begin()
      if TimelineKinds.tells(of: event.content.kind) { showsNothing = false }
      report.write(event)
    } else {
      report.learn(event)
    }
    guard asksRules else { return }
    diagnosis.note(event)
    tellFindings()
  }

  /// Hands on what has been told so far.
  mutating func flush() { report.flush() }

  mutating func end(_ facts: CaptureFacts) {
    begin()
    diagnosis.finish()
    tellFindings()
    // What is to be said of the capture as a whole is said of every part of it.
    for finding in facts.findings(rules) { report.write(finding) }
    report.end(facts)
  }

  /// What turns out to be no capture gets no heading.
  private mutating func begin() {
    if !hasHeading { heading(&report) }
    hasHeading = true
  }

  private mutating func tellFindings() {
    for finding in diagnosis.takeFindings() where gate?.admits(finding) ?? true {
      showsNothing = false
      report.write(finding)
    }
  }
}
