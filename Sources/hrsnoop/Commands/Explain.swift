import ArgumentParser
import CaptureReports

/// `hrsnoop explain`: what to know of captures.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "How to get a usable log from Android, iOS, macOS, Linux and Windows.",
    discussion: """
      Examples:
        hrsnoop explain capture
      """)

  /// What can be explained.
  enum Topic: String, CaseIterable, ExpressibleByArgument {
    /// How to get a full log.
    case capture
  }

  @Argument(help: "What is to be explained: capture.")
  var topic: Topic

  @OptionGroup var output: OutputOptions

  func run() throws {
    switch topic {
    case .capture: try output.open { buffer, context in CaptureAdvice(context).write(into: buffer) }
    }
  }
}
