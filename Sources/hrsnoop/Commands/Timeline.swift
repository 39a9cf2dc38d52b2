public import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// `hrsnoop timeline`: every event, one a line.
struct Timeline: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Every event, one a line, in capture order, streamed.",
    discussion: """
      Kinds of events: \(TimelineKinds.names.joined(separator: ", ")). A finding stands where it became certain, with the \
      time and the record at which it begins; in text its severity stands for its kind.

      A line of text has the time of day, the seconds since the first packet, the record's number, which is the frame \
      number that Wireshark shows, the connection's number, and what happened. With heart rates, ● stands for skin \
      contact and ○ for none, where the sensor can tell; RR are the times between beats.

      Examples:
        hrsnoop timeline btsnoop_hci.log
        hrsnoop timeline --events heart-rate,connected,disconnected capture.pcap
        hrsnoop timeline --format ndjson --events heart-rate a.log | jq .bpm
        hrsnoop timeline --format csv capture.pcap > measurements.csv
      """)

  @Argument(help: "Captures, archives, bug reports, directories, or - for standard input.")
  var paths: [FilePath]

  @Option(help: "How the events are shown: text, ndjson, or csv (measurements only).")
  var format: TimelineFormat = .text

  @Option(help: "The kinds of events that are shown, with commas between them. May be repeated.")
  var events: [String] = []

  @OptionGroup(title: "Rules") var rules: RuleOptions

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    var failures: [InputError] = []
    let knowledge = known.knowledge(in: part.timeZone, &failures)
    let tellsFindings = format != .csv && kinds?.contains("finding") ?? true
    let settings = tellsFindings ? try rules.settings() : .none
    // What follows may have no end.
    let status: () -> Int32 = { failures.isEmpty ? ExitStatus.done : ExitStatus.unreadable }
    let files = output.files(paths, known.gattMap)
    try output.result.open(sparing: files, zone: part.timeZone, whenGone: status) { buffer, context in
      var report = format.report(kinds: kinds, context, into: buffer)
      let run = CaptureRun(isQuiet: output.quiet, limits: output.archives.limits, isStreamed: true)
      run.search.captures(in: paths) { capture in
        do throws(InputError) {
          let input = try capture.get()
          var course = TimelineCourse(report, part.filter, settings) { report in
            report.begin(
              TimelineCapture(
                path: "\(input.path)", members: input.memberNames, place: run.search.handedOn,
                isOfSeveral: run.search.findsSeveral))
          }
          defer { report = course.report }
          let forwarder = EventForwarder(selection: course.selection, start: { course.start($0) }) { course.take($0) }
          let facts = try run.readStreaming(
            input, scout: course.scout, into: forwarder, knowing: knowledge, pause: { course.flush() })
          course.end(facts)
          if course.showsNothing, !output.quiet {
            InputError(path: input.path, message: "nothing fits what was asked for: analyze tells what is in it")
              .complain()
          }
          // The next capture may be a while in coming.
          course.flush()
        } catch {
          report.flush()
          failures.complain(error)
        }
      }
      report.flush()
      if !failures.isEmpty { throw ExitCode(ExitStatus.unreadable) }
    }
  }

  private var kinds: [String]? {
    // An empty name is said to be no kind of event.
    events.isEmpty ? nil : events.names(omittingEmpty: false)
  }

  func validate() throws {
    try output.files(paths, known.gattMap).validate()
    if format == .csv, let kinds, Set(kinds) != ["heart-rate"] {
      throw ValidationError("--format csv lists measurements: --events can only be heart-rate with it.")
    }
    for kind in kinds ?? [] where !TimelineKinds.names.contains(kind) {
      throw ValidationError(
        "'\(kind)' is no kind of event that --events could choose. The kinds are: \(TimelineKinds.names.joined(separator: ", "))."
      )
    }
  }
}

extension TimelineFormat: ExpressibleByArgument {}
