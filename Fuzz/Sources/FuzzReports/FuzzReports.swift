import CaptureAnalysis
import CaptureFiles
import CaptureReports
import FuzzSupport
import Octets

/// Every report of whatever a conversation, or a btsnoop file, comes to: JSON must parse, text must not drive a terminal,
/// and figures must not depend on whether measurements are listed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let capture = Conversation.captureOrFile(input)
    let figures = summary(capture.span, listsMeasurements: false)
    let lists = summary(capture.span, listsMeasurements: true)
    checkFigures(figures, lists)
    let context = ReportContext.any(for: input)
    for captures in [[AnalyzedCapture.summary(figures)], [.summary(lists), .failure(path: "\u{1B}", message: "no")]] {
      writeAll(captures, context)
    }
    check("timeline", isJSON: false, allowsColors: context.isColored) { buffer in
      var report = TimelineFormat.text.report(kinds: nil, context, into: buffer)
      var analyzer = Analyzer(into: EventForwarder(selection: report.selection, { report.write($0) }))
      report.begin(TimelineCapture(path: "input"))
      _ = try? analyzer.read(capture.span, isLast: true)
      report.end(analyzer.facts)
      report.flush()
    }
  }
  return 0
}

private func summary(_ capture: Span<UInt8>, listsMeasurements: Bool) -> CaptureSummary {
  var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: listsMeasurements))
  _ = try? analyzer.read(capture, isLast: true)
  return analyzer.receiver.summary(path: "input\u{7}\u{202E}", facts: analyzer.facts)
}

private func checkFigures(_ figures: CaptureSummary, _ lists: CaptureSummary) {
  check(figures.connections.count == lists.connections.count, "the connections depend on the lists")
  for (one, other) in zip(figures.connections, lists.connections) {
    let counts = [one, other].map { connection in
      connection.heartRate.map { session in
        [session.statistics.measurements, session.statistics.malformed, session.statistics.intervals.count]
      }
    }
    check(counts[0] == counts[1], "the figures depend on the lists")
    guard let session = other.heartRate else { continue }
    check(
      session.measurements.count <= session.statistics.measurements,
      "\(session.measurements.count) measurements are listed, \(session.statistics.measurements) counted")
  }
}

private func writeAll(_ captures: [AnalyzedCapture], _ context: ReportContext) {
  for format in AnalysisFormat.allCases {
    check("\(format)", isJSON: format == .json, allowsColors: context.isColored) {
      format.write(captures, context, into: $0)
    }
  }
  for format in GATTFormat.allCases {
    check("GATT, \(format)", isJSON: format == .json, allowsColors: context.isColored) {
      format.write(captures, context, into: $0)
    }
  }
}
