/// Lines of a report for people: pieces side by side as far as the width goes, the rest below.
public enum TextLayout {
  /// Sets pieces side by side, three columns apart; those that do not fit go on the next line, indented alike. One that is
  /// wider than a line is broken between words.
  static func flow(_ pieces: [String], indent: Int, width: Int, hanging: Int? = nil) -> String {
    var lines = BrokenLines(at: indent, margin: hanging ?? indent, width: width)
    for piece in pieces where !piece.isEmpty {
      lines.put(piece, behind: lines.text.isEmpty ? 0 : 3)
    }
    return lines.text.isEmpty ? "" : spaces(indent) + lines.text + "\n"
  }

  /// Breaks a sentence into lines.
  /// - Parameters:
  ///   - indent: How many spaces stand before each.
  ///   - width: How many columns there are.
  /// - Returns: The lines, each with a line feed.
  public static func sentence(_ sentence: String, indent: Int, width: Int) -> String {
    spaces(indent) + continued(sentence, at: indent, margin: indent, width: width) + "\n"
  }

  /// Goes on with a text at a column, broken between words.
  /// - Parameter margin: Where the lines below begin.
  static func continued(_ text: String, at column: Int, margin: Int, width: Int) -> String {
    var lines = BrokenLines(at: column, margin: margin, width: width)
    lines.put(text, behind: 0)
    return lines.text
  }

  fileprivate static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// As much of a text's end as a width takes: of a path, that is what tells it from others.
  static func ending(of text: String, width: Int) -> String {
    guard DisplayWidth.columns(text) > width else { return text }
    return "…" + text.suffix(count(of: text.reversed(), below: width))
  }

  /// As much of a text's beginning as a width takes.
  static func beginning(of text: String, width: Int) -> String {
    guard DisplayWidth.columns(text) > width else { return text }
    let count = count(of: text, below: width)
    return count == 0 ? "" : text.prefix(count) + "…"
  }

  /// How many characters leave a column free. Each is measured once: of thousands of sensors, all the names are one text.
  private static func count(of characters: some Collection<Character>, below width: Int) -> Int {
    var room = width
    return characters.prefix { character in
      room -= DisplayWidth.columns(String(character))
      return room > 0
    }.count
  }

  /// Text with spaces up to a width.
  static func padded(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - DisplayWidth.columns(text)))
    return alignedRight ? space + text : text + space
  }
}

// The same in the columns that a report has.

extension ReportContext {
  func flow(_ pieces: [String], indent: Int = 0, hanging: Int? = nil) -> String {
    TextLayout.flow(pieces, indent: indent, width: width, hanging: hanging)
  }

  func sentence(_ sentence: String, indent: Int = 0) -> String {
    TextLayout.sentence(sentence, indent: indent, width: width)
  }

  func continued(_ text: String, at column: Int, margin: Int) -> String {
    TextLayout.continued(text, at: column, margin: margin, width: width)
  }
}

/// Text that is broken where a line has no room for what comes next.
private struct BrokenLines {
  private(set) var text = ""
  private var column: Int
  /// Columns that stay free before what comes next, if that comes on the same line.
  private var gap = 0
  /// Whether something stands on the line: the next has no more room than one where nothing does.
  private var isBegun: Bool
  private let margin: Int
  private let width: Int

  /// - Parameters:
  ///   - column: Where the first line goes on.
  ///   - margin: Where those below it begin.
  init(at column: Int, margin: Int, width: Int) {
    (self.column, self.margin, self.width) = (column, margin, width)
    isBegun = column > margin
  }

  /// Puts a text behind so many columns that stay free; it is broken between words if it is wider than a line.
  mutating func put(_ next: String, behind free: Int) {
    let needed = DisplayWidth.columns(next)
    gap = free
    if free > 0, !hasRoom(for: needed) { breakLine() }
    // Most have room enough.
    if hasRoom(for: needed) { return append(next, needed) }
    for (place, word) in Self.words(of: next).enumerated() {
      if place > 0 { gap += 1 }
      put(word: word)
    }
  }

  private mutating func put(word: Substring) {
    let needed = DisplayWidth.columns(word)
    if needed == 0 { return }
    if isBegun, !hasRoom(for: needed) { breakLine() }
    if hasRoom(for: needed) || !mayBreak(word) { return append(word, needed) }
    var rest = word
    while let first = rest.first {
      // What changes the colour takes no room of its own.
      let isEscape = first == "\u{1B}"
      let scalars = rest.unicodeScalars
      let end = isEscape ? scalars.firstIndex(of: "m").map(scalars.index(after:)) : nil
      let piece = end.map { rest[..<$0] } ?? rest.prefix(1)
      let needed = DisplayWidth.columns(piece)
      if isBegun, !hasRoom(for: needed) { breakLine() }
      append(piece, needed)
      rest = rest[piece.endIndex...]
    }
  }

  /// Whether a word that is wider than a line is broken, as a name from the air may be. Whoever copies a path wants it in
  /// one piece, and so does who reads a number with its unit; and in a few columns nothing can be read anyway.
  private func mayBreak(_ word: Substring) -> Bool {
    width - margin >= 16 && !word.utf8.contains { Self.unbroken.contains($0) }
  }

  private static let unbroken: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: " ")]

  /// What a line may be broken between: a number and its unit are one word.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    for octets in text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      let word = Substring(octets)
      if let last = words.last, last.last?.isNumber ?? false, isUnit(word) {
        words[words.count - 1] = text[last.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  private static func isUnit(_ word: Substring) -> Bool {
    let letters = word.prefix { $0.isLetter || $0 == "%" }
    return units.contains(letters) && !word.dropFirst(letters.count).contains { $0.isLetter || $0.isNumber }
  }

  private static let units: Set<Substring> = ["ms", "s", "min", "h", "bpm", "dBm", "kJ", "%", "octets"]

  private func hasRoom(for needed: Int) -> Bool { column + gap + needed <= width }

  private mutating func breakLine() {
    text += "\n" + TextLayout.spaces(margin)
    (column, gap, isBegun) = (margin, 0, false)
  }

  private mutating func append(_ next: some StringProtocol, _ needed: Int) {
    text += TextLayout.spaces(gap)
    text += next
    column += gap + needed
    (gap, isBegun) = (0, true)
  }
}
