public import CaptureAnalysis

/// What became of one input: a summary, or why there is none.
public enum AnalyzedCapture: Sendable {
  /// It was read.
  case summary(CaptureSummary)
  /// It could not be opened, or is no capture.
  case failure(path: String, message: String)
}

extension AnalyzedCapture {
  /// Which capture it is, or would be.
  var origin: CaptureOrigin {
    switch self {
    case .summary(let summary): summary.origin
    case .failure(let path, _): CaptureOrigin(path: path)
    }
  }

  /// The summary, if there is one.
  public var summary: CaptureSummary? {
    if case .summary(let summary) = self { summary } else { nil }
  }
}
