import CaptureAnalysis
import CaptureFiles
import CaptureReports
import FuzzSupport
import Octets

/// A whole capture, in whatever format its octets are taken for, down to the lines of a timeline. What is reported must
/// not depend on how the octets arrive, unless the capture is damaged: then the place where reading goes on may.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    let whole = Timeline(input, .whole, .ndjson)
    let pieces = Timeline(input, .pieces(Sizes(seed: Checksum(of: input).value)), .ndjson)
    if !whole.isDamaged, !pieces.isDamaged {
      check(whole.octets == pieces.octets, "it depends on how the octets arrive:\n\(whole.difference(pieces))")
      check(whole.error == pieces.error, "in pieces: \(pieces.error ?? "fine"); whole: \(whole.error ?? "fine")")
    }
    if let problem = JSONChecker.problem(lines: whole.octets.span) { fail(problem) }
    if let problem = JSONChecker.problem(lines: pieces.octets.span) { fail(problem) }
    let text = Timeline(input, .whole, .text)
    if let problem = TextChecker.problem(text.octets.span, allowsColors: false) { fail(problem) }
  }
  return 0
}

/// What `timeline` would write.
private struct Timeline {
  let octets: ContiguousArray<UInt8>
  let isDamaged: Bool
  let error: String?

  init(_ input: Span<UInt8>, _ delivery: Delivery, _ format: TimelineFormat) {
    let collector = Collector()
    var report = format.report(kinds: nil, ReportContext(version: "fuzz"), into: collector.buffer)
    var analyzer = Analyzer(into: EventForwarder(selection: report.selection, { report.write($0) }))
    var error: String?
    report.begin(TimelineCapture(path: "input"))
    do throws(ParsingError) {
      try deliver(input, delivery) { (octets, isLast) throws(ParsingError) in
        try analyzer.read(octets, isLast: isLast)
      }
      report.end(analyzer.facts)
    } catch let problem {
      error = "\(problem.layer), \(problem) at octet \(problem.offset)"
    }
    report.flush()
    octets = collector.octets
    isDamaged = analyzer.facts.progress.damageCount > 0
    self.error = error
  }

  private var lines: [String] {
    octets.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first lines that differ.
  func difference(_ other: Timeline) -> String {
    let (one, two) = (lines, other.lines)
    let same = zip(one, two).prefix { $0 == $1 }.count
    return "\(one.dropFirst(same).first ?? "the end")\n\(two.dropFirst(same).first ?? "the end")"
  }
}
