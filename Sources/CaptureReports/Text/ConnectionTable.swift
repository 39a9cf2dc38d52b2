import CaptureAnalysis
import CaptureFiles

/// What begins the report on a sensor with many connections: a line for each, with the gravest of what was found on it.
struct ConnectionTable {
  let context: ReportContext
  let times: ReportTimes

  /// Fewer are seen at a glance.
  static let leastConnections = 4

  /// Of more, only those are listed on which something was found.
  private static let mostConnections = 60

  func write(_ connections: [ConnectionSummary], of summary: CaptureSummary, into buffer: inout ReportBuffer) {
    var listed = connections.map { (connection: $0, story: summary.story(of: $0)) }
    if listed.count > Self.mostConnections {
      listed = Array(
        listed.filter { $0.story.severity != nil || $0.story.toldEarlier != nil }.prefix(Self.mostConnections))
    }
    let heads = ["", "from", "length", "measurements", "bpm"]
    let rows = listed.map { figures($0.connection) }
    let widths = heads.indices.map { column in
      (rows + [heads]).map { DisplayWidth.columns($0[column]) }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).map { TextLayout.padded($0, $1, alignedRight: true) }.joined(separator: "  ")
    }
    buffer.write("    \(Style.quiet(line(heads), context))\n")
    let room = context.width - widths.reduce(4) { $0 + $1 + 2 }
    for (row, (_, story)) in zip(rows, listed) {
      let (_, mark, style) = StoryText.sentence(story)
      let found = TextLayout.beginning(of: Self.gravest(story), width: room)
      buffer.write("  \(style(mark, context)) \(line(row))\(found.isEmpty ? "" : "  ")\(found)\n")
    }
    if listed.count < connections.count {
      let more = TimeText.count(connections.count - listed.count, "more connection")
      buffer.write("    \(Style.quiet(more, context))\n")
    }
  }

  /// Its number, when it was made, how long it was, how many measurements came, and between which rates.
  private func figures(_ connection: ConnectionSummary) -> [String] {
    let statistics = connection.heartRate?.statistics
    let rate = statistics?.beatsPerMinute
    let isTold = connection.first.time.isTold
    let length = connection.closed.flatMap { times.duration(from: connection.first, to: $0) }
    return [
      "\(connection.id)", isTold ? times.text(connection.first.time) : connection.first.frameText,
      length ?? "–", TimeText.count(statistics?.measurements ?? 0),
      rate.map { $0.count > 0 ? "\($0.least)–\($0.most)" : "–" } ?? "–",
    ]
  }

  /// "notification-gap", "supervision-timeout, 2 more"; nothing for what is only worth knowing.
  private static func gravest(_ story: Story) -> String {
    if let finding = story.toldEarlier { return finding.rule }
    guard let chapter = story.chapters.last else { return "" }
    let others = story.chapters.count - 1 + story.repetitions + story.others
    return others > 0 ? "\(chapter.rule), \(TimeText.count(others)) more" : chapter.rule
  }
}
