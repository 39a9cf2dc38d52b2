public import Octets

/// Where a packet went, seen from the host whose capture it is.
@frozen public enum Direction: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// From the host to its controller, and on to the peer.
  case sent
  /// From the controller to the host.
  case received

  /// The other way.
  @inlinable public var opposite: Direction { self == .sent ? .received : .sent }
}

/// What the octets of a record are, once the link type's own header is taken off.
@frozen public struct RecordContent: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// A number of its own; for HCI packets that of the UART transport. Core 6.0, Vol 4, Part A, 2.
  public let rawValue: UInt8

  /// The content of a number.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A type that the link type does not define, or a record too short to tell.
  @inlinable public static var unknown: RecordContent { RecordContent(rawValue: 0) }
  /// An HCI command.
  @inlinable public static var command: RecordContent { RecordContent(rawValue: 1) }
  /// HCI ACL data.
  @inlinable public static var aclData: RecordContent { RecordContent(rawValue: 2) }
  /// HCI synchronous data.
  @inlinable public static var synchronousData: RecordContent { RecordContent(rawValue: 3) }
  /// An HCI event.
  @inlinable public static var event: RecordContent { RecordContent(rawValue: 4) }
  /// HCI isochronous data.
  @inlinable public static var isochronousData: RecordContent { RecordContent(rawValue: 5) }
  /// The Linux HCI monitor says: an adapter appeared.
  @inlinable public static var newIndex: RecordContent { RecordContent(rawValue: 6) }
  /// An adapter vanished.
  @inlinable public static var deleteIndex: RecordContent { RecordContent(rawValue: 7) }
  /// An adapter was switched on.
  @inlinable public static var openIndex: RecordContent { RecordContent(rawValue: 8) }
  /// An adapter was switched off.
  @inlinable public static var closeIndex: RecordContent { RecordContent(rawValue: 9) }
  /// What an adapter is.
  @inlinable public static var indexInformation: RecordContent { RecordContent(rawValue: 10) }
  /// Something a Bluetooth capture holds beside packets: a note, a vendor's diagnostics.
  @inlinable public static var note: RecordContent { RecordContent(rawValue: 11) }
  /// A packet of an interface that is not Bluetooth HCI.
  @inlinable public static var foreign: RecordContent { RecordContent(rawValue: 12) }

  /// A packet that cannot be read: nothing describes its interface, its block lacks fields, or it holds octets though it is
  /// of a kind that has none.
  @inlinable public static var unreadable: RecordContent { RecordContent(rawValue: 13) }

  /// What else the Linux HCI monitor says, by its opcode: notes of the system, management traffic, what is yet to come.
  @inlinable public static func monitorNote(_ opcode: UInt8) -> RecordContent { RecordContent(rawValue: 0x80 | opcode) }

  /// A program asks something of the kernel: the monitor's Control Command.
  @inlinable public static var managementCommand: RecordContent { monitorNote(16) }

  /// The opcode of what else the Linux HCI monitor says; nil if it is not that.
  @inlinable public var monitorOpcode: UInt8? { rawValue < 0x80 ? nil : rawValue & 0x7F }

  /// Whether this is something that the Linux HCI monitor says in its opcode alone.
  var isBareMonitorNote: Bool { self == .deleteIndex || self == .openIndex || self == .closeIndex }

  /// Whether this is Bluetooth traffic, whose times tell when the capture began and ended.
  @inlinable public var isPacket: Bool { rawValue &- 1 < RecordContent.isochronousData.rawValue }
}

/// One record of a capture file: a plain value that tells where its octets lie in the file. The octets themselves, which
/// are borrowed from the buffer they were read into, are handed on beside it.
@frozen public struct CaptureRecord: Sendable, BitwiseCopyable {
  /// When it was captured; `unknown` where its header says what cannot be.
  public let time: Timestamp
  /// Where the packet's octets begin in the file, behind the link type's header.
  public let offset: Int
  /// The position in the file, counted from 1: Wireshark's `frame.number`.
  public let number: Int
  // No format has room for larger lengths.
  @usableFromInline let kept: UInt32
  @usableFromInline let original: UInt32
  /// What kind of interface it was captured on.
  public let linkType: LinkType
  /// The adapter, where the capture tells several apart; otherwise 0.
  public let adapter: UInt16
  /// What its octets are.
  public let content: RecordContent
  /// Where it went; nil where the capture does not say.
  public let direction: Direction?
  /// What stands between it and the record before.
  @usableFromInline let breaks: Breaks

