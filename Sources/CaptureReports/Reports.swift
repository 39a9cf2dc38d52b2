import CaptureAnalysis

/// How `analyze` shows its result.
public enum AnalysisFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// For programs: the schema `hrsnoop.analysis/1`.
  case json

  /// Writes the report of captures.
  public func write(_ captures: [AnalyzedCapture], _ context: ReportContext, into buffer: consuming ReportBuffer) {
    switch self {
    case .text: AnalysisText(context: context).write(captures, into: &buffer)
    case .json: AnalysisJSON(context: context).write(captures, into: buffer)
    }
    buffer.flush()
  }
}

/// How `gatt` shows its result.
public enum GATTFormat: String, CaseIterable, Sendable {
  /// For people: trees.
  case text
  /// For programs: the schema `hrsnoop.gatt/1`.
  case json

  /// Writes the databases of captures.
  public func write(_ captures: [AnalyzedCapture], _ context: ReportContext, into buffer: consuming ReportBuffer) {
    switch self {
    case .text: GATTText(context: context).write(captures.compactMap(\.summary), into: &buffer)
    case .json: GATTJSON(context: context).write(captures, into: buffer)
    }
    buffer.flush()
  }
}
