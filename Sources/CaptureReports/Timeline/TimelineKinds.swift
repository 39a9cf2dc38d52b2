public import CaptureAnalysis

/// The kinds of lines in a timeline, by the names that `--events` takes.
public struct TimelineKinds {
  /// The events that have lines.
  let events: EventSelection
  /// Whether even a capture that is alone has a line.
  let areCapturesTold: Bool
  /// Whether findings have lines.
  let areFindingsTold: Bool
  /// Whether the ends of captures have lines.
  let areEndsTold: Bool

  /// The kinds of some names.
  init(named names: [String]) {
    events = EventSelection(names.compactMap(EventKind.init(rawValue:)).filter(Self.tells))
    areCapturesTold = names.contains("capture")
    areFindingsTold = names.contains("finding")
    areEndsTold = names.contains("end")
  }

  /// What an event must say to be shown; the rest only helps to show it.
  private static let hidden: [EventKind] = [
    .controller, .command, .peer, .transport, .version, .pairing, .dialogue, .databases, .inferred, .traffic,
    .advertised,
  ]

  /// Whether events of a kind have lines.
  public static func tells(of kind: EventKind) -> Bool { !hidden.contains(kind) }

  /// The names, in the order of the events.
  public static let names =
    ["capture"] + EventKind.allCases.filter(tells).map(\.rawValue) + ["finding", "end"]
}
