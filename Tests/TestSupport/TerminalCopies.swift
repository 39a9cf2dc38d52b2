extension [UInt8] {
  /// What a terminal makes of octets that are copied through it.
  /// - Parameter returns: How many carriage returns it puts before each line feed.
  package func copiedThroughTerminal(returns: Int = 1) -> [UInt8] {
    let lineEnd = Array(repeating: 0x0D, count: returns) + [0x0A]
    return flatMap { $0 == 0x0A ? lineEnd : [$0] }
  }
}
