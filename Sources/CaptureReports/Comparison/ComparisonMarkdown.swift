import CaptureAnalysis

/// `diff --format markdown`: a table for a pull request.
struct ComparisonMarkdown {
  private let context: ReportContext

  init(_ context: ReportContext) {
    self.context = context
  }

  func write(_ comparison: Comparison, into buffer: inout ReportBuffer) {
    let rows = ComparisonRows(comparison)
    let titles = comparison.sides.map { AirText.shown($0.title) }
    buffer.write("### \(titles.map(Self.escaped).joined(separator: " and "))\n\n")
    if rows.differing.isEmpty {
      buffer.write("Nothing differs.\n")
    } else {
      buffer.write("| differs | \(titles.map(Self.escaped).joined(separator: " | ")) |\n")
      buffer.write("|---|\(String(repeating: "---|", count: titles.count))\n")
      for row in rows.differing {
        let title = row.isPart ? "· \(Self.escaped(row.title))" : "**\(Self.escaped(row.title))**"
        let cells = row.cells.isEmpty ? titles.map { _ in "" } : row.cells.map(Self.escaped)
        buffer.write("| \(title) | \(cells.joined(separator: " | ")) |\n")
      }
    }
    for shared in comparison.shared {
      for sentence in SharedConnectionText.sentences(shared) { buffer.write("\n\(Self.escaped(sentence))\n") }
      let lone = SharedConnectionText(context).loneMeasurements(shared)
      if !lone.isEmpty { buffer.write("\n") }
      for pieces in lone { buffer.write("- \(Self.escaped(pieces.joined(separator: ", ")))\n") }
    }
    write("The same", rows.same, &buffer)
    write("Differs too little to count", rows.alike, &buffer)
    write("Too little to test", rows.untested, &buffer)
    write("Not told by every capture", rows.untold, &buffer)
    if !rows.tests.isEmpty { buffer.write("\nTested by:\n\n") }
    for test in rows.tests { buffer.write("- \(Self.escaped(test))\n") }
    let names = comparison.captureNames
    for capture in comparison.damagedCaptures {
      let damages = capture.facts.damages.prefix(FindingText.most).map(\.message)
      write(Self.escaped(names[capture.origin] ?? ""), damages, &buffer)
    }
  }

  private func write(_ title: String, _ pieces: [String], _ buffer: inout ReportBuffer) {
    guard !pieces.isEmpty else { return }
    buffer.write("\n\(title): \(pieces.map(Self.escaped).joined(separator: "; ")).\n")
  }

  /// What Markdown, and the HTML in it, would take for its own.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "|", "\\", "`", "*", "_", "[", "]", "#", "~": escaped += "\\\(character)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
