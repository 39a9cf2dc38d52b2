import CaptureAnalysis

/// `analyze --format text`: what a person reads.
struct AnalysisText {
  let context: ReportContext

  func write(_ captures: [AnalyzedCapture], into buffer: inout ReportBuffer) {
    let summaries = captures.compactMap { capture in
      if case .summary(let summary) = capture { summary } else { nil }
    }
    let titles = CaptureSummary.titles(of: summaries)
    if summaries.count > 1 { CaptureTable(context: context).write(summaries, titles, into: &buffer) }
    for (summary, title) in zip(summaries, titles) {
      if summaries.count > 1 { buffer.write("\n") }
      CaptureText(of: summary, titled: title, context).write(into: &buffer)
      buffer.flushIfFull()
    }
    CaptureAdvice(context).write(for: summaries, into: &buffer)
    writePointer(summaries.flatMap(\.findings), &buffer)
  }

  /// Where a fault is explained: the gravest for an example.
  private func writePointer(_ findings: [Finding], _ buffer: inout ReportBuffer) {
    guard let severity = findings.map(\.severity).max(), severity > .info,
      let gravest = findings.first(where: { $0.severity == severity })
    else { return }
    let text = "Why, and what to do: hrsnoop explain \(gravest.rule)"
    buffer.write("\n" + Style.quiet(TextLayout.sentence(text, indent: 0, width: context.width), context))
  }
}
