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
    writeHead(comparison, layout, hasColumns: layout.hasColumns && !rows.differing.isEmpty, &buffer)
    for shared in comparison.shared { SharedConnectionText(context).write(shared, comparison.sides, into: &buffer) }
    if rows.differing.isEmpty {
      buffer.write(Style.good("nothing differs", context) + "\n")
    } else {
      buffer.write(Style.heading("differs", context) + "\n")
      for row in rows.differing { write(row, layout, &buffer) }
    }
    write("the same", rows.same, &buffer)
    write("not counted as a difference", rows.alike, &buffer)
    write("too little to test", rows.untested, &buffer)
    write("not told by every capture", rows.untold, &buffer)
    writeTests(rows.tests, &buffer)
    let names = comparison.captureNames
    for capture in comparison.damagedCaptures {
      buffer.write(context.heading(names[capture.origin] ?? ""))
      FindingText.write(damagesOf: capture.facts, context, indent: 2, into: &buffer)
    }
  }

  /// Who is compared: names above their columns, and where each is from.
  private func writeHead(
    _ comparison: Comparison, _ layout: ColumnLayout, hasColumns: Bool, _ buffer: inout ReportBuffer
  ) {
    if hasColumns {
      for line in layout.lines("", comparison.heads) { buffer.write(Style.heading(line, context) + "\n") }
    }
    for (number, (side, words)) in zip(1..., zip(comparison.sides, comparison.sideWords)) {
      buffer.write(Style.quiet(context.continued("\(number)  \(words)", at: 0, margin: 3), context) + "\n")
      if let traits = side.traits, let sentence = ProfileText.sentence(of: traits, context.profiles) {
        buffer.write(context.sentence(sentence, indent: 3))
      }
    }
    buffer.write("\n")
  }

  private func write(_ row: ComparisonRows.Row, _ layout: ColumnLayout, _ buffer: inout ReportBuffer) {
    let title = (row.isPart ? "    " : "  ") + row.title
    for line in layout.lines(title, row.cells) { buffer.write(line + "\n") }
  }

  private func write(_ title: String, _ pieces: [String], _ buffer: inout ReportBuffer) {
    guard !pieces.isEmpty else { return }
    buffer.write(context.heading(title))
    // Many have commas in them.
    buffer.write(context.sentence(pieces.joined(separator: "; "), indent: 2))
  }

  /// What told chance from difference, a line each: these are half sentences.
  private func writeTests(_ tests: [String], _ buffer: inout ReportBuffer) {
    guard !tests.isEmpty else { return }
    buffer.write(context.heading("tested by"))
    for test in tests { buffer.write(context.flow([test], indent: 2, hanging: 4)) }
  }
}
