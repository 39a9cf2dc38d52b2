/// The logging device wrote the word PROHIBITED in place of what was said.
enum PayloadsReplaced: CaptureRule {
  static let about = RuleDescription(
    "payloads-replaced", .info,
    finds: "The logging device wrote the word PROHIBITED in place of what was said.",
    matters: "It hides phone books, messages and calls; heart rate is not among what it replaces.",
    advice: "Nothing, unless those are what you look for.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard facts.replacedPayloads > 0 else { return [] }
    let payloads = facts.replacedPayloads == 1 ? "1 payload was" : "\(facts.replacedPayloads) payloads were"
    return [
      finding(
        "\(payloads) replaced by the word PROHIBITED, as Android's filtered log does "
          + "with phone books, messages and calls; heart rate is not among what it replaces",
        count: facts.replacedPayloads)
    ]
  }
}
