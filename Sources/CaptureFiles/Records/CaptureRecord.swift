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
@frozen public enum RecordContent: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// An HCI packet. Core 6.0, Vol 4, Part E, 5.4.
  case command, event, aclData, synchronousData, isochronousData
  /// What the Linux HCI monitor says of its adapters.
  case newIndex, deleteIndex, openIndex, closeIndex, indexInformation
  /// Something a Bluetooth capture holds beside packets: a note, management traffic, a vendor's diagnostics.
  case note
  /// A packet of an interface that is not Bluetooth HCI.
  case foreign
  /// A type that the link type does not define, or a record too short to tell.
  case unknown

  /// Whether this is Bluetooth traffic, whose times tell when the capture began and ended.
  @inlinable public var isPacket: Bool { rawValue <= RecordContent.isochronousData.rawValue }
}

/// One record of a capture file: a plain value that tells where its octets lie in the file. The octets themselves, which
/// are borrowed from the buffer they were read into, are handed on beside it.
@frozen public struct CaptureRecord: Sendable, BitwiseCopyable {
  /// When it was captured.
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
  /// Whether octets before it could not be read: records may be missing.
  public let followsDamage: Bool

  /// Creates a record of a packet without link type header.
  @inline(__always)
  init(
    at place: BlockPlace, time: Timestamp, linkType: LinkType, content: RecordContent, direction: Direction?,
    adapter: UInt16 = 0, length: Int, originalLength: Int, offset: Int
  ) {
    number = place.record
    followsDamage = place.followsDamage
    self.time = time
    self.linkType = linkType
    self.content = content
    self.direction = direction
    self.adapter = adapter
    kept = UInt32(truncatingIfNeeded: length)
    original = UInt32(truncatingIfNeeded: max(originalLength, length))
    self.offset = offset
  }

  /// How many of the packet's octets were kept.
  @inlinable public var length: Int { Int(kept) }

  /// How many octets the packet had before the capture cut it; never fewer than were kept.
  @inlinable public var originalLength: Int { Int(original) }

  /// Whether the capture kept fewer octets than there were.
  @inlinable public var isCut: Bool { kept < original }
}
