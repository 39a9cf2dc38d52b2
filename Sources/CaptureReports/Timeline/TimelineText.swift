import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// `timeline --format text`: a line an event, for people; on a terminal, as many as it takes.
///
///     2026-03-14        +s   frame  conn  event          what happened
struct TimelineText: TimelineReport {
  private var line: TimelineLine
  private let context: ReportContext
  private let kinds: TimelineKinds
  /// When the capture begins; nil before its first packet.
  private var start: Timestamp?
  private var clock = ClockReading(.utc, zone: nil)
  /// When the last line was, or the capture began, as clocks show it there.
  private var last: CivilTime?
  private var captures = 0
  /// A capture that has no heading yet.
  private var heading: TimelineCapture?

  init(_ kinds: TimelineKinds, _ context: ReportContext, into buffer: ReportBuffer) {
    line = TimelineLine(context, into: buffer)
    self.context = context
    self.kinds = kinds
  }

  var selection: EventSelection { kinds.events }

  mutating func begin(_ capture: TimelineCapture) {
    start = nil
    clock = context.reading(.utc)
    heading = capture
  }

  /// The heading waits for the first packet, which tells what the capture's times are.
  private mutating func writeHeading() {
    guard let capture = heading else { return }
    heading = nil
    if captures > 0 { line.buffer.write("\n") }
    captures += 1
    if kinds.areCapturesTold || capture.isOfSeveral {
      let zone = clock.zoneName == "UTC" ? "" : "times: \(clock.zoneName)"
      let pieces = [Style.heading(capture.title, context), zone]
      line.buffer.write(context.flow(pieces))
    }
    last = start.flatMap(civil)
    line.writeHead(last.map(TimeText.date))
  }

  mutating func start(_ start: CaptureStart) {
    self.start = start.time
    clock = context.reading(start.clock)
    writeHeading()
  }

  mutating func write(_ event: Event) {
    guard kinds.events.contains(EventSelection(event.content.kind)) else { return }
    writeHeading()
    writeColumns(event.time, event.frame, event.member, event.connection)
    line.end(event.content.kind.rawValue, style(event.content)) { TimelineWords.write(event.content, into: &$0) }
  }

  mutating func write(_ finding: Finding) {
    guard kinds.areFindingsTold else { return }
    writeHeading()
    writeColumns(finding.time ?? .unknown, finding.frame, finding.member, finding.connection)
    line.end(finding.severity.rawValue, .severity(finding.severity)) {
      $0.write("\(finding.rule): \(finding.message)")
    }
  }

  mutating func end(_ facts: CaptureFacts) {
    writeHeading()
    guard kinds.areEndsTold, let last = facts.lastTime else { return }
    let complete = facts.isComplete ? "" : ", not all of it could be read"
    writeColumns(last, facts.progress.records, facts.members.last?.member, nil)
    line.end("end", nil) { $0.write("\(TimeText.count(facts.records, "record"))\(complete)") }
  }

  mutating func flush() { line.buffer.flush() }

  /// What clocks show then; nil where that is not known.
  private func civil(_ time: Timestamp) -> CivilTime? { time.isTold ? CivilTime(clock.wall(time)) : nil }

  private func style(_ content: EventContent) -> Style? {
    switch content {
    case .heartRate(let event): event.reading.isMalformed ? .bad : nil
    case .malformed, .attError: .warning
    case .connected, .disconnected: .accent
    default: nil
    }
  }

  /// Where something stands, which all lines begin with.
  private mutating func writeColumns(_ time: Timestamp, _ frame: Int?, _ member: Int?, _ connection: Int?) {
    let civil = civil(time)
    if let civil {
      if last.map({ !civil.isOfDay(of: $0) }) ?? true { line.write(day: TimeText.date(civil)) }
      last = civil
    }
    line.begin()
    // Where there is no time of day, how much later than the capture's beginning it is stands beside it.
    if let civil { line.buffer.write(clockWithMilliseconds: civil) }
    line.end(line.columns.time)
    if let passed = start.flatMap({ time.microseconds(since: $0) }) {
      line.buffer.write(secondsOf: passed, decimals: 3)
    }
    line.end(line.columns.offset)
    if let frame { line.buffer.write(place: frame, member) }
    line.end(line.columns.frame)
    if let connection { line.buffer.write(connection) }
    line.end(line.columns.connection)
  }
}
