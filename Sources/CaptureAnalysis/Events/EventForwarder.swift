/// Hands events on to a closure.
public struct EventForwarder: EventReceiver {
  /// The events that are wanted.
  public let selection: EventSelection
  /// Behind a reference: a forwarder as long as a `SummaryBuilder` would let the compiler make one loop of the loops over
  /// records that each of them has for itself, which is slower by a tenth.
  private let closures: Closures

  private final class Closures {
    let start: ((CaptureStart) -> Void)?
    let body: ((Event) -> Void)?

    init(_ start: ((CaptureStart) -> Void)?, _ body: ((Event) -> Void)?) {
      self.start = start
      self.body = body
    }
  }

  /// Creates a forwarder.
  /// - Parameters:
  ///   - start: Called when the first packet is there; nobody if nil.
  ///   - body: Called with each event; nobody if nil.
  public init(
    selection: EventSelection, start: ((CaptureStart) -> Void)? = nil, _ body: ((Event) -> Void)? = nil
  ) {
    self.selection = selection
    closures = Closures(start, body)
  }

  /// The first packet is there.
  public func begin(_ start: CaptureStart) { closures.start?(start) }

  /// Takes an event.
  public func note(_ event: Event) { closures.body?(event) }

  /// Takes a measurement, if anybody is called.
  public mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    if closures.body != nil { noteAsEvent(measurement, moment, connection: connection) }
  }

  /// Takes a value, if anybody is called.
  public mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    if closures.body != nil { noteAsEvent(value, as: way, moment, connection: connection) }
  }
}
