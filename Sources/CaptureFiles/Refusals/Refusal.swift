package import Octets

// An input that cannot be read at all is refused: in an error about its start, whose text stands by itself.

extension ParsingError {
  private static let start = "Start"
  private static let anyCapture = "capture"

  /// The refusal of an input.
  /// - Parameters:
  ///   - what: What it is, and what would help.
  ///   - layer: Its kind, if the octets leave no doubt of it.
  package static func refusal(_ what: String, layer: String? = nil) -> ParsingError {
    ParsingError(layer: layer ?? anyCapture, field: start, problem: .invalid(what), offset: 0)
  }

  /// Of what has fewer octets it is not said that it is the beginning of a file: it may be anything.
  static let fewestOctets = 3

  /// The file ends before its first packet.
  /// - Parameters:
  ///   - what: What ends where, as in "a btsnoop file cut off in its header".
  ///   - layer: The format, if the octets leave no doubt of it.
  ///   - count: How many octets there are.
  ///   - whole: How many there should be.
  static func cutOffStart(_ what: String, layer: String? = nil, after count: Int, of whole: Int) -> ParsingError {
    refusal(
      "\(what), after \(count) of \(whole) octets: no packet is left in it, so copy it anew from where it was logged",
      layer: layer)
  }

  /// Whether an input is refused, and not something in it.
  package var isRefusal: Bool { field == Self.start }

  /// Whether an input is refused that may be anything.
  package var isRefusalOfUnknown: Bool { isRefusal && layer == Self.anyCapture }
}
