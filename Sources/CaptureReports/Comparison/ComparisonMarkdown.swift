import CaptureAnalysis

/// `diff --format markdown`: a table for a pull request.
struct ComparisonMarkdown {
  private let context: ReportContext

  init(_ context: ReportContext) {
    self.context = context
  }

  func write(_ comparison: Comparison, into buffer: inout ReportBuffer) {
    let rows = ComparisonRows(comparison)
    let titles = comparison.sides.map { MarkdownText.escaped(AirText.shown($0.title)) }
    buffer.write("### \(titles.joined(separator: " and "))\n\n")
    for (number, (side, words)) in zip(1..., zip(comparison.sides, comparison.sideWords)) {
      let profile = side.traits.flatMap { ProfileText.sentence(of: $0, context.profiles) }
      let sentences = [words] + [profile].compactMap(\.self)
      buffer.write("\(number). \(sentences.map(MarkdownText.escaped).joined(separator: ": "))\n")
    }
    buffer.write("\n")
    if rows.differing.isEmpty {
      buffer.write("Nothing differs.\n")
    } else {
      buffer.write("| differs | \(comparison.heads.map(MarkdownText.escaped).joined(separator: " | ")) |\n")
      buffer.write("|---|\(String(repeating: "---|", count: titles.count))\n")
      for row in rows.differing {
        let title = row.isPart ? "· \(MarkdownText.escaped(row.title))" : "**\(MarkdownText.escaped(row.title))**"
        let cells = row.cells.isEmpty ? titles.map { _ in "" } : row.cells.map(MarkdownText.escaped)
        buffer.write("| \(title) | \(cells.joined(separator: " | ")) |\n")
      }
    }
    for shared in comparison.shared {
      for sentence in SharedConnectionText.sentences(shared) { buffer.write("\n\(MarkdownText.escaped(sentence))\n") }
      let lone = SharedConnectionText(context).loneMeasurements(shared)
      if !lone.isEmpty { buffer.write("\n") }
      for pieces in lone { buffer.write("- \(MarkdownText.escaped(pieces.joined(separator: ", ")))\n") }
    }
    write("The same", rows.same, &buffer)
    write("Not counted as a difference", rows.alike, &buffer)
    write("Too little to test", rows.untested, &buffer)
    write("Not told by every capture", rows.untold, &buffer)
    if !rows.tests.isEmpty { buffer.write("\nTested by:\n\n") }
    for test in rows.tests { buffer.write("- \(MarkdownText.escaped(test))\n") }
    let names = comparison.captureNames
    for capture in comparison.damagedCaptures {
      let damages = capture.facts.damages.prefix(FindingText.most).map(\.message)
      write(MarkdownText.escaped(names[capture.origin] ?? ""), damages, &buffer)
    }
  }

  private func write(_ title: String, _ pieces: [String], _ buffer: inout ReportBuffer) {
    guard !pieces.isEmpty else { return }
    buffer.write("\n\(title): \(pieces.map(MarkdownText.escaped).joined(separator: "; ")).\n")
  }
}
