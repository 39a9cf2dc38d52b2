public import CaptureAnalysis

/// Documentation/Rules.md: all rules, from the rules themselves.
public struct RuleMarkdown: Sendable {
  /// The only form there is.
  public init() {}

  /// Writes the page.
  public func write(_ rules: [RuleDescription], into buffer: consuming ReportBuffer) {
    buffer.write(
      """
      # Rules

      What hrsnoop looks for, from the rules themselves: `hrsnoop explain --format markdown` writes this page, and a test
      compares the two. An **error** breaks a rule of a specification, or is a connection that failed or was lost; a
      **warning** is what people report as a fault, or what hides one; **info** is worth knowing. Every example below is
      played by the tests.

      | rule | severity | what it finds |
      |---|---|---|

      """)
    for rule in rules {
      buffer.write(
        "| [`\(rule.name)`](#\(rule.name)) | \(rule.severity.rawValue) | \(MarkdownText.escaped(rule.finds)) |\n")
    }
    for rule in rules { write(rule, &buffer) }
    buffer.flush()
  }

  /// Writes what the page says of one rule.
  public func write(_ rule: RuleDescription, into buffer: consuming ReportBuffer) {
    write(rule, &buffer)
    buffer.flush()
  }

  private func write(_ rule: RuleDescription, _ buffer: inout ReportBuffer) {
    buffer.write("\n## \(rule.name)\n\n**\(rule.severity.rawValue).** \(MarkdownText.escaped(rule.finds))\n")
    buffer.write("\n*Why it matters.* \(MarkdownText.escaped(rule.matters))\n")
    buffer.write("\n*What to do.* \(MarkdownText.escaped(rule.advice))\n")
    if let reference = rule.reference { buffer.write("\n*Written in* \(reference).\n") }
    if !rule.parameters.isEmpty { buffer.write("\n") }
    for parameter in rule.parameters {
      let setting = "--set \(rule.name).\(parameter.name)=\(number(parameter.value, decimals: 3))"
      buffer.write("- `\(setting)`: \(parameter.meaning) (\(parameter.limits))\n")
    }
    if !rule.examples.isEmpty { buffer.write("\n| example | findings | what happens |\n|---|--:|---|\n") }
    for example in rule.examples {
      let steps = MarkdownText.escaped(ExampleWords.steps(of: example))
      buffer.write("| \(MarkdownText.escaped(example.title)) | \(example.findings) | \(steps) |\n")
    }
  }
}
