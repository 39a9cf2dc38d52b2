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
    help: ArgumentHelp(
      "Only these records, such as 100-250 or 104.",
      discussion: "Where a capture has several files, 2:100-2:250 are those of the second, as reports number them.",
      valueName: "first-last"),
    transform: Self.frames)
  var frames: RecordRange?

  @Option(
    help: ArgumentHelp(
      "Only from this time on: 2026-03-14T09:26:53Z, or seconds from the start.",
      discussion: "A time without a zone is one of the zone that times are shown in.", valueName: "time"),
    transform: { try Self.limit($0) })
  var from: TimeLimit?

  @Option(
    help: ArgumentHelp(
      "Only until this time, written alike.", discussion: "A date alone is the whole of that day.", valueName: "time"),
    transform: { try Self.limit($0, isLast: true) })
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

  /// The connections that are chosen, in words; nil if any are.
  var awaited: String? {
    guard device != nil || connection != nil else { return nil }
    return (connection.map { "connection \($0)" } ?? "a connection") + (device.map { " with \($0)" } ?? "")
  }

  func validate() throws {
    if let from, let to, to.isKnown(toBeBefore: from, in: timeZone) {
      throw ValidationError("--to lies before --from.")
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

  private static func frames(_ text: String) throws -> RecordRange {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { place($0) }
    if let first = ends.first ?? nil, let last = ends.last ?? nil {
      switch (first.file, last.file) {
      case (nil, nil) where first.frame <= last.frame: return RecordRange(first.frame...last.frame)
      case (let file?, let other):
        let range = RecordRange(from: (file - 1, first.frame), to: ((other ?? file) - 1, last.frame))
        if let range { return range }
      default: break
      }
    }
    throw ValidationError("Give the first record and the last, counted from 1, such as 100-250 or 2:100-2:250.")
  }

  /// A record as reports write it: "231", or behind its file "2:231".
  private static func place(_ text: Substring) -> (file: Int?, frame: Int)? {
    let numbers = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard let frame = numbers.last, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    return (numbers.count > 1 ? numbers[0] : nil, frame)
  }

  private static func limit(_ text: String, isLast: Bool = false) throws -> TimeLimit {
    guard let limit = WrittenTime.limit(text, isLast: isLast) else {
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
