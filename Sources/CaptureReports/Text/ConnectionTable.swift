import CaptureAnalysis
import CaptureFiles

/// What begins the report on a sensor with many connections: a line for each, or for the worst of very many, with the
/// gravest of what was found on it.
struct ConnectionTable {
  let context: ReportContext
  let times: ReportTimes

  /// Fewer are seen at a glance.
  static let leastConnections = 4

  /// Of more, those are listed on which the gravest was found.
  private static let mostConnections = 60

  func write(_ connections: [ConnectionSummary], of summary: CaptureSummary, into buffer: inout ReportBuffer) {
    let stories = connections.map { summary.story(of: $0) }
    let listed = Self.worst(of: stories)
    let heads = ["", "from", "length", "measurements", "bpm"]
    let rows = listed.map { figures(connections[$0]) }
    var widths = heads.indices.map { column in
      (rows + [heads]).map { DisplayWidth.columns($0[column]) }.max() ?? 0
    }
    // On a narrow terminal the last columns make room.
    while widths.count > 2, widths.reduce(2, { $0 + $1 + 2 }) > context.width { widths.removeLast() }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).map { TextLayout.padded($0, $1, alignedRight: true) }.joined(separator: "  ")
    }
    buffer.write("    \(Style.quiet(line(heads), context))\n")
    let room = context.width - widths.reduce(4) { $0 + $1 + 2 }
    for (row, place) in zip(rows, listed) {
      let story = stories[place]
      let (_, mark, style) = StoryText.sentence(story)
      let found = TextLayout.beginning(of: Self.first(of: story), width: room)
      buffer.write("  \(style(mark, context)) \(line(row))\(found.isEmpty ? "" : "  ")\(found)\n")
    }
    if listed.count < connections.count {
      let others = stories.indices.filter { !listed.contains($0) }
      let unusual = others.count { stories[$0].gravity != nil }
      let more = TimeText.count(others.count, "more connection")
      let text = unusual > 0 ? "\(more), something unusual on \(TimeText.count(unusual)) of them" : more
      buffer.write("    \(Style.quiet(TextLayout.beginning(of: text, width: context.width - 4), context))\n")
    }
  }

  /// The connections to list, in their order.
  private static func worst(of stories: [Story]) -> [Int] {
    guard stories.count > mostConnections else { return Array(stories.indices) }
    func isWorse(_ one: Int, _ other: Int) -> Bool {
      let (gravity, others) = (stories[one].gravity ?? .info, stories[other].gravity ?? .info)
      return gravity == others ? one < other : gravity > others
    }
    return stories.indices.sorted(by: isWorse).prefix(mostConnections).sorted()
  }

  /// Its number, when it was made, how long it was, how many measurements came, and between which rates.
  private func figures(_ connection: ConnectionSummary) -> [String] {
    let statistics = connection.heartRate?.statistics
    let rate = statistics?.beatsPerMinute
    let length = connection.closed.flatMap { times.duration(from: connection.first, to: $0) }
    return [
      "\(connection.id)", times.text(connection.first.time) ?? connection.first.frameText,
      length ?? "–", TimeText.count(statistics?.measurements ?? 0),
      rate.map { $0.count > 0 ? TimeText.range($0.least, $0.most) : "–" } ?? "–",
    ]
  }

  /// "notification-gap", "encryption-failed, 2 more": what is told first of it below, which explains the rest; nothing
  /// for what is only worth knowing.
  private static func first(of story: Story) -> String {
    if let finding = story.toldEarlier { return finding.rule }
    guard let chapter = story.chapters.first(where: { $0.severity > .info }) else { return "" }
    let others = story.chapters.count - 1 + story.repetitions.values.reduce(0, +) + story.others
    return others > 0 ? "\(chapter.rule), \(TimeText.count(others)) more" : chapter.rule
  }
}
