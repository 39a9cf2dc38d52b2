import CaptureAnalysis
import CaptureReports

/// A capture's events on their way to a timeline.
struct TimelineCourse {
  private(set) var report: any TimelineReport
  /// Sees the capture before, if it can be read twice.
  let scout: DeviceScout
  private var part: PartialEvents
  private let heading: (inout any TimelineReport) -> Void
  private var hasHeading = false

  /// - Parameter heading: Writes what stands above a capture's events.
  init(
    _ report: any TimelineReport, _ filter: EventFilter, _ rules: RuleSettings,
    heading: @escaping (inout any TimelineReport) -> Void
  ) {
    self.report = report
    self.heading = heading
    scout = DeviceScout(filter)
    part = PartialEvents(filter, rules)
  }

  /// The events that are needed.
  var selection: EventSelection { report.selection.union(part.selection) }

  /// Whether something was asked for and nothing of it came.
  var showsNothing: Bool { part.showsNothing }

  mutating func start(_ start: CaptureStart) {
    begin()
    part.begin(start, scout)
    report.start(start)
  }

  mutating func take(_ event: Event) {
    if part.admits(event) {
      begin()
      report.write(event)
    } else {
      report.learn(event)
    }
    tell(part.findings(at: event))
  }

  /// Hands on what has been told so far.
  mutating func flush() { report.flush() }

  mutating func end(_ facts: CaptureFacts) {
    begin()
    tell(part.findingsAtEnd())
    tell(part.findings(in: facts))
    report.end(facts)
  }

  /// What turns out to be no capture gets no heading.
  private mutating func begin() {
    if !hasHeading { heading(&report) }
    hasHeading = true
  }

  private mutating func tell(_ findings: [Finding]) {
    for finding in findings { report.write(finding) }
  }
}
