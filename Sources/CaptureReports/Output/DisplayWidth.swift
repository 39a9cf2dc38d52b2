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
    // Nearly all that reports themselves are written in.
    switch scalar.value {
    case 0x00..<0x0300, 0x2010...0x2027, 0x2500...0x25A0: return 1
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    // Some stand visibly before numbers, as in Arabic.
    case .format: return properties.isDefaultIgnorableCodePoint ? 0 : 1
    default: return isWide(scalar) ? 2 : isJoinedJamo(scalar) ? 0 : 1
    }
  }

  /// Vowels and finals of a Hangul syllable, which stand below or behind its initial, and in its columns.
  private static func isJoinedJamo(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: true
    default: false
    }
  }

  /// What UAX #11 calls wide: East Asian scripts, and pictures.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    // Letters of which two make a flag.
    case 0x1F1E6...0x1F1FF: false
    default: scalar.properties.isEmojiPresentation
    }
  }
}
