import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources
import LiveCapture

/// Where a live capture comes from.
struct LiveSourceOptions: ParsableArguments {
  @Argument(help: "- for standard input: what another program captures, in any capture format, and in no archive.")
  var pipe: String?

  @Option(
    help: ArgumentHelp(
      "Which interface of this computer: bluetooth-monitor, which is all, or bluetooth0 …", valueName: "name"))
  var interface: String?

  @Option(help: ArgumentHelp("A file that grows. What is in it already is read, and not shown.", valueName: "file"))
  var follow: FilePath?

  @Flag(help: "Show what is in the followed file already, too.")
  var fromStart = false

  @Option(
    help: ArgumentHelp(
      "A port that sends a capture, such as an Android device's snoop socket.", valueName: "host:port"),
    transform: Self.place)
  var connect: HostAndPort?

  /// Opens it.
  func open() throws(SourceError) -> LiveInput {
    if pipe != nil { return .standardInput() }
    if let follow { return try .file(follow) }
    if let connect { return try .host(connect) }
    return try .interface(interface ?? Self.usualInterface, program: Program.captureProgram)
  }

  /// What is read: its file, if it is one, and others.
  func files(_ others: [FilePath]) -> ReadFiles {
    ReadFiles(others: others + (pipe == nil ? [] : [.standardInput]) + (follow.map { [$0] } ?? []))
  }

  /// What is known before it begins: of this computer's own connections.
  var systemKnowledge: SystemKnowledge? {
    pipe == nil && follow == nil && connect == nil ? SystemKnowledge(of: interface ?? Self.usualInterface) : nil
  }

  /// An error with the name of its source before it, if that is one that the user has given.
  func named(_ error: SourceError) -> String {
    let name = pipe != nil ? "standard input" : follow.map { "\($0)" } ?? connect.map { "\($0)" }
    return name.map { "\(AirText.shown($0)): \(error)" } ?? "\(error)"
  }

  private static let usualInterface = "bluetooth-monitor"

  func validate() throws {
    if let pipe, pipe != "-" {
      throw ValidationError(
        "live takes no file: 'hrsnoop \(AirText.shown(pipe))' reports on one, 'live --follow' reads on as it grows.")
    }
    guard [pipe, interface, follow.map { "\($0)" }, connect.map { "\($0)" }].compactMap({ $0 }).count <= 1 else {
      throw ValidationError("Give one source: -, --interface, --follow or --connect.")
    }
    if fromStart, follow == nil { throw ValidationError("--from-start goes with --follow.") }
  }

  /// A port as people write it.
  private static func place(_ text: String) throws -> HostAndPort {
    guard let place = HostAndPort(text) else {
      throw ValidationError("Give a host and a port, such as localhost:8872.")
    }
    return place
  }
}
