public import CaptureAnalysis

/// How `diff` shows its result.
public enum ComparisonFormat: String, CaseIterable, Sendable {
  /// For people: side by side.
  case text
  /// For programs: the schema `hrsnoop.diff/1`.
  case json
  /// For a pull request: a table.
  case markdown

  /// What could not be read, and why.
  public typealias Failure = (path: String, message: String)

  /// Writes a comparison.
  /// - Parameters:
  ///   - unread: The sides that could not be read, and why: JSON tells them behind the others.
  ///   - failures: What else could not be read, and why.
  public func write(
    _ comparison: Comparison, unread: [Failure] = [], failures: [Failure] = [], _ context: ReportContext,
    into buffer: consuming ReportBuffer
  ) {
    // One side alone is no comparison.
    let isWorthIt = comparison.sides.count > 1
    switch self {
    case .text: if isWorthIt { ComparisonText(context).write(comparison, into: &buffer) }
    case .json: ComparisonJSON(context: context).write(comparison, unread, failures, into: buffer)
    case .markdown: if isWorthIt { ComparisonMarkdown(context).write(comparison, into: &buffer) }
    }
    buffer.flush()
  }
}
