import GATTKit

/// Where the values of a series begin: those that contradict their flags may all be right if they began an octet earlier or
/// later.
struct ValueFraming: BitwiseCopyable {
  /// Where a value would have to begin.
  enum Slip {
    /// An octet earlier: the flags are not there.
    case earlier
    /// An octet later: another one stands before the flags.
    case later
  }

  /// Of the value that was taken last; nil if it would not be right so, either.
  private(set) var last: Slip?
  private var earlier = 0
  private var later = 0
  private var malformed = 0

  /// Fewer may fit by chance.
  private static let fewest = 3

  /// Takes a value that contradicts its flags, all of which is there.
  mutating func note(_ octets: Span<UInt8>) {
    malformed &+= 1
    last = Self.slip(of: octets)
    earlier &+= last == .earlier ? 1 : 0
    later &+= last == .later ? 1 : 0
  }

  /// What is wrong with nearly all, of so many values; those that do not contradict what is read as their flags do so by
  /// chance.
  func slip(of count: Int) -> Slip? {
    let most = max(earlier, later)
    guard most >= Self.fewest, most * 10 >= malformed * 9, malformed * 3 >= count else { return nil }
    return earlier > later ? .earlier : .later
  }

  private static func slip(of octets: Span<UInt8>) -> Slip? {
    guard octets.count > 1 else { return nil }
    if let value = HeartRateMeasurement.View(octets.extracting(1...)), isPlausible(value) { return .later }
    // A rate in one octet, and RR-Intervals.
    guard octets.count & 1 == 1 else { return nil }
    for place in stride(from: 1, to: octets.count, by: 2) {
      guard isInterval(UInt16(octets[place]) | UInt16(octets[place + 1]) << 8, of: Int(octets[0])) else { return nil }
    }
    return HeartLimits.rates.contains(Int(octets[0])) ? .earlier : nil
  }

  private static func isPlausible(_ value: HeartRateMeasurement.View) -> Bool {
    guard value.flags.isDisjoint(with: .reserved), HeartLimits.rates.contains(Int(value.beatsPerMinute)) else {
      return false
    }
    var isPlausible = true
    value.forEachRRInterval { interval in
      if !isInterval(interval.rawValue, of: Int(value.beatsPerMinute)) { isPlausible = false }
    }
    return isPlausible
  }

  /// Whether an RR-Interval is within a third what a rate makes it.
  private static func isInterval(_ interval: UInt16, of rate: Int) -> Bool {
    abs(Int(interval) * rate - 61_440) < 61_440 / 3
  }
}
