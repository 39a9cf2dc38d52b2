/// Numbers as large as they are important.
///
/// Each digit is three dots wide and five high; a dot is two columns wide, so that it is about as high.
enum BigDigits {
  /// The lines of a digit at scale 1.
  static let height = 5
  private static let dots = [
    ["###", "# #", "# #", "# #", "###"], [" # ", "## ", " # ", " # ", "###"], ["###", "  #", "###", "#  ", "###"],
    ["###", "  #", "###", "  #", "###"], ["# #", "# #", "###", "  #", "  #"], ["###", "#  ", "###", "  #", "###"],
    ["###", "#  ", "###", "# #", "###"], ["###", "  #", "  #", "  #", "  #"], ["###", "# #", "###", "# #", "###"],
    ["###", "# #", "###", "  #", "###"],
  ]

  /// How many columns digits take.
  static func width(digits: Int, scale: Int) -> Int { max(0, digits * 8 - 2) * scale }

  /// A number's lines.
  static func lines(_ number: UInt16, scale: Int) -> [String] {
    (0..<height * scale).map { line in
      String(number).map { digit in
        dots[digit.wholeNumberValue ?? 0][line / scale].map { dot in
          String(repeating: dot == "#" ? "█" : " ", count: 2 * scale)
        }.joined()
      }.joined(separator: String(repeating: " ", count: 2 * scale))
    }
  }
}
