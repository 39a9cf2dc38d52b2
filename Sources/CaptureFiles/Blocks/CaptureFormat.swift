public import Octets

/// A file format that holds captures. One file per format; formats do no input or output, they see octets.
///
/// A format says two things of the octets at some place: how far the block there reaches (`extent`), from its header
/// alone, and what it holds (`record`). Everything else (finding the next block, damage, the end of the file,
/// numbering) is the same for all formats and lives in `CaptureReading.swift` and `DamageRecovery.swift`.
@usableFromInline protocol CaptureFormat: Sendable {
  /// The name in reports.
  static var name: String { get }

  /// What the first octet of a file may be; none where the format has no signature.
  static var firstOctets: [UInt8] { get }

  /// The format at its start, if these first octets of an input are its own.
  /// - Parameter isAll: Whether `start` is the whole input.
  /// - Throws: `ParsingError` if they are, but of a kind that cannot be read; the text says what would help.
  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> Self?

  /// How far the block that begins at an index reaches, judged from its header.
  /// - Throws: `ParsingError` if this can't be the beginning of a block; its offset counts from the start of `octets`.
  func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent

  /// Whether a block may begin at an index: what `extent` would tell, without saying what is wrong. It is asked for every
  /// octet of a damaged stretch, and so must be quick.
  func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool

  /// How far a block reaches that has nothing odd about it; nil leaves the judgement to `extent`. It need not know every
  /// such block, only be quick about those it knows.
  func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int?

  /// How long the block would be if the capture had not cut the packet in it; nil where the format cannot tell.
  func uncutLength(_ block: Span<UInt8>) -> Int?

  /// How long the block would be, uncut, if the packet in it is as long as it says itself; nil where it does not tell.
  func packetLength(_ block: Span<UInt8>) -> Int?

  /// When a block was captured, in whole seconds; nil where it does not tell, or all that looks like a block tells a time
  /// of this age.
  func seconds(_ octets: Span<UInt8>, at index: Int) -> UInt32?

  /// Whether what looks like a block is to be believed even where there is doubt.
  func isConvincing(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool

  /// Whether a block is of the days of the one that was read last; nil where blocks do not tell, or none was read. What
  /// chance makes look like a block hardly ever is.
  func isTimely(_ octets: Span<UInt8>, at index: Int) -> Bool?

  /// Whether a whole block that is convincing needs none behind it to be believed: chance does not make such a one.
  func provesItself(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool

  /// Whether a block says its length at both ends, so that one whose ends agree is right whatever follows it.
  var isFramed: Bool { get }

  /// Whether a file header begins at an index, which changes how what follows it is read.
  func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool

  /// The format as it reads what stands behind a header, if one begins at an index that may change that: a section's, or
  /// another file's. It does not go there; it is asked whether blocks go on there.
  func reading(behindHeaderAt index: Int, in octets: Span<UInt8>) -> Self?

  /// The format as it reads headers of which one field cannot be right, as in the one at an index; nil if that says more
  /// that cannot be, or too little is left to believe it. It is asked whether blocks go on behind it.
  func lenient(_ octets: Span<UInt8>, at index: Int) -> Self?

  /// A lenient reading as it goes on where that is how the capture was written: so many headers in a row are odd.
  var lasting: Self { get }

  /// The format as it goes on where a lenient reading has read one odd block: with what that has told, as far as its
  /// header is to be believed at all.
  func strict(behind lenient: Self) -> Self

  /// Reads one block. `block` holds it and nothing else.
  /// - Returns: The record in it, or nil for a block that is none.
  /// - Parameter linkType: The format's `linkType`.
  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord?

  /// Reads what is wanted of a block that may be longer than a buffer.
  /// - Parameter block: Its front, as far as it is there.
  mutating func front(_ block: OctetWindow, at place: BlockPlace) -> BlockFront

  /// Whether a block that may be longer than a buffer says in its header, beside its length, what makes it so long.
  func accounts(for length: Int, _ octets: Span<UInt8>, at index: Int) -> Bool

  /// Whether blocks that stand within one that may be longer than a buffer may be its own octets, and not hidden by a
  /// length that is wrong: another file that somebody has put into it.
  /// - Parameter place: Where the first of them begins.
  func mayHold(blocksAt place: Int, _ octets: Span<UInt8>, at index: Int) -> Bool

  /// The packet in a block that has nothing odd about it, and no damage before it; nil leaves the block to `record`. It need
  /// not know every such packet, only be quick about those it knows.
  /// - Parameter linkType: The format's `linkType`.
  func usualPacket(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> UsualPacket?

  /// The link type of the records to come; `unknown` where each record tells its own.
  var linkType: LinkType { get }

  /// The shortest a block of this format can be: its header.
  var headerLength: Int { get }

  /// The field that is not believed, once headers were found in which it cannot be right; nil if all are.
  var doubtful: DoubtfulField? { get }

  /// How many blocks in a row must look right before reading goes on behind damage: more where less is expected of each.
  var confirmations: Int { get }

  /// What the time stamps count from.
  var clock: CaptureClock { get }

  /// Drops that the capture itself counted, so far.
  var droppedRecords: UInt64 { get }

  /// Whether an adapter is captured for as long as the capture lasts: not one beside others of which nothing says that it
  /// is captured as long as they.
  func isCaptured(toTheEnd adapter: UInt16) -> Bool

  /// Reads all whole blocks in `octets` and hands each record on. The default serves every format; it is a requirement
  /// so that each format gets a copy of its own, without an indirect call for each question.
  /// - Returns: How many octets were read or passed over.
  mutating func readRecords<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, _ progress: inout CaptureProgress, isLast: Bool, into receiver: inout Receiver
  ) -> Int
}

/// How far a block reaches.
@usableFromInline enum BlockExtent {
  /// It has this many octets, header and all.
  case octets(Int)
  /// It has this many octets, maybe more than a buffer holds: its front is read, and the rest passed over.
  case tooLong(octets: Int)
  /// More octets are needed to tell.
  case unknown
}

/// What is read of a block of which a buffer may hold no more than the front.
@usableFromInline struct BlockFront {
  /// The record in it, if there is one.
  var record: CaptureRecord?
  /// What of it is wanted and cannot be read.
  var unread = Unread.nothing

  enum Unread {
    /// Nothing: what is passed over is not wanted.
    case nothing
    /// What lies behind the front.
    case rest
    /// All of it: it is a record of which the packet goes on behind the front.
    case all
  }
}

/// The one field of a header that may say what cannot be.
@usableFromInline enum DoubtfulField: Sendable {
  /// How long the packet was before the capture cut it.
  case originalLength
  /// How much of the packet the capture kept: then that is all of it.
  case keptLength
  /// When it was captured.
  case time
}

/// As much of a capture as is looked at to judge what is wrong with it.
enum BlockWindow {
  /// No packet of HCI is longer, whatever stands before it.
  static var longestPacket: UInt32 { 0x4_0000 }
  /// The longest block of any format that holds a record: the longest packet, and room for its options.
  static var longestPacketBlock: UInt32 { longestPacket + 0x4000 }
  /// That, and the header of another behind it.
  static var octets: Int { Int(longestPacketBlock) + 64 }
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
  @usableFromInline func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    if case .octets(let length)? = try? extent(octets, at: index) { length } else { nil }
  }

  @usableFromInline func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    (try? extent(octets, at: index)) != nil
  }

