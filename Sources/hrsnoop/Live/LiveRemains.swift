import CaptureAnalysis
import CaptureFiles
import CaptureReports
import Octets

/// What stays on the terminal when a view that filled it is gone: what was found, what went wrong, what was recorded.
struct LiveRemains {
  var start: CaptureStart?
  var recording: LiveStatus.Recording?
  private let terminal: Destination
  private let context: ReportContext
  private let name: String
  private let isQuiet: Bool
  private var findings: [Finding] = []
  /// How many findings there were beside these.
  private var others = 0
  private var sentences: [String] = []

  /// More nobody reads.
  private static let most = 100

  /// - Parameter isQuiet: Whether only what was found stays.
  init(_ terminal: Destination, _ context: ReportContext, name: String, isQuiet: Bool) {
    (self.terminal, self.context, self.name, self.isQuiet) = (terminal, context, name, isQuiet)
  }

  mutating func note(_ finding: Finding) {
    if findings.append(finding, keepingGravest: Self.most, by: \.severity) { others += 1 }
  }

  mutating func note(_ sentence: String) {
    if !isQuiet { complain(sentence) }
  }

  /// Something went wrong, which is said however quiet it is to be.
  mutating func complain(_ sentence: String) {
    if sentences.count == Self.most { sentences.removeFirst() }
    sentences.append(sentence)
  }

  /// Writes them.
  /// - Parameters:
  ///   - facts: What the capture was like; nil if there was none.
  ///   - width: The columns there are.
  func write(_ facts: CaptureFacts?, width: Int) {
    var context = context
    context.width = width
    for sentence in sentences { StandardError.complain(sentence) }
    if let facts, let start {
      var report = TimelineFormat.text.report(
        kinds: ["capture", "finding", "end"], context, into: ReportBuffer { [terminal] in terminal.write($0) })
      report.begin(TimelineCapture(path: name))
      report.start(start)
      for finding in findings.sorted(by: { $0.frame ?? 0 < $1.frame ?? 0 }) { report.write(finding) }
      report.end(facts)
      report.flush()
    }
    if others > 0 {
      let are = others == 1 ? "is" : "are"
      StandardError.complain("\(others.words("finding")) more, no graver than these, \(are) not shown")
    }
    if !isQuiet, let recording, recording.trouble == nil, recording.octets > 0 {
      StandardError.complain("recorded \(recording.path), \(recording.octets) octets")
    }
  }
}
