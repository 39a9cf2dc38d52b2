import ArgumentParser
import CaptureAnalysis
import CaptureReports

/// `hrsnoop explain`: what rules find, and how to get a usable log.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "What a rule finds, why it matters, what to do; or how to get a usable log.",
    discussion: """
      Examples:
        hrsnoop explain                        all rules
        hrsnoop explain notification-gap       one rule, with examples
        hrsnoop explain capture                how to get a full log
      """)

  @Argument(help: "A rule, or 'capture'; without one, all rules are listed.")
  var topic: String?

  @Option(help: "How it is written: text, or markdown, with all that is sent in the examples.")
  var format: Format = .text

  @OptionGroup var result: ResultOptions

  /// How it is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// For people at a terminal.
    case text
    /// For documentation: all that there is.
    case markdown
  }

  func run() throws {
    try result.open { buffer, context in
      switch (topic, format) {
      case ("capture", _): CaptureAdvice(context).write(into: buffer)
      case (let name?, .text):
        if let rule = RuleBook.rule(named: name) { RuleText(context).write(rule, into: buffer) }
      case (let name?, .markdown):
        if let rule = RuleBook.rule(named: name) { RuleMarkdown().write(rule, into: buffer) }
      case (nil, .text): RuleText(context).write(RuleBook.rules, into: buffer)
      case (nil, .markdown): RuleMarkdown().write(RuleBook.rules, into: buffer)
      }
    }
  }

  func validate() throws {
    guard topic != "capture" || format == .text else {
      throw ValidationError("How to get a log is written as text only.")
    }
    guard let topic, topic != "capture", RuleBook.rule(named: topic) == nil else { return }
    throw ValidationError(RuleBook.unknown(topic))
  }
}