  /// Why a record need not be the next one behind the one before. In the upper 24 bits stands how many were lost.
  @frozen @usableFromInline struct Breaks: OptionSet, Sendable, BitwiseCopyable {
    @usableFromInline let rawValue: UInt32

    @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The capture says that it lost records.
    @inlinable static var drop: Breaks { Breaks(rawValue: 1 << 0) }
    /// Octets could not be read.
    @inlinable static var damage: Breaks { Breaks(rawValue: 1 << 1) }
    /// Another file begins, or another section of one.
    @inlinable static var header: Breaks { Breaks(rawValue: 1 << 2) }
    /// None: what its header says of the length that it had cannot be.
    @inlinable static var oddLength: Breaks { Breaks(rawValue: 1 << 3) }

    /// The capture says that it lost so many records; of more than fit here, as many as do.
    @usableFromInline static func drops(_ count: UInt64) -> Breaks {
      count > 0 ? [.drop, Breaks(rawValue: UInt32(min(count, CaptureRecord.mostDrops)) << 8)] : []
    }

    /// How many records the capture says that it lost.
    var drops: UInt64 { UInt64(rawValue >> 8) }
  }

  /// More records are not told to be lost before one.
  static var mostDrops: UInt64 { 1 << 24 - 1 }

  /// Creates a record of a packet without link type header.
  @inlinable @inline(__always)
  init(
    at place: BlockPlace, time: Timestamp, linkType: LinkType, content: RecordContent, direction: Direction?,
    adapter: UInt16 = 0, length: Int, originalLength: Int, offset: Int
  ) {
    number = place.record
    breaks = place.breaks
    self.time = time
    self.linkType = linkType
    self.content = content
    self.direction = direction
    self.adapter = adapter
    kept = UInt32(truncatingIfNeeded: length)
    original = UInt32(truncatingIfNeeded: max(originalLength, length))
    self.offset = offset
  }

  /// Whether octets before it could not be read: records may be missing.
  @inlinable public var followsDamage: Bool { breaks.contains(.damage) }

  /// Whether records are missing before it, or may be: it follows damage, or the capture itself says that it lost some.
  @inlinable public var followsLoss: Bool { !breaks.isDisjoint(with: [.drop, .damage]) }

  /// Whether no more than one record is missing before it, as the capture itself says.
  public var followsOneDrop: Bool { breaks.subtracting(.oddLength) == .drops(1) }

  /// How many records are missing before it, as the capture itself says: of more than 16,777,215 as many.
  public var droppedRecords: UInt64 { breaks.drops }

  /// The adapter whose the records are that are missing before it; nil if they may be any one's. What a capture says that
  /// it lost is of the record's own interface, and that is an adapter, unless the records of its link type tell several.
  public var adapterOfLoss: UInt16? { followsDamage || linkType.tellsAdapter ? nil : adapter }

  /// Whether another file's header, or a section's, stands between it and the record before, which need not be of its time.
  @inlinable public var followsHeader: Bool { breaks.contains(.header) }

  /// Whether what its header says of the length that the packet had cannot be, and is not believed.
  @inlinable public var hasOddLength: Bool { breaks.contains(.oddLength) }

  /// How many of the packet's octets were kept.
  @inlinable public var length: Int { Int(kept) }

  /// How many octets the packet had before the capture cut it; never fewer than were kept.
  @inlinable public var originalLength: Int { Int(original) }

  /// Whether the capture kept fewer octets than there were.
  @inlinable public var isCut: Bool { kept < original }

  /// The record, captured at another moment if it does not say when.
  public func captured(orAt time: Timestamp) -> CaptureRecord {
    self.time == .unknown ? CaptureRecord(self, at: time) : self
  }

  /// The record, captured at another moment if it says when.
  public func captured(_ moment: (Timestamp) -> Timestamp) -> CaptureRecord {
    time == .unknown ? self : CaptureRecord(self, at: moment(time))
  }

  /// The record of which its header does not say when it was captured.
  var withoutTime: CaptureRecord { CaptureRecord(self, at: .unknown) }

  private init(_ record: CaptureRecord, at time: Timestamp) {
    self.time = time
    (offset, number, kept, original) = (record.offset, record.number, record.kept, record.original)
    (linkType, adapter, content) = (record.linkType, record.adapter, record.content)
    (direction, breaks) = (record.direction, record.breaks)
  }

  /// The packet's octets in its block.
  @inlinable @inline(__always) @_lifetime(copy block)
  func octets(in block: OctetWindow, at place: BlockPlace) -> Span<UInt8> {
    block.octets(at: offset &- place.offset, count: length)
  }
}
