import CaptureAnalysis
import CaptureReports

/// A line an event, as `timeline` writes them: for people or for programs.
final class LiveLines: LiveDisplay {
  private var report: any TimelineReport
  private let name: String
  private let isQuiet: Bool
  private var hasBegun = false

  /// - Parameter isQuiet: Whether nothing is said of the capture itself.
  init(_ report: any TimelineReport, name: String, isQuiet: Bool) {
    self.report = report
    self.name = name
    self.isQuiet = isQuiet
  }

  /// What turns out to be no capture gets no heading.
  private func begin() {
    if !hasBegun { report.begin(TimelineCapture(path: name)) }
    hasBegun = true
  }

  var selection: EventSelection { report.selection }

  func begin(_ start: CaptureStart) {
    begin()
    report.start(start)
  }

  func show(_ event: Event, isPast: Bool) {
    guard !isPast else { return }
    begin()
    report.write(event)
  }

  func show(_ finding: Finding, isPast: Bool) {
    guard !isPast else { return }
    begin()
    report.write(finding)
  }

  func say(_ sentence: String) {
    if !isQuiet { complain(sentence) }
  }

  func complain(_ sentence: String) {
    report.flush()
    StandardError.complain(sentence)
  }

  func refresh(_ status: LiveStatus, _ facts: CaptureFacts) { report.flush() }

  func end(_ facts: CaptureFacts?) {
    if let facts {
      begin()
      report.end(facts)
    }
    report.flush()
  }
}
