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

/// One record of a capture file, borrowed from the buffer it was read into.
@frozen public struct CaptureRecord: ~Escapable, BitwiseCopyable {
  /// The position in the file, counted from 1: Wireshark's `frame.number`.
  public let number: Int
  /// Whether octets before it could not be read: records may be missing.
  public let followsDamage: Bool
  /// When it was captured.
  public let time: Timestamp
  /// What kind of interface it was captured on.
  public let linkType: LinkType
  /// What `octets` are.
  public let content: RecordContent
  /// Where it went; nil where the capture does not say.
  public let direction: Direction?
  /// The adapter, where the capture tells several apart; otherwise 0.
  public let adapter: UInt16
  /// The packet's octets as kept, without the link type's header.
  public let octets: Span<UInt8>
  /// How many octets the packet had before the capture cut it, on the same count; never fewer than `octets`.
  public let originalLength: Int
  /// Where `octets` begin in the file.
  public let offset: Int

  /// Creates a record of a packet without link type header.
  @inline(__always)
  @_lifetime(copy octets)
  init(
    at place: BlockPlace, time: Timestamp, linkType: LinkType, content: RecordContent, direction: Direction?,
    adapter: UInt16 = 0, octets: Span<UInt8>, originalLength: Int, offset: Int
  ) {
    number = place.record
    followsDamage = place.followsDamage
    self.time = time
    self.linkType = linkType
    self.content = content
    self.direction = direction
    self.adapter = adapter
    self.octets = octets
    self.originalLength = max(originalLength, octets.count)
    self.offset = offset
  }

  /// Whether the capture kept fewer octets than there were.
  @inlinable public var isCut: Bool { octets.count < originalLength }
}
