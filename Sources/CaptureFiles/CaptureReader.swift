public import Octets

/// Reads a capture from octets that arrive piece by piece, whatever its format: recognises it, finds the records,
/// and finds its footing again behind damage.
public struct CaptureReader: Sendable {
  /// No more octets than these are needed at once to read any record and see that another follows it.
  public static let longestRecord = 0x4_4000 + 64

  private var format: (any CaptureFormat)?
  /// What has been read so far.
  public private(set) var progress = CaptureProgress()

  /// Creates a reader at the start of an input.
  /// - Parameter isLive: Whether records are wanted as soon as they are whole. Otherwise a record waits until the one
  ///   behind it was seen, which tells damage more surely.
  public init(isLive: Bool = false) {
    progress.isLive = isLive
  }

  /// The format's name, once it has been recognised.
  public var formatName: String? { format.map { type(of: $0).name } }

  /// What the time stamps count from.
  public var clock: CaptureClock { format?.clock ?? .unknown }

  /// How many records the capture itself says it lost.
  public var droppedRecords: UInt64 { format?.droppedRecords ?? 0 }

  /// Reads all whole records in `octets`, which continue where the last call stopped consuming.
  /// - Parameters:
  ///   - isLast: Whether the input ends with these octets.
  ///   - body: Called with each record and its octets, in order.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture, or one that cannot be read.
  public mutating func read(
    _ octets: Span<UInt8>, isLast: Bool, _ body: (CaptureRecord, Span<UInt8>) -> Void
  ) throws(ParsingError) -> Int {
    if format == nil {
      guard let format = try Self.recognise(octets, isAll: isLast) else { return 0 }
      self.format = format
    }
    let consumed = format?.readRecords(octets, &progress, isLast: isLast, body) ?? 0
    progress.consumedOctets += consumed
    return consumed
  }

  /// Enough for every format to be sure of itself: the records of a PacketLogger file are long.
  private static let recognitionLength = 5 * 65_600

  /// The format at its start, or nil if more octets might tell.
  private static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> (any CaptureFormat)? {
    for format in CaptureFormats.all {
      if let format = try format.recognise(start, isAll: isAll) { return format }
    }
    guard isAll || start.count >= recognitionLength else { return nil }
    throw ParsingError(
      layer: "capture", field: "Start", problem: .invalid(unknownStart(start)), offset: 0)
  }

  private static func unknownStart(_ start: Span<UInt8>) -> String {
    guard !start.isEmpty else { return "it is empty" }
    var reader = OctetReader(start, layer: "capture")
    let first = ContiguousArray(reader.prefix(4)).map { octet in
      let digits = String(octet, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "not a Bluetooth capture (starts with \(first.joined(separator: " ")))"
  }
}

/// How far a capture has been read, and what stood in the way.
public struct CaptureProgress: Sendable {
  /// Records so far, of every interface.
  public internal(set) var records = 0
  /// Octets that belong to what has been read or passed over.
  public internal(set) var consumedOctets = 0
  /// Octets that could not be read.
  public internal(set) var skippedOctets = 0
  /// Each damaged stretch, as far as they were kept.
  public internal(set) var damages: [Damage] = []
  /// How many stretches were damaged, kept or not.
  public internal(set) var damageCount = 0
  /// Where the last record is incomplete, if it is.
  public internal(set) var cutOff: ParsingError?

  /// The progress at the start of an input.
  public init() {}

  /// More than this many are counted, not kept.
  static let keptDamages = 100

  /// Whether records are handed on without a look at what follows.
  var isLive = false
  /// Whether the next record is the first behind octets that were skipped.
  var isBehindDamage = false
  /// Whether octets are being skipped until a record is found.
  var isSearching = false
  /// Octets still to come of a block that is passed over.
  var passingOver = 0

  /// Whether no block begins at the next octet.
  var isHeldUp: Bool { isSearching || passingOver > 0 }

  /// Whether nothing was skipped and the last record is whole.
  public var isComplete: Bool { skippedOctets == 0 && cutOff == nil }
}

/// A stretch of octets in which no record could be found.
public struct Damage: Hashable, Sendable {
  /// What was wrong with the first record there.
  public let error: ParsingError
  /// The number of the record that should have stood there.
  public let record: Int
  /// How many octets were skipped.
  public internal(set) var skippedOctets: Int
}
