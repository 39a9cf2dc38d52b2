import CaptureAnalysis
import CaptureFiles
import CaptureReports
import FuzzSupport
import Octets

/// Whatever a conversation, or a btsnoop file, comes to, is compared with itself, which differs in nothing, and with a
/// part of itself; each report must parse, or be safe to look at.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzComparison(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let capture = Conversation.captureOrFile(input)
    let whole = recorded(capture.span)
    let part = recorded(capture.span.extracting(first: capture.count * 2 / 3))
    let sides = SensorChoice.allSides(of: [whole])
    for side in sides {
      let comparison = Comparison([side, side])
      check(!comparison.differs, "a sensor differs from itself")
      for shared in comparison.shared where shared.connections.first.summary.id == shared.connections.second.summary.id
      {
        check(shared.lone.first.isEmpty && shared.lone.second.isEmpty, "a capture lacks what it has")
      }
    }
    let all = Array((sides + SensorChoice.allSides(of: [part])).prefix(8))
    guard all.count > 1 else { return }
    writeAll(Comparison(all), .any(for: input))
  }
  return 0
}

private func recorded(_ capture: Span<UInt8>) -> ComparedCapture {
  let recorder = BehaviourRecorder()
  var analyzer = Analyzer(into: recorder.receiver)
  _ = try? analyzer.read(capture, isLast: true)
  return recorder.capture(path: "input\u{7}\u{202E}", facts: analyzer.facts)
}

private func writeAll(_ comparison: Comparison, _ context: ReportContext) {
  for format in ComparisonFormat.allCases {
    check("\(format)", isJSON: format == .json, allowsColors: format == .text && context.isColored) {
      format.write(comparison, context, into: $0)
    }
  }
}
