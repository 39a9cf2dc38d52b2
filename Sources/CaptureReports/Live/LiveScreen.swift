import CaptureAnalysis

/// The screen that a live view is drawn on.
public struct LiveScreen: Hashable, Sendable {
  /// Its columns.
  public var columns: Int
  /// Its lines.
  public var rows: Int
  /// Whether colours are shown.
  public var isColored: Bool
  /// Whether it can show more than ASCII.
  public var isUnicode: Bool

  /// A screen from its properties.
  public init(columns: Int, rows: Int, isColored: Bool, isUnicode: Bool) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    self.isColored = isColored
    self.isUnicode = isUnicode
  }
}

/// A line of a screen: pieces of text, each in its style.
struct LiveLine {
  private(set) var pieces: [(text: String, style: Style?)] = []
  private(set) var columns = 0

  init(_ text: String = "", _ style: Style? = nil) {
    add(text, style)
  }

  mutating func add(_ text: String, _ style: Style? = nil) {
    guard !text.isEmpty else { return }
    pieces.append((text, style))
    columns += DisplayWidth.columns(text)
  }

  /// Goes on at a column.
  mutating func advance(to column: Int) {
    add(String(repeating: " ", count: max(0, column - columns)))
  }

  /// Adds pieces, three columns apart, as long as they fit into a width.
  mutating func flow(_ pieces: [(text: String, style: Style?)], width: Int) {
    for piece in pieces where !piece.text.isEmpty {
      let gap = columns == 0 ? 0 : 3
      guard columns + gap + DisplayWidth.columns(piece.text) <= width else { continue }
      advance(to: columns + gap)
      add(piece.text, piece.style)
    }
  }

  /// Adds pieces that look alike.
  mutating func flow(_ texts: [String], _ style: Style? = nil, width: Int) {
    flow(texts.map { ($0, style) }, width: width)
  }

  /// Adds text at the right edge, if there is room for it.
  mutating func addRight(_ text: String, _ style: Style? = nil, width: Int) {
    let start = width - DisplayWidth.columns(text)
    guard !text.isEmpty, start >= columns + (columns == 0 ? 0 : 2) else { return }
    advance(to: start)
    add(text, style)
  }

  /// The line as it goes to a terminal, never wider than the screen.
  func shown(on screen: LiveScreen) -> String {
    var shown = ""
    var left = screen.columns
    for piece in pieces where left > 0 {
      let text = screen.isUnicode ? piece.text : ASCIIText.of(piece.text)
      let fitting = DisplayWidth.prefix(of: text, columns: &left)
      if screen.isColored, let style = piece.style, !fitting.isEmpty {
        shown += style.opening + fitting + Style.closing
      } else {
        shown += fitting
      }
    }
    return shown
  }
}

extension DisplayWidth {
  /// As much of a text's beginning as fits into columns, of which it takes what it needs; where something does not, no
  /// more are left.
  fileprivate static func prefix(of text: String, columns: inout Int) -> String {
    var prefix = ""
    for scalar in text.unicodeScalars {
      // Whatever has come this way, nothing drives the terminal but styles.
      let scalar = AirText.isShown(scalar) ? scalar : "?"
      let width = width(scalar)
      guard width <= columns else {
        columns = 0
        break
      }
      columns -= width
      prefix.unicodeScalars.append(scalar)
    }
    return prefix
  }
}

/// Text for a terminal that shows only ASCII: as wide as it was.
enum ASCIIText {
  static func of(_ text: String) -> String {
    var ascii = ""
    for scalar in text.unicodeScalars { ascii += stand(for: scalar) }
    return ascii
  }

  private static func stand(for scalar: Unicode.Scalar) -> String {
    switch scalar {
    case _ where scalar.isASCII: String(scalar)
    case "–", "─": "-"
    case "…": "~"
    case "●", "✗": "*"
    case "○": "o"
    case "→", "▸", "›": ">"
    case "·": "."
    case "│", "┤": "|"
    case "█", "▇", "▆": "#"
    case "▅", "▄", "▃": ":"
    case "▂", "▁": "."
    case "♥": "*"
    default: String(repeating: "?", count: DisplayWidth.width(scalar))
    }
  }
}
