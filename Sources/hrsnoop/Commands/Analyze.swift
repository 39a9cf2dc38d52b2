public import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// `hrsnoop analyze`: a report on one capture or several.
struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Report on one capture or several (the default command).",
    discussion: """
      #231 is a record of the file, by its number from 1 on, which is the frame number that Wireshark shows. ✗ stands \
      before an error, ! before a warning, and 'hrsnoop explain RULE' says more of each.

      Examples:
        hrsnoop btsnoop_hci.log
        hrsnoop analyze --format json *.pcap
        hrsnoop --summary huge.log             figures only, in constant memory
        hrsnoop --fail-on warning sensor.log   exit code 1 on a warning or an error
      """)

  @Argument(help: "Captures, archives, bug reports, directories, or - for standard input.")
  var paths: [FilePath]

  @Option(help: "How the result is shown: text or json.")
  var format: AnalysisFormat = .text

  @Flag(help: "Leave out the lists of measurements; the figures stay.")
  var summary = false

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a finding is at least this grave: error, warning or info.", valueName: "severity"))
  var failOn: Severity?

  @OptionGroup(title: "Rules") var rules: RuleOptions

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var profiles: ProfileOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    var failures: [InputError] = []
    let (knowledge, models) = (known.knowledge(in: part.timeZone, &failures), profiles.all(&failures))
    // Only JSON lists measurements; text has their figures.
    let lists = format == .json && !summary
    let run = SummaryRun(
      isQuiet: output.quiet, limits: output.archives.limits, listsMeasurements: lists, filter: part.filter,
      knowledge: knowledge, rules: try rules.settings())
    let captures = run.captures(paths, failures: failures)
    let files = output.files(paths, known.gattMap + profiles.files)
    try output.result.open(sparing: files, zone: part.timeZone, profiles: models) { buffer, context in
      format.write(captures, context, into: buffer)
      try output.exit(after: captures, failingOn: failOn)
    }
  }

  func validate() throws { try output.files(paths, known.gattMap + profiles.profiles).validate() }
}

extension AnalysisFormat: ExpressibleByArgument {}

extension Severity: ExpressibleByArgument {}
