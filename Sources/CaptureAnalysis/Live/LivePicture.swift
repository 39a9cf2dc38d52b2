public import CaptureFiles

/// What there is to see of a capture at the moment, while it is being made: its connections, and what happened last. It
/// takes the same memory after a second and after a month.
public struct LivePicture: EventReceiver, Sendable {
  /// The connections, in order of appearance: those that are open, and the last that were.
  public private(set) var connections: [LiveConnection] = []
  /// What the capture's times count from.
  public private(set) var clock = CaptureClock.utc
  /// When the capture began; nil before its first packet.
  public private(set) var firstTime: Timestamp?
  /// When the last event was; nil before the first.
  public private(set) var last: Moment?
  /// Its time.
  public var lastTime: Timestamp? { last?.time }
  /// How time goes by.
  public private(set) var steadyTime = SteadyTime()
  private var happenings: [LiveNote] = []
  private var findings: [LiveNote] = []
  /// Whether there were more findings than are kept.
  public private(set) var hasForgottenFindings = false
  private var count = 0

  private static let mostConnections = 64
  /// As many of each are kept.
  private static let mostNotes = 100

  /// A picture of nothing yet.
  public init() {}

  /// The events that are wanted.
  public var selection: EventSelection {
    EventSelection(Self.told + [.peer, .read, .notification, .characteristic, .inferred, .heartRate])
  }

  /// The events that are worth a line.
  private static let told: [EventKind] = [
    .adapter, .advertising, .connectAttempt, .connected, .parameters, .parameterRequest, .phy, .encryption, .mtu,
    .subscribed, .unsubscribed, .attError, .malformed, .disconnected,
  ]

  /// The first packet is there.
  public mutating func begin(_ start: CaptureStart) {
    clock = start.clock
    (firstTime, last) = (start.time, Moment(frame: 0, time: start.time))
  }

  /// Takes an event.
  public mutating func note(_ event: Event) {
    last = event.moment
    if let id = event.connection {
      if case .connected(let beginning) = event.content {
        open(id, beginning, at: event.moment)
      } else if let place = place(of: id) {
        connections[place].note(event)
      }
    }
    if Self.told.contains(event.content.kind) { Self.add(note(.event(event), on: adapter(of: event)), to: &happenings) }
  }

  /// Takes what the capture as a whole is like so far.
  public mutating func note(_ facts: CaptureFacts) { steadyTime = SteadyTime(facts.leaps) }

  /// Takes what a rule has found.
  public mutating func note(_ finding: Finding) {
    let note = note(.finding(finding), on: adapter(of: finding.connection))
    let isFull = findings.append(note, keepingGravest: Self.mostNotes) { $0.finding?.severity ?? .info }
    hasForgottenFindings = hasForgottenFindings || isFull
  }

  /// Takes what is to be said of the capture itself, such as that its source is gone.
  public mutating func note(_ sentence: String) {
    Self.add(note(.sentence(sentence, at: lastTime), on: nil), to: &happenings)
  }

  /// When a moment was, by the clock as it goes now.
  public func time(of moment: Moment) -> Timestamp {
    last.map { steadyTime.time(of: moment, by: $0) } ?? moment.time
  }

  private mutating func open(_ id: Int, _ beginning: ConnectedEvent, at moment: Moment) {
    if let place = place(of: id) { return connections[place].begin(beginning, at: moment) }
    if connections.count >= Self.mostConnections {
      guard let over = connections.firstIndex(where: { $0.closed != nil }) else { return }
      connections.remove(at: over)
    }
    connections.append(LiveConnection(id, beginning, at: moment))
  }

  /// The last ones are the busy ones.
  private func place(of id: Int) -> Int? { connections.lastIndex { $0.id == id } }

  private mutating func note(_ content: LiveNote.Content, on adapter: UInt16?) -> LiveNote {
    count &+= 1
    return LiveNote(number: count, adapter: adapter, content: content)
  }

  private func adapter(of event: Event) -> UInt16? {
    switch event.content {
    case .adapter(let adapter): adapter.index
    case .advertising(let advertisement): advertisement.adapter
    case .connectAttempt(let attempt): attempt.adapter
    default: adapter(of: event.connection)
    }
  }

  private func adapter(of connection: Int?) -> UInt16? {
    connection.flatMap { place(of: $0) }.map { connections[$0].beginning.adapter }
  }

  private static func add(_ note: LiveNote, to notes: inout [LiveNote]) {
    if notes.count >= mostNotes { notes.removeFirst() }
    notes.append(note)
  }

  /// What happened and what was found, newest first.
  /// - Parameter adapter: The adapter that it must be about; nil for all.
  public func notes(adapter: UInt16?) -> [LiveNote] {
    (happenings + findings).filter { adapter == nil || $0.adapter == nil || $0.adapter == adapter }
      .sorted { $0.number > $1.number }
  }

  /// What was found on other adapters than one, oldest first.
  /// - Parameter adapter: That one; nil if all are looked at.
  public func findings(elsewhereThan adapter: UInt16?) -> [LiveNote] {
    findings.filter { adapter != nil && $0.adapter != nil && $0.adapter != adapter }
  }
}

/// Something that happened, or that a rule has found.
public struct LiveNote: Sendable {
  /// Its number in order of appearance.
  public let number: Int
  /// The adapter that it is about; nil if it is about none.
  public let adapter: UInt16?
  /// What it is.
  public let content: Content

  /// What a note is.
  public enum Content: Sendable {
    /// Something happened.
    case event(Event)
    /// A rule has found something.
    case finding(Finding)
    /// The capture itself has changed.
    case sentence(String, at: Timestamp?)
  }

  /// The finding, if it is one.
  public var finding: Finding? {
    if case .finding(let finding) = content { finding } else { nil }
  }
}
