import CaptureFiles

extension FilteringReceiver<SummaryBuilder> {
  /// Creates a receiver that sums up a part of a capture.
  public init(listsMeasurements: Bool, filter: EventFilter) {
    self.init(SummaryBuilder(listsMeasurements: listsMeasurements), filter, keepsBackground: true)
  }

  /// The summary of the part, when the capture has ended.
  public func summary(path: String, facts: CaptureFacts) -> CaptureSummary {
    filtered(base.summary(path: path, facts: facts))
  }
}

extension FilteringReceiver<EventForwarder> {
  /// Creates a receiver that hands on a part of a capture's events.
  public init(_ forwarder: EventForwarder, filter: EventFilter) {
    self.init(forwarder, filter, keepsBackground: false)
  }
}
