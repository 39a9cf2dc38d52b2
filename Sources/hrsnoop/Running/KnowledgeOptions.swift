import ArgumentParser
import CaptureAnalysis

/// What is known of captures beforehand, and how sure one must be of the rest.
struct KnowledgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How sure it must be, from 0 to 1, that an attribute without discovery is a heart rate measurement.",
      valueName: "confidence"))
  var minConfidence = CaptureKnowledge.usualMinConfidence

  func validate() throws {
    guard (0...1).contains(minConfidence) else {
      throw ValidationError("--min-confidence is a number from 0 to 1, not \(minConfidence).")
    }
  }

  /// The knowledge to begin with.
  func knowledge() -> CaptureKnowledge { CaptureKnowledge(minConfidence: minConfidence) }
}
