extension Double {
  /// The natural logarithm, to a thousandth or so, of a number above 0: by a series that converges fast for what the
  /// binary exponent leaves, 1 to 2.
  var logarithm: Double {
    let part = (significand - 1) / (significand + 1)
    let square = part * part
    return Double(exponent) * Self.logTwo + 2 * part * (1 + square * (1.0 / 3 + square * (0.2 + square / 7)))
  }

  private static var logTwo: Double { 0.693_147 }
}
