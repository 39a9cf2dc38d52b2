import ArgumentParser
import CaptureAnalysis
import CaptureReports

/// Which part of a capture is reported, and in which time zone: the same for all commands that read captures.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only connections with this device: its address, or a part of its name.",
      discussion: """
        Capitals do not matter in names. A name may become known after a connection began: all of it is shown, or, \
        where timeline reads standard input, what comes from then on.
        """,
      valueName: "address-or-name"),
    transform: Self.device)
  var device: String?

  @Option(help: ArgumentHelp("Only the connection with this number.", valueName: "number"), transform: Self.number)
  var connection: Int?

  @Option(
    help: ArgumentHelp("Only these records, such as 100-250 or 104.", valueName: "first-last"),
    transform: Self.frames)
  var frames: ClosedRange<Int>?

  @Option(
    help: ArgumentHelp(
      "Only from this time on: 2026-03-14T09:26:53Z, or seconds from the start.",
      discussion: "A time without a zone is one of the zone that times are shown in.", valueName: "time"),
    transform: Self.limit)
  var from: TimeLimit?

  @Option(help: ArgumentHelp("Only until this time, written alike.", valueName: "time"), transform: Self.limit)
  var to: TimeLimit?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The zone in which times are shown: UTC, local, or ±hh:mm.",
      discussion: "Where a capture's times are local ones, they are read as this zone's. JSON and CSV stay in UTC.",
      valueName: "zone"),
    transform: Self.zone)
  var timeZone: TimeZoneRule?

  /// What is left out of the report.
  var filter: EventFilter {
    var filter = EventFilter()
    filter.device = device.map { DeviceQuery($0) }
    filter.connection = connection
    filter.frames = frames
    filter.from = from
    filter.to = to
    filter.zone = timeZone
    return filter
  }

  func validate() throws {
    switch (from, to) {
    case (.sinceStart(let from)?, .sinceStart(let to)?) where to < from:
      throw ValidationError("--to lies before --from.")
    case (.written(let from, let fromZone)?, .written(let to, let toZone)?) where fromZone == toZone && to < from:
      throw ValidationError("--to lies before --from.")
    default: break
    }
  }
}

// MARK: - Reading the values

extension PartOptions {
  private static func device(_ text: String) throws -> String {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("Give an address such as E0:9E:1A:2C:5A:1D, or a part of a name.")
    }
    return ProgramArguments.repaired(text)
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else {
      throw ValidationError("Connections are numbered from 1, as analyze shows them.")
    }
    return number
  }

  private static func frames(_ text: String) throws -> ClosedRange<Int> {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, first > 0, first <= last else {
      throw ValidationError("Give the first record and the last, counted from 1, such as 100-250.")
    }
    return first...last
  }

  private static func limit(_ text: String) throws -> TimeLimit {
    guard let limit = WrittenTime.limit(text) else {
      throw ValidationError("Give a time such as 2026-03-14T09:26:53Z, or seconds from the start, such as 90.5.")
    }
    return limit
  }

  private static func zone(_ text: String) throws -> TimeZoneRule {
    if text.lowercased() == "local" { return .ofThisComputer }
    guard let zone = WrittenTime.zone(text) else {
      throw ValidationError("Give UTC, local, or how far the zone is ahead of UTC, such as +02:00.")
    }
    return zone
  }
}