  @usableFromInline func uncutLength(_ block: Span<UInt8>) -> Int? { nil }
  @usableFromInline func packetLength(_ block: Span<UInt8>) -> Int? { nil }
  @usableFromInline func seconds(_ octets: Span<UInt8>, at index: Int) -> UInt32? { nil }

  /// Whether the packet in the block at an index is so long by its own word, or may be, as far as that is there.
  func packet(_ octets: Span<UInt8>, at index: Int, mayHave length: UInt32) -> Bool {
    if length == 0 { return false }
    // Room for the headers of a link type and of a packet.
    let front = headerLength &+ 16
    let block = octets.extracting(index..<min(index &+ front, octets.count))
    return packetLength(block).map { $0 == headerLength + Int(length) } ?? (block.count < front)
  }

  @usableFromInline static var firstOctets: [UInt8] { [] }

  @inlinable @inline(__always)
  func usualPacket(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> UsualPacket? { nil }

  @usableFromInline mutating func front(_ block: OctetWindow, at place: BlockPlace) -> BlockFront { BlockFront() }
  @usableFromInline func accounts(for length: Int, _ octets: Span<UInt8>, at index: Int) -> Bool { false }
  @usableFromInline func mayHold(blocksAt place: Int, _ octets: Span<UInt8>, at index: Int) -> Bool { false }
  @usableFromInline func isConvincing(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool { true }
  @usableFromInline func isTimely(_ octets: Span<UInt8>, at index: Int) -> Bool? { nil }
  @usableFromInline func provesItself(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool {
    doubtful == nil && isTimely(octets, at: index) == true
  }

  @usableFromInline var linkType: LinkType { .unknown }
  @usableFromInline var isFramed: Bool { false }
  @usableFromInline func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool { false }
  @usableFromInline func reading(behindHeaderAt index: Int, in octets: Span<UInt8>) -> Self? { nil }
  @usableFromInline func lenient(_ octets: Span<UInt8>, at index: Int) -> Self? { nil }
  @usableFromInline var lasting: Self { self }
  @usableFromInline func strict(behind lenient: Self) -> Self { self }
  @usableFromInline var doubtful: DoubtfulField? { nil }
  @usableFromInline var confirmations: Int { doubtful == nil ? 2 : 4 }
  @usableFromInline var clock: CaptureClock { .utc }
  @usableFromInline var droppedRecords: UInt64 { 0 }
  @usableFromInline func isCaptured(toTheEnd adapter: UInt16) -> Bool { true }
}
