import CaptureAnalysis
import CaptureReports
import FuzzSupport
import Octets

/// What goes on behind a capture's records: connections, fragments, ATT transactions, values. All events are written,
/// and drawn on a screen of any size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConversation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let capture = Conversation.capture(input)
    var view = LiveView(ReportContext(version: "fuzz"))
    let (octets, problem) = timeline(capture.span) { view.picture.note($0) }
    check(problem == nil, "a capture that was built right is refused: \(problem ?? "")")
    if let problem = JSONChecker.problem(lines: octets.span) { fail(problem) }
    draw(&view, columns: Int(input.isEmpty ? 80 : input[0]), rows: Int(input.count < 2 ? 24 : input[1] & 63))
  }
  return 0
}

/// Without colours and beyond ASCII, an octet is a column.
private func draw(_ view: inout LiveView, columns: Int, rows: Int) {
  let screen = LiveScreen(columns: columns, rows: rows, isColored: false, isUnicode: false)
  for key in [nil, .nextConnection, .pause] as [LiveView.Key?] {
    if let key { view.press(key, now: view.picture.lastTime) }
    let lines = view.lines(on: screen, now: view.picture.lastTime)
    check(lines.count <= rows, "\(lines.count) lines on a screen of \(rows)")
    check(lines.allSatisfy { $0.utf8.count <= columns }, "a line is wider than \(columns) columns")
  }
}

private func timeline(
  _ capture: Span<UInt8>, _ note: (Event) -> Void
) -> (ContiguousArray<UInt8>, problem: String?) {
  let collector = Collector()
  var report = TimelineFormat.ndjson.report(kinds: nil, ReportContext(version: "fuzz"), into: collector.buffer)
  var analyzer = Analyzer(selection: [.all, .measurementOctets])
  var problem: String?
  var frame = 0
  var connections = 0
  do throws(ParsingError) {
    _ = try analyzer.read(capture, isLast: true) { event in
      // A request that nobody asked about is told when something makes it remarkable.
      if case .dialogue = event.content {
      } else {
        check(event.frame >= frame, "an event of record \(event.frame) behind one of record \(frame)")
        frame = event.frame
      }
      if case .connected = event.content { connections += 1 }
      check(event.connection ?? 0 <= connections, "an event of connection \(event.connection ?? 0) before it began")
      report.write(event)
      note(event)
    }
  } catch {
    problem = "\(error.layer), \(error)"
  }
  report.flush()
  return (collector.octets, problem)
}
