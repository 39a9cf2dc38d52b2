import CaptureAnalysis
import CaptureReports
import FuzzSupport
import Octets

/// What goes on behind a capture's records: connections, fragments, ATT transactions, values. All events are written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConversation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let capture = Conversation.capture(input)
    let (octets, problem) = timeline(capture.span)
    check(problem == nil, "a capture that was built right is refused: \(problem ?? "")")
    if let problem = JSONChecker.problem(lines: octets.span) { fail(problem) }
  }
  return 0
}

private func timeline(_ capture: Span<UInt8>) -> (ContiguousArray<UInt8>, problem: String?) {
  let collector = Collector()
  var report = TimelineFormat.ndjson.report(kinds: nil, ReportContext(version: "fuzz"), into: collector.buffer)
  var analyzer = Analyzer(selection: [.all, .measurementOctets])
  var problem: String?
  var frame = 0
  var connections = 0
  do throws(ParsingError) {
    _ = try analyzer.read(capture, isLast: true) { event in
      // A request that nobody asked about is told when something makes it remarkable.
      if case .dialogue = event.content {} else {
        check(event.frame >= frame, "an event of record \(event.frame) behind one of record \(frame)")
        frame = event.frame
      }
      if case .connected = event.content { connections += 1 }
      check(event.connection ?? 0 <= connections, "an event of connection \(event.connection ?? 0) before it began")
      report.write(event)
    }
  } catch {
    problem = "\(error.layer), \(error)"
  }
  report.flush()
  return (collector.octets, problem)
}
