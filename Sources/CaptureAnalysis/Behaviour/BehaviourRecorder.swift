/// Takes down how the sensors of a capture behave: its summary with all measurements, and what only comparing needs.
public final class BehaviourRecorder {
  private let part: PartialSummary
  private let partReceiver: EventForwarder
  private var gate: EventGate
  private var behaviours: [ConnectionBehaviour] = []

  /// More connections than any log of a device has.
  private static let mostConnections = 10_000

  /// Creates a recorder that has heard nothing.
  /// - Parameters:
  ///   - filter: Which part of the capture counts.
  ///   - rules: Which rules are asked.
  public init(_ filter: EventFilter = EventFilter(), rules: RuleSettings = RuleSettings()) {
    part = PartialSummary(listsMeasurements: true, filter, rules: rules)
    partReceiver = part.receiver
    gate = EventGate(filter, keepsBackground: true)
  }

  /// Takes the events of the capture.
  public var receiver: EventForwarder {
    EventForwarder(
      selection: partReceiver.selection.union(.all.subtracting([.notification])),
      start: { [self] start in
        partReceiver.begin(start)
        gate.begin(start)
      },
      { [self] event in
        partReceiver.note(event)
        note(event)
      })
  }

  private func note(_ event: Event) {
    guard let connection = event.connection, connection <= Self.mostConnections, gate.admits(event) else { return }
    while behaviours.count < connection { behaviours.append(ConnectionBehaviour()) }
    behaviours[connection - 1].note(event)
  }

  /// What was taken down, when the capture has ended.
  public func capture(path: String, memberNames: [String] = [], facts: CaptureFacts) -> ComparedCapture {
    let summary = part.summary(path: path, memberNames: memberNames, facts: facts)
    return ComparedCapture(summary: summary, behaviours: behaviours)
  }
}

/// A capture as it is compared.
public struct ComparedCapture: Sendable {
  /// Its summary, with all measurements.
  public let summary: CaptureSummary
  /// What else is compared of its connections, by their numbers from 1.
  let behaviours: [ConnectionBehaviour]

  func behaviour(of connection: ConnectionSummary) -> ConnectionBehaviour {
    behaviours.indices.contains(connection.id - 1) ? behaviours[connection.id - 1] : ConnectionBehaviour()
  }
}
