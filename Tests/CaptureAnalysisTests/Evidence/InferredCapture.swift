import CaptureFiles
import TestSupport

@testable import CaptureAnalysis

/// A capture, read as often as it takes to know what its attributes are.
struct InferredCapture {
  let events: [Event]
  let conclusions: Conclusions
  var knowledge: CaptureKnowledge

  init(_ host: HostSide, _ knowledge: CaptureKnowledge = CaptureKnowledge()) throws {
    try self.init(host.file(), knowledge)
  }

  init(_ octets: [UInt8], _ knowledge: CaptureKnowledge = CaptureKnowledge()) throws {
    var knowledge = knowledge
    let first = try knowledge.learnGrounds(from: try Self.read(octets, knowledge), { $0.conclusions }) { knowledge in
      try Self.read(octets, knowledge)
    }
    if try knowledge.learn(from: first.conclusions, readAgain: { try Self.read(octets, $0).conclusions }) {
      self = InferredCapture(events: try Self.read(octets, knowledge).events, first.conclusions, knowledge)
    } else {
      self = InferredCapture(events: first.events, first.conclusions, knowledge)
    }
  }

  private init(events: [Event], _ conclusions: Conclusions, _ knowledge: CaptureKnowledge) {
    self.events = events
    self.conclusions = conclusions
    self.knowledge = knowledge
  }

  private static func read(
    _ octets: [UInt8], _ knowledge: CaptureKnowledge
  ) throws -> (events: [Event], conclusions: Conclusions) {
    var events: [Event] = []
    var analyzer = Analyzer(into: EventForwarder(selection: .all, { events.append($0) }), knowing: knowledge)
    let octets = ContiguousArray(octets)
    _ = try analyzer.read(octets.span, isLast: true)
    return (events, analyzer.conclusions)
  }

  /// The handles on which measurements came, each with how many.
  var measurements: [UInt16: Int] {
    events.compactMap(\.content.heartRate).reduce(into: [:]) { $0[$1.handle, default: 0] += 1 }
  }

  /// What is wrong, beside what is only worth knowing.
  var findings: [Finding] {
    var diagnosis = Diagnosis(RuleSettings())
    for event in events { diagnosis.note(event) }
    diagnosis.finish()
    return diagnosis.findings.filter { $0.severity > .info }
  }

  func confidence(of handle: UInt16) -> Double? {
    conclusions.inferences.first { $0.inference.handle == handle }?.inference.confidence
  }
}
