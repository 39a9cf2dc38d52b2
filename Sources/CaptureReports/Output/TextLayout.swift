/// Lines of a report for people: pieces side by side as far as the width goes, the rest below.
enum TextLayout {
  /// Sets pieces side by side, three columns apart; those that do not fit go on the next line, indented alike. One that is
  /// wider than a line is broken between words.
  static func flow(_ pieces: [String], indent: Int, width: Int, hanging: Int? = nil) -> String {
    var text = ""
    var column = 0
    for piece in pieces where !piece.isEmpty {
      let needed = DisplayWidth.columns(piece)
      if text.isEmpty {
        text = String(repeating: " ", count: indent)
        column = indent
      } else if column + 3 + needed > width {
        let margin = hanging ?? indent
        text += "\n" + String(repeating: " ", count: margin)
        column = margin
      } else {
        text += "   "
        column += 3
      }
      guard column + needed > width else {
        text += piece
        column += needed
        continue
      }
      let margin = hanging ?? indent
      for (place, word) in piece.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        let needed = DisplayWidth.columns(word)
        if place > 0, column + 1 + needed > width {
          text += "\n" + String(repeating: " ", count: margin)
          column = margin
        } else if place > 0 {
          text += " "
          column += 1
        }
        text += word
        column += needed
      }
    }
    return text.isEmpty ? "" : text + "\n"
  }

  /// Breaks a sentence into lines.
  static func sentence(_ sentence: String, indent: Int, width: Int) -> String {
    var text = String(repeating: " ", count: indent)
    // Most are short enough.
    if DisplayWidth.columns(sentence) <= width - indent { return text + sentence + "\n" }
    var column = indent
    for octets in sentence.utf8.split(separator: UInt8(ascii: " ")) {
      let word = Substring(octets)
      let needed = DisplayWidth.columns(word)
      if column > indent, column + 1 + needed > width {
        text += "\n" + String(repeating: " ", count: indent)
        column = indent
      } else if column > indent {
        text += " "
        column += 1
      }
      text += word
      column += needed
    }
    return text + "\n"
  }

  /// As much of a text's end as a width takes: of a path, that is what tells it from others.
  static func ending(of text: String, width: Int) -> String {
    guard DisplayWidth.columns(text) > width else { return text }
    var ending = text[...]
    while !ending.isEmpty, DisplayWidth.columns(String(ending)) >= width { ending = ending.dropFirst() }
    return "…" + ending
  }

  /// As much of a text's beginning as a width takes.
  static func beginning(of text: String, width: Int) -> String {
    guard DisplayWidth.columns(text) > width else { return text }
    var beginning = text[...]
    while !beginning.isEmpty, DisplayWidth.columns(String(beginning)) >= width { beginning = beginning.dropLast() }
    return beginning.isEmpty ? "" : beginning + "…"
  }

  /// Text with spaces up to a width.
  static func padded(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - DisplayWidth.columns(text)))
    return alignedRight ? space + text : text + space
  }
}
