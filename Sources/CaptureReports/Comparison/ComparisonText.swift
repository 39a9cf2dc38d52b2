import CaptureAnalysis

/// `diff --format text`: side by side, differences first.
struct ComparisonText {
  private let context: ReportContext

  init(_ context: ReportContext) {
    self.context = context
  }

  func write(_ comparison: Comparison, into buffer: inout ReportBuffer) {
    let rows = ComparisonRows(comparison)
    let layout = ColumnLayout(sides: comparison.sides.count, rows.differing, width: context.width)
    writeHead(comparison, layout, hasColumns: !rows.differing.isEmpty, &buffer)
    for shared in comparison.shared { SharedConnectionText(context).write(shared, comparison.sides, into: &buffer) }
    if rows.differing.isEmpty {
      buffer.write(Style.good("nothing differs", context) + "\n")
    } else {
      buffer.write(Style.heading("differs", context) + "\n")
      for row in rows.differing { write(row, layout, &buffer) }
    }
    write("the same", rows.same, &buffer)
    write("differs too little to count", rows.alike, &buffer)
    write("not told by every capture", rows.untold, &buffer)
    writeTests(rows.tests, &buffer)
    let names = comparison.captureNames
    for capture in comparison.damagedCaptures {
      buffer.write("\n" + Style.heading(names[capture.origin] ?? "", context) + "\n")
      FindingText.write(damagesOf: capture.facts, context, indent: 2, into: &buffer)
    }
  }

  /// Who is compared: names above their columns, and where each is from.
  private func writeHead(
    _ comparison: Comparison, _ layout: ColumnLayout, hasColumns: Bool, _ buffer: inout ReportBuffer
  ) {
    let titles = comparison.sides.map { AirText.shown($0.title) }
    // Where names do not tell columns apart, the numbers below do.
    let heads =
      Set(titles).count == titles.count ? titles : zip(1..., titles).map { "\($0)  \($1)" }
    if hasColumns { for line in layout.lines("", heads) { buffer.write(Style.heading(line, context) + "\n") } }
    let names = comparison.captureNames
    for (index, side) in comparison.sides.enumerated() {
      let text = "\(index + 1)  \(titles[index]), \(Self.origin(of: side, names))"
      buffer.write(Style.quiet(TextLayout.continued(text, at: 0, margin: 3, width: context.width), context) + "\n")
      if let traits = side.traits, let sentence = ProfileText.sentence(of: traits, context.profiles) {
        buffer.write(TextLayout.sentence(sentence, indent: 3, width: context.width))
      }
    }
    buffer.write("\n")
  }

  /// "connections 1 and 4 in a.log", "connection 1 in a.log, connection 2 in b.log", "12 connections in 5 captures".
  private static func origin(of side: SensorBehaviour, _ names: [CaptureOrigin: String]) -> String {
    let captures = side.captures
    guard captures.count <= mostCaptures else {
      return "\(TimeText.count(side.connections.count, "connection")) in \(captures.count) captures"
    }
    return captures.map { capture in "\(side.connectionWords(in: capture)) in \(names[capture] ?? "")" }
      .joined(separator: ", ")
  }

  private static let mostCaptures = 3

  private func write(_ row: ComparisonRows.Row, _ layout: ColumnLayout, _ buffer: inout ReportBuffer) {
    let title = (row.isPart ? "    " : "  ") + row.title
    for line in layout.lines(title, row.cells) { buffer.write(line + "\n") }
  }

  private func write(_ title: String, _ pieces: [String], _ buffer: inout ReportBuffer) {
    guard !pieces.isEmpty else { return }
    buffer.write("\n" + Style.heading(title, context) + "\n")
    // Many have commas in them.
    buffer.write(TextLayout.sentence(pieces.joined(separator: "; "), indent: 2, width: context.width))
  }

  /// What told chance from difference, a line each: these are half sentences.
  private func writeTests(_ tests: [String], _ buffer: inout ReportBuffer) {
    guard !tests.isEmpty else { return }
    buffer.write("\n" + Style.heading("tested by", context) + "\n")
    for test in tests { buffer.write(TextLayout.flow([test], indent: 2, width: context.width, hanging: 4)) }
  }
}

/// Columns of a table: one for the titles, one a side, as wide as the terminal lets them be.
struct ColumnLayout {
  private let titleWidth: Int
  private let cellWidth: Int
  /// What stands between two columns.
  private let gap: Int

  init(sides: Int, _ rows: [ComparisonRows.Row], width: Int) {
    let longest = rows.map { DisplayWidth.columns($0.title) + ($0.isPart ? 4 : 2) }.max() ?? 0
    // Eight sides have nine columns each of a hundred: what stands between them gives way first, then the titles.
    gap = sides > 5 ? 1 : 2
    let titleWidth = min(max(longest, 12), sides > 5 ? max(18, width / 6) : 28)
    self.titleWidth = titleWidth
    let room = width - titleWidth - sides * gap
    let needed = rows.flatMap(\.cells).map(DisplayWidth.columns).max() ?? 0
    cellWidth = max(6, min(room / max(sides, 1), max(needed, 24)))
  }

  /// The lines that a row takes.
  func lines(_ title: String, _ cells: [String]) -> [String] {
    let indent = String(title.prefix { $0 == " " })
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

  /// Breaks text into lines between words, and words that are longer than a line anywhere.
  private static func wrapped(_ text: String, _ width: Int, hanging: String) -> [String] {
    guard DisplayWidth.columns(text) > width else { return [text] }
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isEmpty = true
    for word in text.split(separator: " ") {
      var rest = word[...]
      if !isEmpty, DisplayWidth.columns(line) + 1 + DisplayWidth.columns(String(rest)) > width {
        lines.append(line)
        (line, isEmpty) = (hanging, true)
      }
      if !isEmpty { line += " " }
      while DisplayWidth.columns(line) + DisplayWidth.columns(String(rest)) > width, rest.count > 1 {
        // A UUID breaks at a dash, where it has one.
        var fits = rest.prefix(max(1, width - DisplayWidth.columns(line)))
        while fits.count > 1, DisplayWidth.columns(line) + DisplayWidth.columns(String(fits)) > width {
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
