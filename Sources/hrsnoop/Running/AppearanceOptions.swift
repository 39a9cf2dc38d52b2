import ArgumentParser
import CaptureAnalysis
import CaptureReports

/// How the result looks, and what is said beside it.
struct AppearanceOptions: ParsableArguments {
  @Option(help: "Whether colours are used: auto, always or never. With auto, NO_COLOR turns them off.")
  var color: ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "No progress and no notes; the report stays.")
  var quiet = false

  /// When colours are used.
  enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    /// On a terminal.
    case auto
    /// Even in a file.
    case always
    /// Not at all.
    case never
  }

  /// What a report must know of the place it is written to.
  func context(for destination: Destination, zone: TimeZoneRule?) -> ReportContext {
    let isTerminal = destination.isTerminal
    return ReportContext(
      width: isTerminal ? Terminal.width(of: destination.descriptor) : Terminal.widthWithoutTerminal,
      isTerminal: isTerminal, isColored: color == .always || color == .auto && isTerminal && Terminal.wantsColor,
      version: Program.version, zone: zone)
  }
}
