public import CaptureAnalysis

/// A capture in a timeline: what it is called, and where it stands among others.
public struct TimelineCapture {
  let origin: CaptureOrigin
  let place: Int
  let isOfSeveral: Bool

  /// - Parameters:
  ///   - members: The names of its files; see `CaptureSummary.memberNames`.
  ///   - place: How many came before it.
  ///   - isOfSeveral: Whether there are others, so that each needs its name.
  public init(path: String, members: [String] = [], place: Int = 0, isOfSeveral: Bool = false) {
    origin = CaptureOrigin(path: path, memberNames: members)
    (self.place, self.isOfSeveral) = (place, isOfSeveral)
  }

  /// What it is called: of several files of an archive, folders may be all that tells them apart.
  var title: String { origin.title(hasFolders: isOfSeveral) }
}

/// Writes a timeline: an event a line, as the events come.
public protocol TimelineReport {
  /// The events that must be made: those that are shown, and those that help to show them.
  var selection: EventSelection { get }
  /// A capture begins.
  mutating func begin(_ capture: TimelineCapture)
  /// Its first packet is there.
  mutating func start(_ start: CaptureStart)
  /// Something happened.
  mutating func write(_ event: Event)
  /// Something happened that is not shown, but may tell who a peer is.
  mutating func learn(_ event: Event)
  /// A rule has found something.
  mutating func write(_ finding: Finding)
  /// A capture ends.
  mutating func end(_ facts: CaptureFacts)
  /// Hands on what has been written so far.
  mutating func flush()
}

extension TimelineReport {
  /// Most tell each event by itself.
  public mutating func learn(_ event: Event) {}
}

/// How `timeline` shows events.
public enum TimelineFormat: String, CaseIterable, Sendable {
  /// For people: a line an event.
  case text
  /// For programs: a JSON object a line.
  case ndjson
  /// For spreadsheets: a measurement a line.
  case csv

  /// A timeline in this format.
  /// - Parameter kinds: The names of the lines that are shown; nil for all.
  public func report(
    kinds: [String]?, _ context: ReportContext, into buffer: ReportBuffer
  ) -> any TimelineReport {
    let kinds = TimelineKinds(named: kinds ?? TimelineKinds.names)
    switch self {
    case .text: return TimelineText(kinds, context, into: buffer)
    case .ndjson: return TimelineNDJSON(kinds, into: buffer)
    case .csv: return TimelineCSV(into: buffer)
    }
  }
}
