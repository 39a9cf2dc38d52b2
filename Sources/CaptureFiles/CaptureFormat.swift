import Octets

/// A file format that holds captures. One file per format; formats do no input or output, they see octets.
///
/// A format says two things of the octets at some place: how far the block there reaches (`extent`), from its header
/// alone, and what it holds (`record`). Everything else (finding the next block, damage, the end of the file,
/// numbering) is the same for all formats and lives in `CaptureReader`.
protocol CaptureFormat: Sendable {
  /// The name in reports.
  static var name: String { get }

  /// The format at its start, if these first octets of an input are its own.
  /// - Parameter isAll: Whether `start` is the whole input.
  /// - Throws: `ParsingError` if they are, but of a kind that cannot be read; the text says what would help.
  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> Self?

  /// How far the block that begins at an index reaches, judged from its header.
  /// - Throws: `ParsingError` if this can't be the beginning of a block; its offset counts from the start of `octets`.
  func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent

  /// How long the block would be if the capture had not cut the packet in it; nil where the format cannot tell.
  func uncutLength(_ block: Span<UInt8>) -> Int?

  /// Reads one block. `block` holds it and nothing else.
  /// - Returns: The record in it, or nil for a block that is none.
  @_lifetime(copy block)
  mutating func record(_ block: Span<UInt8>, at offset: Int) -> CaptureRecord?

  /// The shortest a block of this format can be: its header.
  var headerLength: Int { get }

  /// How many blocks in a row must look right before reading goes on behind damage.
  var confirmations: Int { get }

  /// What the time stamps count from.
  var clock: CaptureClock { get }

  /// Drops that the capture itself counted, so far.
  var droppedRecords: UInt64 { get }

  /// Reads all whole blocks in `octets` and hands each record on. The default serves every format; it is a requirement
  /// so that each format gets a copy of its own, without an indirect call for each record.
  /// - Returns: How many octets were read or passed over.
  mutating func readRecords(
    _ octets: Span<UInt8>, _ progress: inout CaptureProgress, isLast: Bool, _ body: (CaptureRecord) -> Void
  ) -> Int
}

/// How far a block reaches.
enum BlockExtent {
  /// It has this many octets, header and all.
  case octets(Int)
  /// It has this many octets, maybe more than a buffer holds, and nothing in it is wanted.
  case passOver(octets: Int, isRecord: Bool)
  /// More octets are needed to tell.
  case unknown
}

/// What a capture's time stamps count from.
public enum CaptureClock: String, Sendable {
  /// Coordinated universal time.
  case utc
  /// The local time of the device, in an unknown zone.
  case local
  /// Not known.
  case unknown
}

extension CaptureFormat {
  func uncutLength(_ block: Span<UInt8>) -> Int? { nil }
  var confirmations: Int { 2 }
  var clock: CaptureClock { .utc }
  var droppedRecords: UInt64 { 0 }
}

/// All formats, in the order in which they are tried: those with a signature before those without.
enum CaptureFormats {
  static let all: [any CaptureFormat.Type] = [
    BTSnoop.self,
    PCAP.self,
    PCAPNG.self,
    PacketLogger.self,
  ]
}
