import BluetoothHost
import CaptureAnalysis
import CaptureReports
import FuzzSupport
import Octets

/// What goes on behind a capture's records: connections, fragments, ATT transactions, values. All events are written,
/// and drawn on a screen of any size. Cut in two, the second part goes on with nobody but those with whom the first ended.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConversation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let capture = Conversation.capture(input)
    var view = LiveView(ReportContext(version: "fuzz"))
    let (octets, problem) = timeline(capture.span) { view.picture.note($0) }
    check(problem == nil, "a capture that was built right is refused: \(problem ?? "")")
    if let problem = JSONChecker.problem(lines: octets.span) { fail(problem) }
    checkContinuation(of: capture)
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
  _ capture: Span<UInt8>, _ note: @escaping (Event) -> Void
) -> (ContiguousArray<UInt8>, problem: String?) {
  let collector = Collector()
  var report = TimelineFormat.ndjson.report(kinds: nil, ReportContext(version: "fuzz"), into: collector.buffer)
  var problem: String?
  var frame = 0
  var connections = 0
  let forwarder = EventForwarder(selection: [.all, .measurementOctets], start: nil) { event in
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
  var analyzer = Analyzer(into: forwarder)
  do throws(ParsingError) {
    _ = try analyzer.read(capture, isLast: true)
  } catch {
    problem = "\(error.layer), \(error)"
  }
  report.flush()
  return (collector.octets, problem)
}

/// Reads the two halves of a capture, the second knowing the first.
private func checkContinuation(of capture: ContiguousArray<UInt8>) {
  guard let border = Conversation.border(in: capture) else { return }
  let first = OpenConnections(capture.span.extracting(first: border), knowing: CaptureKnowledge())
  var knowledge = CaptureKnowledge()
  knowledge.remember(first.conclusions)
  let rest = Conversation.header + capture[border...]
  let second = OpenConnections(rest.span, knowing: knowledge)
  for carried in second.carried {
    check(first.open.values.contains(carried), "\(carried) goes on that was not there")
  }
}

/// The connections of a capture, as its events tell them.
private struct OpenConnections {
  /// Those that are there in the end, by their number.
  private(set) var open: [Int: Known] = [:]
  /// Those whose peers were known before.
  private(set) var carried: [Known] = []
  private(set) var conclusions = Conclusions()

  struct Known: Hashable {
    let adapter: UInt16
    let handle: UInt16
    let peer: DeviceAddress?
  }

  init(_ capture: Span<UInt8>, knowing knowledge: CaptureKnowledge) {
    var (open, carried) = (open, carried)
    let forwarder = EventForwarder(selection: .all, start: nil) { event in
      guard let connection = event.connection else { return }
      switch event.content {
      case .connected(let event):
        let known = Known(adapter: event.adapter, handle: event.handle, peer: event.peer.address)
        open[connection] = known
        if event.peer.wasKnown { carried.append(known) }
      case .disconnected: open[connection] = nil
      default: break
      }
    }
    var analyzer = Analyzer(into: forwarder, knowing: knowledge)
    _ = try? analyzer.read(capture, isLast: true)
    conclusions = analyzer.conclusions
    (self.open, self.carried) = (open, carried)
  }
}
