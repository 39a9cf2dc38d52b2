public import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// `hrsnoop gatt`: the GATT database of each peer.
struct GATT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatt",
    abstract: "The GATT database of each peer, as a tree.",
    discussion: """
      What the capture shows of each server: services, characteristics and descriptors, with their handles.

      Examples:
        hrsnoop gatt btsnoop_hci.log
        hrsnoop gatt --format json capture.pcapng
        hrsnoop gatt --profile good-sensor.log > profiles/my-sensor.json
      """)

  @Argument(help: "Captures, archives, bug reports, directories, or - for standard input.")
  var paths: [FilePath]

  @Option(help: "How the result is shown: text or json.")
  var format: GATTFormat = .text

  @Flag(help: "Write what the sensors are like instead, as profiles (JSON) that --profiles reads.")
  var profile = false

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    var failures: [InputError] = []
    let knowledge = known.knowledge(in: part.timeZone, &failures)
    let run = SummaryRun(
      isQuiet: output.quiet, limits: output.archives.limits, listsMeasurements: false, filter: part.filter,
      knowledge: knowledge)
    let captures = run.captures(paths, failures: failures)
    try output.result.open(sparing: output.files(paths, known.gattMap), zone: part.timeZone) { buffer, context in
      if profile {
        let unmarked = SensorProfileReport(context).write(captures, into: buffer)
        if unmarked > 0, !output.quiet {
          StandardError.complain(
            "nothing in \(unmarked == 1 ? "a profile" : "\(unmarked) profiles") tells how the sensor is recognised: write "
              + "a name, model or service of it into \"marks\"")
        }
      } else {
        format.write(captures, context, into: buffer)
      }
      try output.exit(after: captures)
    }
  }

  func validate() throws { try output.files(paths, known.gattMap).validate() }
}

extension GATTFormat: ExpressibleByArgument {}
