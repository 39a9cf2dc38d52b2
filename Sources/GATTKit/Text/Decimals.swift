extension Double {
  /// The number with so many decimals, 0 to 9: "976.563". A tie goes away from zero, as people round; what is a tie is
  /// said by the number times a power of ten, which is exact for the units of Bluetooth.
  ///
  /// A few lines of integer arithmetic instead of Foundation, which an app that only wants its values need not load.
  package func text(decimals: Int) -> String {
    guard isFinite else { return "\(self)" }
    let digits = Swift.min(Swift.max(decimals, 0), 9)
    let scale = (0..<digits).reduce(1 as UInt64) { scale, _ in scale * 10 }
    let scaled = magnitude * Double(scale)
    guard scaled < 9e18 else { return "\(self)" }
    let number = scaled.nearest
    let sign = self < 0 && number > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(number)" }
    let fraction = String(number % scale)
    return "\(sign)\(number / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }

  /// The nearest integer to a number from 0 to 9e18, the greater one of two. `rounded()` would do, but on Linux it needs
  /// the C library's mathematics, which programs without Foundation do not link.
  private var nearest: UInt64 {
    let floor = UInt64(self)
    return self - Double(floor) < 0.5 ? floor : floor + 1
  }
}
