import Octets

extension ParsingError {
  /// The file ends before its first packet.
  /// - Parameters:
  ///   - what: What ends where, as in "a btsnoop file cut off in its header".
  ///   - layer: The format, if the octets leave no doubt of it.
  ///   - count: How many octets there are.
  ///   - whole: How many there should be.
  static func cutOffStart(_ what: String, layer: String, after count: Int, of whole: Int) -> ParsingError {
    ParsingError(
      layer: layer, field: "Start",
      problem: .invalid(
        "\(what), after \(count) of \(whole) octets: no packet is left in it, so copy it anew from where it was logged"),
      offset: 0)
  }
}
