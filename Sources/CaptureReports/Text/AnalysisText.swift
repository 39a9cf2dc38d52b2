import CaptureAnalysis

/// `analyze --format text`: what a person reads.
struct AnalysisText {
  let context: ReportContext

  func write(_ captures: [AnalyzedCapture], into buffer: inout ReportBuffer) {
    let titles = CaptureOrigin.titles(of: captures.map(\.origin))
    let read = zip(captures, titles).compactMap { capture, title in
      capture.summary.map { (summary: $0, title: title) }
    }
    // What cannot be read is missed in a report only beside what can.
    let hasTable = captures.count > 1 && !read.isEmpty
    if hasTable {
      CaptureTable(context: context).write(captures, titles, into: &buffer)
      SharedMeasurements(of: read.map(\.summary)).write(read.map(\.summary.origin), context, into: &buffer)
    }
    for (summary, title) in read {
      if hasTable { buffer.write("\n") }
      CaptureText(of: summary, titled: title, context).write(into: &buffer)
      buffer.flushIfFull()
    }
    CaptureAdvice(context).write(for: read, into: &buffer)
    writePointer(read.map(\.summary), &buffer)
  }

  /// Where a fault is explained: what is behind the gravest, for an example.
  private func writePointer(_ summaries: [CaptureSummary], _ buffer: inout ReportBuffer) {
    let stories = summaries.compactMap(\.gravestStory)
    guard let root = stories.max(by: { ($0.severity ?? .info) < ($1.severity ?? .info) })?.root else { return }
    let isOne = stories.allSatisfy { $0.root?.rule == root.rule }
    let text = "Why, and what to do: hrsnoop explain \(root.rule)\(isOne ? "" : "; and so on for every name above")"
    buffer.write("\n" + context.sentence(Style.quiet(text, context)))
  }
}
