import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// What every command takes that writes a result: where it goes and how it looks.
struct ResultOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the result to a file instead of standard output.", valueName: "file")
  )
  var output: FilePath?

  @OptionGroup var appearance: AppearanceOptions

  /// What stands for standard output where a result goes.
  private static let standardOutput = FilePath("-")

  /// Opens the place where the result goes, and lets it be written.
  /// - Parameters:
  ///   - inputs: What the command reads.
  ///   - whenGone: How the program ends as soon as nobody reads the result any more; nil where it goes on.
  ///   - body: Writes the result. What a file held before stays where this fails with nothing written.
  func open(
    sparing inputs: ReadFiles = ReadFiles(), zone: TimeZoneRule? = nil, profiles: SensorProfiles = SensorProfiles(),
    whenGone: (() -> Int32)? = nil, _ body: (ReportBuffer, ReportContext) throws -> Void
  ) throws {
    let file = output == Self.standardOutput ? nil : output
    let destination: Destination
    do {
      destination =
        try file.map { path throws(DestinationError) in
          try Destination(path: path, sparing: inputs, whenGone: whenGone)
        } ?? Destination(whenGone: whenGone)
    } catch {
      StandardError.complain("\(error)")
      throw ExitCode(ExitStatus.unreadable)
    }
    var context = appearance.context(for: destination, zone: zone)
    context.profiles = profiles
    try body(ReportBuffer { destination.write($0) }, context)
    destination.replaceEarlier()
  }
}
