import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources
import LiveCapture

/// `hrsnoop live`: what happens, while it happens.
struct Live: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Follow connections while they last: from this computer's adapters, a growing file, a pipe or a phone.",
    discussion: """
      Without a source, it captures what all Bluetooth adapters of this computer do (Linux only), through the program \
      hrsnoop-capture, which is installed beside it and needs a right:
        sudo setcap cap_net_raw+ep /usr/local/bin/hrsnoop-capture

      On a terminal it is a view that fills it: q quits, p pauses, the arrows open findings, tab shows the next \
      connection, w records. Into a file or a pipe, and with --no-view, it writes lines.

      It ends at Control-C, at the end of its source, or when --duration or --until-disconnect say so. Exit codes: 0 \
      done; 1 a finding as grave as --fail-on says; 2 the source or a GATT map could not be opened or read, what \
      was to be recorded was not, or --fail-on had nothing to judge; 64 wrong usage.

      Examples:
        hrsnoop live                                      all adapters
        hrsnoop live --device "Polar H7" --format ndjson  one sensor, for programs
        hrsnoop live --duration 5m --fail-on warning      a test of a sensor
        hrsnoop live --write run.pcapng --rotate 100M     recorded at the same time
        hrsnoop live --follow btsnoop_hci.log             a log that grows
        adb forward tcp:8872 tcp:8872
        hrsnoop live --connect localhost:8872             an Android device's log
        ssh pi tcpdump -i bluetooth-monitor -U -w - | hrsnoop live -
      """)

  @OptionGroup(title: "Source") var source: LiveSourceOptions

  @OptionGroup(title: "Recording") var recording: RecordingOptions

  @Option(help: "How events are shown: text or ndjson.")
  var format: LiveFormat = .text

  @Option(
    help: ArgumentHelp("End after this long: 90, 90s, 5m or 2h.", valueName: "time"),
    transform: Duration.init(read:))
  var duration: Duration?

  @Flag(help: "End when a connection ends that showed heart rates, or that --device or --connection choose.")
  var untilDisconnect = false

  @Flag(help: "On a terminal, lines as they come instead of a view that fills it.")
  var noView = false

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a finding was at least this grave: error, warning or info.", valueName: "severity"))
  var failOn: Severity?

  @OptionGroup(title: "Rules") var rules: RuleOptions

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var appearance: AppearanceOptions

  func run() throws {
    var failures: [InputError] = []
    var knowledge = known.knowledge(in: part.timeZone, &failures)
    guard failures.isEmpty else { throw ExitCode(ExitStatus.unreadable) }
    let settings = try rules.settings()
    let gravest: Severity?
    do {
      let system = source.systemKnowledge
      system?.add(to: &knowledge)
      let input = try source.open()
      var gravestYet: () -> Severity? = { nil }
      // As soon as nobody reads the lines any more.
      let destination = Destination(whenGone: { status(gravestYet()) })
      let display = display(input, on: destination)
      let events = LiveEvents(
        display, filter: part.filter, rules: settings, untilDisconnect: untilDisconnect,
        hasPast: input.hasPast && !source.fromStart)
      gravestYet = { events.gravest }
      var run = try LiveRun(
        input, display, on: destination, events, knowing: knowledge,
        recording: recording.plan(following: source.follow, sparing: source.files(known.gattMap)),
        duration: duration)
      for sentence in [system?.sentence, knowledge.unnamedSentence].compactMap(\.self) {
        display.say("\(inputText(input.name)): \(sentence)")
      }
      try run.run()
      // What was to be recorded and was not has been told.
      if !run.isRecordedWell { throw ExitCode(ExitStatus.unreadable) }
      // What did not come was not tested.
      if failOn != nil, !events.hasPresent || events.showsNothing {
        throw ExitStatus.nothingToJudge(
          events.hasPresent ? "nothing that came fits what was asked for" : "nothing came")
      }
      gravest = events.gravest
    } catch let error as SourceError {
      StandardError.complain(source.named(error))
      throw ExitCode(ExitStatus.unreadable)
    } catch let error as DestinationError {
      StandardError.complain(error.description)
      throw ExitCode(ExitStatus.unreadable)
    }
    if status(gravest) == ExitStatus.found { throw ExitCode(ExitStatus.found) }
  }

  /// How the program ends where this was the gravest finding.
  private func status(_ gravest: Severity?) -> Int32 {
    if let failOn, let gravest, gravest >= failOn { ExitStatus.found } else { ExitStatus.done }
  }

  func validate() throws { try source.files(known.gattMap).validate() }

  /// A view for who sits at a terminal, else lines.
  private func display(_ input: LiveInput, on destination: Destination) -> any LiveDisplay {
    let context = appearance.context(for: destination, zone: part.timeZone)
    // The view is the report, and so it stays however quiet it is to be.
    if format == .text, !noView, destination.isTerminal, Terminal.canBeFilled {
      return LiveWindow(
        destination, context, name: input.name, awaiting: part.awaited, isQuiet: appearance.quiet)
    }
    let report = format.timeline.report(kinds: nil, context, into: ReportBuffer { destination.write($0) })
    return LiveLines(report, name: input.name, isQuiet: appearance.quiet)
  }
}

/// How `live` shows events.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For programs: a JSON object a line.
  case ndjson

  /// The timeline of that format.
  var timeline: TimelineFormat { self == .text ? .text : .ndjson }
}
