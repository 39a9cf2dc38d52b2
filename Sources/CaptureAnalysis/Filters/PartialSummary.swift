/// Sums up the part of a capture that a filter leaves.
public final class PartialSummary {
  private var gate: EventGate
  private var builder: SummaryBuilder

  /// Creates the summary of no event.
  /// - Parameter listsMeasurements: Whether each measurement is kept, or only their figures.
  public init(listsMeasurements: Bool, _ filter: EventFilter) {
    gate = EventGate(filter, keepsBackground: true)
    builder = SummaryBuilder(listsMeasurements: listsMeasurements)
  }

  /// Takes the events of the capture.
  public var receiver: EventForwarder {
    EventForwarder(
      selection: builder.selection.union(.measurementOctets), start: { [self] in gate.begin($0) },
      { [self] event in if gate.admits(event) { builder.note(event) } })
  }

  /// The summary, when the capture has ended.
  public func summary(path: String, memberNames: [String] = [], facts: CaptureFacts) -> CaptureSummary {
    gate.filtered(builder.summary(path: path, memberNames: memberNames, facts: facts))
  }
}
