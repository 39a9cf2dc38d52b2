import CaptureAnalysis

/// What begins a report on several captures: a line for each, with what was found in it, or that it could not be read.
struct CaptureTable {
  let context: ReportContext

  /// - Parameter titles: What each is called.
  func write(_ captures: [AnalyzedCapture], _ titles: [String], into buffer: inout ReportBuffer) {
    let paths = titles.map { AirText.shown($0, limit: 4096) }
    let figures = self.figures(captures.map(\.summary))
    let widths = Self.widths(figures)
    let room = context.width - Self.room(for: figures)
    let names = Self.names(paths, width: max(room, Self.leastName))
    let pathWidth = names.map(DisplayWidth.columns).max() ?? 0
    for ((name, figures), capture) in zip(zip(names, figures), captures) {
      var row = [TextLayout.padded(name, pathWidth)]
      switch capture {
      case .summary(let summary):
        for (figure, width) in zip(figures ?? [], widths) {
          row.append(TextLayout.padded(figure, width, alignedRight: true))
        }
        let sensors = DeviceReport.devices(of: summary).map(\.title).joined(separator: ", ")
        // Whose they are is told below; here as far as there is room.
        row.append(TextLayout.beginning(of: sensors, width: room - pathWidth - 3))
      case .failure(_, let message):
        let width = context.width - pathWidth - 3
        let words = "\(StoryText.mark(.error)) not read: \(AirText.shown(message, limit: 1000))"
        row.append(Style.severity(.error)(TextLayout.beginning(of: words, width: width), context))
      }
      buffer.write(row.filter { !$0.isEmpty }.joined(separator: "   ") + "\n")
    }
  }

  /// As much of each path as a width takes: its end, or where that is the same for several, what lies before it.
  private static func names(_ paths: [String], width: Int) -> [String] {
    let alike = Dictionary(grouping: paths) { TextLayout.ending(of: $0, width: width) }
    return paths.map { path in
      let ending = TextLayout.ending(of: path, width: width)
      let others = (alike[ending] ?? []).prefix(Self.mostCompared).filter { $0 != path }
      guard !others.isEmpty else { return ending }
      let shared = others.map { zip($0.reversed(), path.reversed()).prefix { $0 == $1 }.count }.min() ?? 0
      return TextLayout.ending(of: path.dropLast(shared) + "…", width: width)
    }
  }

  /// Of thousands that are alike, the first tell what all share.
  private static let mostCompared = 32

  /// Of a path, so much is told in any case.
  private static let leastName = 16
  /// With fewer columns, names need the room that the words beside the figures would take.
  private static let leastForWords = 72

  /// How much is said of a capture beside its name, as there is room.
  private enum Wording: CaseIterable {
    /// "20 measurements", "77–83 bpm", "✗ 2 errors, 1 warning".
    case whole
    /// "20", "77–83 bpm", "✗ 2 errors, 1 warning".
    case figures
    /// "20", "77–83 bpm", "✗ 2".
    case marks
    /// "77–83 bpm", "✗ 2".
    case rates
    /// "✗ 2".
    case mark
  }

  /// The figures of each capture that could be read, in as many words as leave room for the names.
  private func figures(_ summaries: [CaptureSummary?]) -> [[String]?] {
    var figures: [[String]?] = []
    for wording in Wording.allCases where wording != .whole || context.width >= Self.leastForWords {
      figures = summaries.map { $0.map { self.figures($0, wording) } }
      if Self.room(for: figures) + Self.leastName <= context.width { break }
    }
    return figures
  }

  private static func widths(_ figures: [[String]?]) -> [Int] {
    let rows = figures.compactMap { $0 }
    let columns = rows.map(\.count).max() ?? 0
    return (0..<columns).map { column in rows.map { DisplayWidth.columns($0[column]) }.max() ?? 0 }
  }

  /// How many columns they take, each three behind what stands before it.
  private static func room(for figures: [[String]?]) -> Int { widths(figures).reduce(0) { $0 + $1 + 3 } }

  /// How many measurements, between which rates, and what is wrong.
  private func figures(_ summary: CaptureSummary, _ wording: Wording) -> [String] {
    let statistics = summary.connections.compactMap { $0.heartRate?.statistics }
    let measurements = statistics.reduce(0) { $0 + $1.measurements }
    let rates = statistics.map(\.beatsPerMinute).filter { $0.count > 0 }
    let range = rates.map(\.least).min().flatMap { least in
      rates.map(\.most).max().map { "\(TimeText.range(least, $0)) bpm" }
    }
    return switch wording {
    case .whole:
      [
        TimeText.count(measurements, "measurement"), range ?? (measurements > 0 ? "none readable" : "no heart rate"),
        faults(summary),
      ]
    case .figures: [TimeText.count(measurements), range ?? "–", faults(summary)]
    case .marks: [TimeText.count(measurements), range ?? "–", faults(summary, isBrief: true)]
    case .rates: [range ?? "–", faults(summary, isBrief: true)]
    case .mark: [faults(summary, isBrief: true)]
    }
  }

  /// "✗ 2 errors, 1 warning", "✓ nothing unusual": what is only worth knowing is told below.
  /// - Parameter isBrief: Whether only the gravest are told, and without words: "✗ 2", "✓".
  private func faults(_ summary: CaptureSummary, isBrief: Bool = false) -> String {
    let counts = [Severity.error, .warning].map { severity in
      (severity, summary.findings.reduce(0) { $0 + ($1.severity == severity ? $1.amount : 0) })
    }
    let told = counts.filter { $0.1 > 0 }
    guard let (gravest, count) = told.first else {
      // Where there is nothing, it cannot be well.
      let mark = summary.connections.contains(where: \.hasMeasurements) ? Style.good("✓", context) : ""
      if isBrief { return mark.isEmpty ? "–" : mark }
      return mark.isEmpty ? "nothing unusual" : "\(mark) nothing unusual"
    }
    let words =
      isBrief ? TimeText.count(count) : told.map { TimeText.count($0.1, $0.0.rawValue) }.joined(separator: ", ")
    return "\(Style.severity(gravest)(StoryText.mark(gravest), context)) \(words)"
  }
}
