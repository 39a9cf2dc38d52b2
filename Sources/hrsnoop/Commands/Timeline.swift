public import ArgumentParser
import CaptureAnalysis
import CaptureReports

/// `hrsnoop timeline`: every event, one a line.
struct Timeline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every event, one a line, in capture order, streamed.",
    discussion: """
      Kinds of events: \(TimelineKinds.names.joined(separator: ", ")).

      Examples:
        hrsnoop timeline btsnoop_hci.log
        hrsnoop timeline --events heart-rate,connected,disconnected capture.pcap
        hrsnoop timeline --format ndjson - < capture.pcapng | jq .bpm
      """)

  @Argument(help: "Captures, directories that hold captures, or - for standard input.")
  var paths: [String]

  @Option(help: "How the events are shown: text or ndjson.")
  var format: TimelineFormat = .text

  @Option(help: "The kinds of events that are shown, with commas between them.")
  var events: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let kinds = events?.split(separator: ",").map(String.init)
    try output.open { buffer, context in
      var report = format.report(kinds: kinds, context, into: buffer)
      let run = CaptureRun(isQuiet: output.quiet)
      for (index, input) in run.inputs(paths).enumerated() {
        do throws(InputError) {
          report.begin(path: try input.get(), capture: index)
          let facts = try run.read(try input.get(), report.selection) { report.write($0) }
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

  func validate() throws {
    for kind in events?.split(separator: ",").map(String.init) ?? [] where !TimelineKinds.names.contains(kind) {
      throw ValidationError(
        "'\(kind)' is no kind of event. The kinds are: \(TimelineKinds.names.joined(separator: ", ")).")
    }
  }
}

extension TimelineFormat: ExpressibleByArgument {}
