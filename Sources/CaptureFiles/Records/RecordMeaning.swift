public import Octets

/// What a link type finds a record to be.
@usableFromInline struct RecordMeaning {
  @usableFromInline let content: RecordContent
  @usableFromInline let direction: Direction?
  /// The adapter, where the link type tells several apart.
  @usableFromInline var adapter: UInt16
  /// How many octets of the link type's own come before the packet; fewer are there where the record is too short.
  @usableFromInline var headerLength: Int

  @inlinable init(
    content: RecordContent, direction: Direction?, adapter: UInt16 = 0, headerLength: Int = 0
  ) {
    self.content = content
    self.direction = direction
    self.adapter = adapter
    self.headerLength = headerLength
  }

  /// A record that is too short for its link type's header, or says nothing else.
  static var unknown: RecordMeaning { RecordMeaning(content: .unknown, direction: nil) }
}

extension LinkType {
  /// Takes the link type's header off a record and says what the packet is.
  /// - Parameters:
  ///   - flags: The format's own flags, where the link type is defined by them.
  ///   - direction: The direction the format itself tells, beside the link type.
  ///   - adapter: The adapter the format itself tells, for link types that do not; 0 for those that do.
  ///   - octets: The record's octets, with the link type's header still on.
  ///   - offset: Where `octets` begin in the file.
  @inlinable @inline(__always)
  func record(
    at place: BlockPlace, time: Timestamp, flags: UInt32 = 0, direction: Direction? = nil, adapter: UInt16 = 0,
    octets: OctetWindow, originalLength: Int, offset: Int
  ) -> CaptureRecord {
    let meaning = meaning(octets, flags, direction)
    let header = min(meaning.headerLength, octets.count)
    return CaptureRecord(
      at: place, time: time, linkType: self, content: meaning.content, direction: meaning.direction,
      adapter: meaning.adapter | adapter, length: octets.count &- header, originalLength: originalLength &- header,
      offset: offset &+ header)
  }

  @inlinable @inline(__always)
  func meaning(_ octets: OctetWindow, _ flags: UInt32, _ direction: Direction?) -> RecordMeaning {
    switch self {
    case .h4: HCIH4.meaning(octets, direction)
    case .h1: HCIH1.meaning(flags)
    case .h4WithDirection: HCIH4WithDirection.meaning(octets)
    case .linuxMonitor: LinuxMonitor.meaning(flags, octets)
    case .linuxMonitorWithHeader: LinuxMonitor.meaning(octets)
    case .packetLogger: PacketLoggerTypes.meaning(flags)
    default: RecordMeaning(content: .foreign, direction: nil)
    }
  }
}
