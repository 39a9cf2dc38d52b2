import CaptureAnalysis

/// `analyze --format text`: what a person reads.
struct AnalysisText {
  let context: ReportContext

  func write(_ captures: [AnalyzedCapture], into buffer: inout ReportBuffer) {
    let summaries = captures.compactMap { capture in
      if case .summary(let summary) = capture { summary } else { nil }
    }
    if summaries.count > 1 { CaptureTable(context: context).write(summaries, into: &buffer) }
    for summary in summaries {
      if summaries.count > 1 { buffer.write("\n") }
      CaptureText(of: summary, context).write(into: &buffer)
      buffer.flushIfFull()
    }
    CaptureAdvice(context).write(for: summaries, into: &buffer)
  }
}
