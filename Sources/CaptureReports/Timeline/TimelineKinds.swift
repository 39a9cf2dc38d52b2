public import CaptureAnalysis

/// The kinds of lines in a timeline, by the names that `--events` takes.
public enum TimelineKinds {
  /// What an event must say to be shown; the rest only helps to show it.
  private static let hidden: [EventKind] = [
    .controller, .command, .peer, .transport, .version, .pairingFailed, .dialogue, .databases, .inferred, .traffic,
    .advertised,
  ]

  /// Whether events of a kind have lines.
  public static func tells(of kind: EventKind) -> Bool { !hidden.contains(kind) }

  /// The names, in the order of the events.
  public static let names =
    ["capture"] + EventKind.allCases.filter(tells).map(\.rawValue) + ["finding", "end"]

  /// The events of the names; "capture", "finding" and "end" are no events of their own.
  public static func selection(of names: [String]) -> EventSelection {
    EventSelection(names.compactMap(EventKind.init(rawValue:)).filter(tells))
  }
}
