public import CaptureAnalysis

/// `explain`: what rules find, why it matters, what to do.
public struct RuleText: Sendable {
  private let context: ReportContext

  /// Explanations for a place.
  public init(_ context: ReportContext) {
    self.context = context
  }

  /// All rules, with a sentence for each.
  public func write(_ rules: [RuleDescription], into buffer: consuming ReportBuffer) {
    for severity in Severity.allCases.reversed() {
      let rules = rules.filter { $0.severity == severity }
      if rules.isEmpty { continue }
      buffer.write(Style.severity(severity)(severity.rawValue, context) + "\n")
      for rule in rules {
        buffer.write("  " + Style.heading(rule.name, context) + "\n")
        buffer.write(context.sentence(rule.finds, indent: 4))
      }
      buffer.write("\n")
    }
    buffer.write(context.sentence("More of one: hrsnoop explain RULE. A usable log: hrsnoop explain capture"))
    buffer.flush()
  }

  /// Everything about a rule.
  public func write(_ rule: RuleDescription, into buffer: consuming ReportBuffer) {
    let head = [Style.heading(rule.name, context), Style.severity(rule.severity)(rule.severity.rawValue, context)]
    buffer.write(context.flow(head))
    buffer.write(context.sentence(rule.finds, indent: 2))
    paragraph("Why it matters", rule.matters, &buffer)
    paragraph("What to do", rule.advice, &buffer)
    if let reference = rule.reference { paragraph("Written in", reference, &buffer) }
    if !rule.parameters.isEmpty {
      buffer.write(context.heading("To be set"))
      for parameter in rule.parameters {
        buffer.write("  --set \(rule.name).\(parameter.name)=\(number(parameter.value, decimals: 3))\n")
        buffer.write(context.sentence("\(parameter.meaning) (\(parameter.limits))", indent: 6))
      }
    }
    if !rule.examples.isEmpty { buffer.write(context.heading("Examples")) }
    for example in rule.examples {
      let mark = example.findings > 0 ? Style.bad("found", context) : Style.good("not found", context)
      buffer.write(context.sentence("\(mark): \(example.title)", indent: 2))
      let steps = ExampleWords.steps(of: example)
      guard DisplayWidth.columns(steps) + 6 <= context.width else { continue }
      buffer.write(context.sentence(Style.quiet(steps, context), indent: 6))
    }
    if !rule.examples.isEmpty {
      let more = "All that is sent in them: hrsnoop explain \(rule.name) --format markdown"
      buffer.write("\n" + context.sentence(Style.quiet(more, context), indent: 2))
    }
    buffer.flush()
  }

  private func paragraph(_ title: String, _ text: String, _ buffer: inout ReportBuffer) {
    buffer.write(context.heading(title))
    buffer.write(context.sentence(text, indent: 2))
  }
}
