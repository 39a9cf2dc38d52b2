/// Text that came from the air or from a file: shown, never obeyed.
///
/// Control characters could drive a terminal, and marks that change the direction of writing could make a report say
/// what it does not. Both are shown as their numbers.
public enum AirText {
  /// Whether a character is shown as it is.
  static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: false
    case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: false
    case 0xE0000...0xE0FFF: false
    default: true
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

/// How many columns text takes on a terminal: wide characters two, marks none, colours none.
enum DisplayWidth {
  static func columns(_ text: some StringProtocol) -> Int {
    // Of plain ASCII, each octet is a column.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
    var columns = 0
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        isEscape = scalar != "m"
      } else if scalar == "\u{1B}" {
        isEscape = true
      } else {
        columns += width(scalar)
      }
    }
    return columns
  }

  static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x0300...0x036F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
