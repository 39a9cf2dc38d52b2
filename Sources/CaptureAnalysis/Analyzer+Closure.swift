public import Octets

extension Analyzer where Receiver == EventForwarder {
  /// Creates an analyzer at the start of a capture, whose events a closure takes.
  /// - Parameters:
  ///   - selection: The events that are wanted.
  ///   - isLive: Whether records are wanted as soon as they are whole.
  public init(selection: EventSelection, isLive: Bool = false) {
    self.init(into: EventForwarder(selection: selection), isLive: isLive)
  }

  /// Reads on. `octets` continue where the last call stopped consuming.
  /// - Parameters:
  ///   - isLast: Whether the capture ends with these octets.
  ///   - body: Called with each event, in order.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture of HCI traffic.
  public mutating func read(
    _ octets: Span<UInt8>, isLast: Bool, _ body: (Event) -> Void
  ) throws(ParsingError) -> Int {
    var result: Result<Int, ParsingError> = .success(0)
    withoutActuallyEscaping(body) { body in
      receiver.closures.body = body
      result = Result { () throws(ParsingError) in try read(octets, isLast: isLast) }
      receiver.closures.body = nil
    }
    return try result.get()
  }
}
