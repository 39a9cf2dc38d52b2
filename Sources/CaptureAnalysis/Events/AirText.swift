/// Text that came from the air or from a file: shown, never obeyed.
///
/// Control characters could drive a terminal, marks that change the direction of writing could make a report say what it
/// does not, and what cannot be seen could make two names look alike. All are shown as their numbers.
public enum AirText {
  /// Whether a character is shown as it is.
  package static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: false
    // What chooses the form of the character before it is seen by that.
    default: !scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isVariationSelector
    }
  }

  /// The text with everything that is not shown as its number, and no more than `limit` characters of it.
  public static func shown(_ text: String, limit: Int = 64) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return shown + "…" }
      if isShown(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
      count += 1
    }
    return shown
  }
}
