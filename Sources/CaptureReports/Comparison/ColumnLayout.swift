/// Columns of a table: one for the titles, one a side, as wide as the terminal lets them be. Where it has no room for
/// them, a row is its title, and below it a line a side.
struct ColumnLayout {
  private let titleWidth: Int
  private let cellWidth: Int
  /// What stands between two columns.
  private let gap: Int
  private let width: Int
  /// Whether sides stand side by side.
  let hasColumns: Bool

  /// In narrower ones, words are no words any more.
  private static let leastCell = 6
  private static let leastTitle = 12

  init(sides: Int, _ rows: [ComparisonRows.Row], width: Int) {
    let longest = rows.map { DisplayWidth.columns($0.title) + ($0.isPart ? 4 : 2) }.max() ?? 0
    // Eight sides have nine columns each of a hundred: what stands between them gives way first, then the titles.
    gap = sides > 5 ? 1 : 2
    let needed = rows.flatMap(\.cells).map(DisplayWidth.columns).max() ?? 0
    // Titles leave room for cells that can be read.
    let left = width - sides * (gap + min(needed, Self.leastCell + 2))
    let most = min(sides > 5 ? max(18, width / 6) : 28, left)
    titleWidth = max(min(longest, most), Self.leastTitle)
    let room = (width - titleWidth - sides * gap) / max(sides, 1)
    cellWidth = min(room, max(needed, 24))
    hasColumns = room >= Self.leastCell
    self.width = width
  }

  /// The lines that a row takes.
  func lines(_ title: String, _ cells: [String]) -> [String] {
    let indent = String(title.prefix { $0 == " " })
    guard hasColumns else { return stacked(title, cells, indent: indent) }
    let columns =
      [Self.wrapped(title, titleWidth, hanging: indent + (title.isEmpty ? "" : " "))]
      + cells.map { Self.wrapped($0, cellWidth, hanging: "") }
    return (0..<(columns.map(\.count).max() ?? 0)).map { line in
      var text = ""
      for (index, column) in columns.enumerated() {
        let piece = line < column.count ? column[line] : ""
        let width = index == 0 ? titleWidth : cellWidth
        text += index == columns.count - 1 ? piece : TextLayout.padded(piece, width + gap)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  private func stacked(_ title: String, _ cells: [String], indent: String) -> [String] {
    Self.wrapped(title, width, hanging: indent + " ")
      + zip(1..., cells).flatMap { Self.wrapped("\(indent)  \($0)  \($1)", width, hanging: indent + "     ") }
  }

  /// Breaks text into lines between words, and words that are longer than a line anywhere.
  private static func wrapped(_ text: String, _ width: Int, hanging: String) -> [String] {
    guard DisplayWidth.columns(text) > width else { return [text] }
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isEmpty = true
    for word in text.split(separator: " ") {
      var rest = word[...]
      if !isEmpty, DisplayWidth.columns(line) + 1 + DisplayWidth.columns(rest) > width {
        lines.append(line)
        (line, isEmpty) = (hanging, true)
      }
      if !isEmpty { line += " " }
      while DisplayWidth.columns(line) + DisplayWidth.columns(rest) > width, rest.count > 1 {
        // A UUID breaks at a dash, where it has one.
        var fits = rest.prefix(max(1, width - DisplayWidth.columns(line)))
        while fits.count > 1, DisplayWidth.columns(line) + DisplayWidth.columns(fits) > width {
          fits = fits.dropLast()
        }
        if let dash = fits.lastIndex(of: "-"), fits.distance(from: fits.startIndex, to: dash) > 2 {
          fits = fits[...dash]
        }
        lines.append(line + fits)
        rest = rest[fits.endIndex...]
        line = hanging
      }
      line += rest
      isEmpty = false
    }
    lines.append(line)
    return lines
  }
}
