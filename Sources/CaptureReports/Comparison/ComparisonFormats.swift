public import CaptureAnalysis

/// How `diff` shows its result.
public enum ComparisonFormat: String, CaseIterable, Sendable {
  /// For people: side by side.
  case text
  /// For programs: the schema `hrsnoop.diff/1`.
  case json
  /// For a pull request: a table.
  case markdown

  /// Writes a comparison.
  public func write(_ comparison: Comparison, _ context: ReportContext, into buffer: consuming ReportBuffer) {
    switch self {
    case .text: ComparisonText(context).write(comparison, into: &buffer)
    case .json: buffer = ComparisonJSON(context).write(comparison, into: buffer)
    case .markdown: ComparisonMarkdown().write(comparison, into: &buffer)
    }
    buffer.flush()
  }

  /// Writes that there is nothing to compare, where programs read it: each side that could not be read, and why.
  public func write(
    failures: [(path: String, message: String)], _ context: ReportContext, into buffer: consuming ReportBuffer
  ) {
    if self == .json { buffer = ComparisonJSON(context).write(failures: failures, into: buffer) }
    buffer.flush()
  }
}
