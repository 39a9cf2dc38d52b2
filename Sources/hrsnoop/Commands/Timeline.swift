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
      Kinds of events: \(TimelineKinds.names.joined(separator: ", ")).

      Examples:
        hrsnoop timeline btsnoop_hci.log
        hrsnoop timeline --events heart-rate,connected,disconnected capture.pcap
        hrsnoop timeline --format ndjson - < capture.pcapng | jq .bpm
        hrsnoop timeline --format csv capture.pcap > measurements.csv
      """)

  @Argument(help: "Captures, archives, bug reports, directories, or - for standard input.")
  var paths: [String]

  @Option(help: "How the events are shown: text, ndjson, or csv (measurements only).")
  var format: TimelineFormat = .text

  @Option(help: "The kinds of events that are shown, with commas between them.")
  var events: String?

  @OptionGroup(title: "Rules") var rules: RuleOptions

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    let knowledge = try known.knowledge()
    let tellsFindings = format != .csv && kinds?.contains("finding") ?? true
    let settings = tellsFindings ? try rules.settings() : .none
    try output.open(sparing: paths, zone: part.timeZone) { buffer, context in
      var report = format.report(kinds: kinds, context, into: buffer)
      let run = CaptureRun(isQuiet: output.quiet, limits: output.archives.limits)
      var index = -1
      run.captures(in: paths) { capture in
        index += 1
        do throws(InputError) {
          let input = try capture.get()
          // What turns out to be no capture gets no heading.
          var hasBegun = false
          func begin() {
            if !hasBegun { report.begin(path: input.path, members: input.memberNames, capture: index) }
            hasBegun = true
          }
          let scout = DeviceScout(part.filter)
          var gate = part.filter.isEmpty ? nil : EventGate(part.filter)
          var diagnosis = Diagnosis(settings)
          func tellFindings() {
            for finding in diagnosis.takeFindings() where gate?.admits(finding) ?? true { report.write(finding) }
          }
          let forwarder = EventForwarder(
            selection: report.selection.union(gate?.selection ?? []).union(diagnosis.selection)
              .union(diagnosis.selection.isEmpty ? [] : .measurementOctets),
            start: { start in
              begin()
              gate?.begin(start)
              gate?.know(scout)
              report.start(start)
            }
          ) { event in
            if gate?.admits(event) ?? true {
              begin()
              report.write(event)
            }
            diagnosis.note(event)
            tellFindings()
          }
          let facts = try run.readStreaming(input, scout: scout, into: forwarder, knowing: knowledge)
          begin()
          diagnosis.finish()
          tellFindings()
          report.end(facts)
        } catch {
          report.flush()
          run.complain(error)
        }
      }
      report.flush()
      if run.hasFailed { throw ExitCode(ExitStatus.unreadable) }
    }
  }

  private var kinds: [String]? {
    events?.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " })
    }
  }

  func validate() throws {
    if format == .csv, let kinds, kinds != ["heart-rate"] {
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
