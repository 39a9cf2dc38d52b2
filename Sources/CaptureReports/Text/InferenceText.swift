import CaptureAnalysis

// What was inferred, and why: a guess is only worth something with its reasons.

extension CaptureText {
  /// The reasons for which an attribute is taken for a heart rate measurement.
  func write(reasonsOf inference: Inference, _ buffer: inout ReportBuffer) {
    var pieces = shown(inference.evidence)
    if !pieces.isEmpty { pieces[0] = "why   " + pieces[0] }
    buffer.write(context.flow(pieces, indent: 4, hanging: 10))
  }

  /// Attributes whose values are heart rates as well, and such as fall short of being called so.
  func write(candidatesOf connection: ConnectionSummary, _ buffer: inout ReportBuffer) {
    for inference in connection.furtherInferences.prefix(Self.mostCandidates) {
      write(inference, "also heart rates on", "sure; the figures are of both", &buffer)
    }
    for candidate in connection.candidates.prefix(Self.mostCandidates) {
      let meaning =
        candidate.isDenied
        ? "sure by its values, but its table denies it" : "sure, too little to be called so"
      write(candidate, "perhaps heart rates on", meaning, &buffer)
    }
  }

  private func write(_ inference: Inference, _ what: String, _ meaning: String, _ buffer: inout ReportBuffer) {
    let text = "\(what) \(inference.handle.handleText): \(inference.confidenceText) \(meaning)"
    buffer.write(context.flow([Style.warning(text, context)] + shown(inference.evidence), indent: 4, hanging: 6))
  }

  /// Evidence may quote the name that a device gives itself.
  private func shown(_ evidence: [String]) -> [String] { evidence.map { AirText.shown($0, limit: 160) } }

  /// More would only be noise.
  private static let mostCandidates = 3
}

extension Inference {
  /// How sure it is, never rounded up to certainty, nor to what is enough.
  var confidenceText: String {
    let enough = CaptureKnowledge.usualMinConfidence * 100
    return confidence >= 0.9995 ? "over 99.9 %" : "\(number(confidence * 100, apartFrom: enough)) %"
  }
}
