/// Takes down how the sensors of a capture behave: its summary with all measurements, and what only comparing needs.
public final class BehaviourRecorder {
  private let part: PartialSummary
  private var behaviours: [ConnectionBehaviour] = []
  /// Takes down all of the connections, where the filter leaves only a part of the capture.
  private var whole: SummaryBuilder?

  /// More connections than any log of a device has.
  private static let mostConnections = 10_000

  /// Creates a recorder that has heard nothing.
  /// - Parameters:
  ///   - filter: Which part of the capture counts.
  ///   - rules: Which rules are asked.
  public init(_ filter: EventFilter = EventFilter(), rules: RuleSettings = RuleSettings()) {
    part = PartialSummary(listsMeasurements: true, filter, rules: rules)
    if filter.isForPart { whole = SummaryBuilder(listsMeasurements: true, rules: .none) }
  }

  /// Takes the events of the capture.
  public var receiver: EventForwarder {
    EventForwarder(
      selection: part.selection.union(.all.subtracting([.notification])),
      start: { [self] in part.begin($0) },
      { [self] event in
        let isShown = part.note(event)
        whole?.note(event)
        note(event, isShown: isShown)
      })
  }

  private func note(_ event: Event, isShown: Bool) {
    guard let connection = event.connection, connection <= Self.mostConnections else { return }
    while behaviours.count < connection { behaviours.append(ConnectionBehaviour()) }
    behaviours[connection - 1].note(event, isShown: isShown)
  }

  /// What was taken down, when the capture has ended.
  public func capture(path: String, memberNames: [String] = [], facts: CaptureFacts) -> ComparedCapture {
    let summary = part.summary(path: path, memberNames: memberNames, facts: facts)
    let all = whole.map { $0.summary(path: path, memberNames: memberNames, facts: facts).connections } ?? []
    whole = nil
    return ComparedCapture(
      summary: summary, behaviours: behaviours,
      whole: Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
  }
}

/// A capture as it is compared.
public struct ComparedCapture: Sendable {
  /// Its summary, with all measurements.
  public let summary: CaptureSummary
  /// What else is compared of its connections, by their numbers from 1.
  let behaviours: [ConnectionBehaviour]
  /// Its connections by their numbers, with what a filter leaves out of them; empty where it leaves out nothing.
  let whole: [Int: ConnectionSummary]

  func behaviour(of connection: ConnectionSummary) -> ConnectionBehaviour {
    behaviours.indices.contains(connection.id - 1) ? behaviours[connection.id - 1] : ConnectionBehaviour()
  }
}
