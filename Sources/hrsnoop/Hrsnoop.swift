import ArgumentParser
import CaptureAnalysis
import CaptureReports

/// The program: its commands, and what they have in common.
@main
struct Hrsnoop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hrsnoop",
    abstract: "Says what a heart rate sensor sent, from any Bluetooth capture.",
    usage: """
      hrsnoop [<options>] <path> ...
      hrsnoop <command> [<options>] ...
      """,
    discussion: """
      Reads btsnoop, pcap, pcapng and Apple PacketLogger captures, also in archives and bug reports, follows every \
      connection in them, and finds the heart rate measurements. Without a command, it analyzes.

      Examples:
        hrsnoop btsnoop_hci.log                what happened, for people
        hrsnoop bugreport.zip                  the same, as the phone packed it
        hrsnoop --format json capture.pcapng   the same, for programs
        hrsnoop timeline - < capture.pcap      every event, a line each
        hrsnoop gatt capture.pklg              the GATT database of each peer
        hrsnoop diff polar.log tickr.log       two sensors side by side
        hrsnoop live                           what happens on this computer
        hrsnoop decode 2A37 "16 48 e8 03"      one value
        hrsnoop explain notification-gap       what a rule finds, and what to do
        hrsnoop explain capture                how to get a full log

      'hrsnoop help analyze' lists the options that it takes without a command, such as --format, --device and --fail-on.

      Exit codes: 0 done; 1 a finding as grave as --fail-on says, or with diff --fail-on-difference a difference; 2 an \
      input could not be read or the result not be written, or with --fail-on nothing in it is what was asked for; 64 \
      wrong usage.
      """,
    version: Program.version,
    subcommands: [
      Analyze.self, Timeline.self, GATT.self, Diff.self, Live.self, Decode.self, Explain.self,
    ],
    defaultSubcommand: Analyze.self)

  static func main() {
    StandardStreams.hold()
    ignoreWriteSignals()
    let arguments = ProgramArguments.all
    if let topic = unknownTopic(arguments) {
      end(with: ValidationError("There is no command '\(topic)' to help with: 'hrsnoop help' lists them."))
    }
    if let word = arguments.first, let meant = MistakenCommand.meant(by: word, among: commandNames) {
      StandardError.complain("there is no command '\(word)': '\(meant)' may be meant")
    }
    if let word = MistakenCommand.misplaced(in: arguments, among: commandNames) {
      end(with: ValidationError("The command comes first: hrsnoop \(word) …, and its options behind it."))
    }
    do {
      // Of wrong usage, the parser tells in the words it was given: where octets are no text, they are not those that
      // stand for them here.
      var command = try direct(arguments) ?? (try? parseAsRoot(arguments)) ?? parseAsRoot(nil)
      try command.run()
    } catch {
      end(with: error)
    }
  }

  /// Ends the program, and says why: the arguments that a message repeats are shown, not obeyed.
  private static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let text = fullMessage(for: error)
    if code.isSuccess {
      // Help is what was asked for: a result, which may find no room as any other.
      if !text.isEmpty { Destination().write(ContiguousArray("\(text)\n".utf8).span) }
    } else {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let message = lines.map { AirText.shown(String($0), limit: .max) }.joined(separator: "\n")
      if !message.isEmpty { StandardError.say(message + "\n") }
    }
    exit(withError: code)
  }

  private static var commandNames: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

  /// What help is asked for, if that is no command: the parser would show its own, and be content.
  private static func unknownTopic(_ arguments: [String]) -> String? {
    guard arguments.first == "help", let topic = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else {
      return nil
    }
    return commandNames.contains(topic) ? nil : topic
  }

  /// The command that is meant, if it can be told at once. The parser would look at all commands first, and that takes
  /// longer than most captures; wherever there is more to say, it says it.
  private static func direct(_ arguments: [String]) -> (any ParsableCommand)? {
    func command(_ type: any ParsableCommand.Type, _ arguments: [String]) -> (any ParsableCommand)? {
      guard let command = try? type.parseAsRoot(arguments), Swift.type(of: command) == type else { return nil }
      return command
    }
    let types = configuration.subcommands
    if let first = arguments.first, let named = types.first(where: { $0._commandName == first }) {
      return command(named, Array(arguments.dropFirst()))
    }
    guard !arguments.isEmpty, let usual = configuration.defaultSubcommand else { return nil }
    return arguments.contains(where: commandNames.contains) ? nil : command(usual, arguments)
  }
}
