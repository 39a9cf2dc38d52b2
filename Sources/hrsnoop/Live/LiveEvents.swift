import CaptureAnalysis

/// What becomes of events while they come: they are shown, rules look at them, and some end the capture.
final class LiveEvents {
  private let display: any LiveDisplay
  private var part: PartialEvents
  private let ending: Ending
  /// Connections that showed heart rates, for those that wait for one to end.
  private var sensors: Set<Int> = []
  /// Whether what comes is older than this capture.
  private(set) var isPast: Bool
  /// The last record that is older than this capture.
  private var lastPastRecord = 0
  /// Whether a packet has come.
  private(set) var hasBegun = false
  /// Whether one has come that is not older than this capture: known at its end.
  private(set) var hasPresent = false
  /// Whether the connection that was waited for has ended.
  private(set) var isOver = false
  /// Whether what comes may be the end that is waited for.
  var mayBeOver: Bool { ending.isAtDisconnect && !isPast }
  /// Whether something was asked for and nothing of it came, since what comes is not older.
  var showsNothing: Bool { part.showsNothing }
  /// How grave the gravest finding was.
  private(set) var gravest: Severity?

  /// What ends the capture, beside its source.
  struct Ending {
    /// Whether the end of a connection does: of any that is chosen, or of any that showed heart rates.
    var isAtDisconnect = false
    /// Whether connections are chosen.
    var isChosen = false
  }

  init(_ display: any LiveDisplay, filter: EventFilter, rules: RuleSettings, untilDisconnect: Bool, hasPast: Bool) {
    self.display = display
    part = PartialEvents(filter, rules)
    ending = Ending(
      isAtDisconnect: untilDisconnect, isChosen: filter.device != nil || filter.connection != nil)
    isPast = hasPast
  }

  /// Who takes the events.
  var forwarder: EventForwarder {
    let selection = display.selection.union(part.selection)
      .union(ending.isAtDisconnect ? EventSelection([.heartRate, .disconnected]) : [])
    return EventForwarder(
      selection: selection,
      start: { start in
        self.hasBegun = true
        self.part.begin(start)
        self.display.begin(start)
      }
    ) { self.note($0) }
  }

  private func note(_ event: Event) {
    let isAdmitted = part.admits(event)
    if isAdmitted { display.show(event, isPast: isPast) }
    tell(part.findings(at: event))
    if ending.isAtDisconnect, isAdmitted { waitForEnd(event) }
  }

  /// Nothing more has happened until a moment: some rules can tell by that.
  func pause(until moment: Moment) {
    guard hasBegun, !isPast else { return }
    tell(part.findings(pausedUntil: moment))
  }

  /// All that is older than this capture has come.
  /// - Parameter records: How many records that were.
  func beginPresent(after records: Int) {
    (isPast, lastPastRecord) = (false, records)
    part.beginPresent()
  }

  /// Nothing more will come.
  /// - Parameter facts: What is to be said of the capture as a whole; nil if it was none.
  func finish(_ facts: CaptureFacts?) {
    hasPresent = !isPast && facts.map { $0.records > lastPastRecord } ?? false
    tell(part.findingsAtEnd())
    for finding in facts.map(part.findings) ?? [] {
      tell(finding, isPast: isPast || finding.lastFrame.map { $0 <= lastPastRecord } ?? false)
    }
  }

  private func tell(_ findings: [Finding]) {
    for finding in findings { tell(finding, isPast: isPast) }
  }

  private func tell(_ finding: Finding, isPast: Bool) {
    display.show(finding, isPast: isPast)
    if !isPast { gravest = max(gravest ?? finding.severity, finding.severity) }
  }

  /// Only an end that comes now is waited for; the heart rates may have come before.
  private func waitForEnd(_ event: Event) {
    guard let connection = event.connection else { return }
    switch event.content {
    case .heartRate: sensors.insert(connection)
    case .disconnected where mayBeOver && (ending.isChosen || sensors.contains(connection)): isOver = true
    default: break
    }
  }
}
