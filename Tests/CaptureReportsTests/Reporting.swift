import CaptureAnalysis
import CaptureReports
import Octets
import TestSupport

/// The text that a report writes.
func written(_ body: (ReportBuffer) throws -> Void) rethrows -> String {
  var octets = ContiguousArray<UInt8>()
  try body(ReportBuffer { octets.append(contentsOf: ContiguousArray($0)) })
  return String(decoding: octets, as: UTF8.self)
}

/// Captures as the program analyzes them.
enum Reporting {
  static func summary(_ path: String, _ octets: [UInt8], listsMeasurements: Bool = true) throws -> AnalyzedCapture {
    var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: listsMeasurements))
    try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    return .summary(analyzer.receiver.summary(path: path, facts: analyzer.facts))
  }

  static func context(_ width: Int, isTerminal: Bool = false, isColored: Bool = false) -> ReportContext {
    ReportContext(width: width, isTerminal: isTerminal, isColored: isColored, version: "1.2.3")
  }

  static func analysis(_ captures: [AnalyzedCapture], width: Int = 80, as format: AnalysisFormat = .text) -> String {
    written { format.write(captures, context(width), into: $0) }
  }

  static func databases(_ captures: [AnalyzedCapture], width: Int = 80, as format: GATTFormat = .text) -> String {
    written { format.write(captures, context(width), into: $0) }
  }

  static func timeline(
    _ path: String, _ octets: [UInt8], kinds: [String]? = nil, width: Int = 80, isTerminal: Bool = false,
    as format: TimelineFormat = .text
  ) throws -> String {
    try written { buffer in
      var report = format.report(kinds: kinds, context(width, isTerminal: isTerminal), into: buffer)
      report.begin(TimelineCapture(path: path))
      let forwarder = EventForwarder(selection: report.selection, start: { report.start($0) }) { report.write($0) }
      var analyzer = Analyzer(into: forwarder)
      try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
      report.end(analyzer.facts)
      report.flush()
    }
  }
}
