import Octets

/// What a link type finds a record to be.
struct RecordMeaning {
  /// The link type, for reports.
  var linkType: LinkType
  let content: RecordContent
  let direction: Direction?
  /// The adapter, where the link type tells several apart.
  var adapter: UInt16 = 0
  /// How many octets of the link type's own come before the packet; fewer are there where the record is too short.
  var headerLength = 0

  /// A record that is too short for its link type's header, or says nothing else.
  static func unknown(_ linkType: LinkType) -> RecordMeaning {
    RecordMeaning(linkType: linkType, content: .unknown, direction: nil)
  }
}

extension LinkType {
  /// Takes the link type's header off a record and says what the packet is.
  /// - Parameters:
  ///   - flags: The format's own flags, where the link type is defined by them.
  ///   - direction: The direction the format itself tells, beside the link type.
  ///   - octets: The record's octets, with the link type's header still on.
  ///   - offset: Where `octets` begin in the file.
  @inline(__always)
  func record(
    at place: BlockPlace, time: Timestamp, flags: UInt32 = 0, direction: Direction? = nil, octets: Span<UInt8>,
    originalLength: Int, offset: Int
  ) -> CaptureRecord {
    let meaning = meaning(octets, flags, direction)
    let header = min(meaning.headerLength, octets.count)
    return CaptureRecord(
      at: place, time: time, linkType: meaning.linkType, content: meaning.content, direction: meaning.direction,
      adapter: meaning.adapter, length: octets.count &- header, originalLength: originalLength &- header,
      offset: offset &+ header)
  }

  @inline(__always)
  private func meaning(_ octets: Span<UInt8>, _ flags: UInt32, _ direction: Direction?) -> RecordMeaning {
    switch self {
    case .h1: HCIH1.meaning(flags)
    case .h4: HCIH4.meaning(octets, direction)
    case .h4WithDirection: HCIH4WithDirection.meaning(octets)
    case .linuxMonitor: LinuxMonitor.meaning(flags)
    case .linuxMonitorWithHeader: LinuxMonitor.meaning(octets)
    case .packetLogger: PacketLoggerTypes.meaning(flags)
    case .other: RecordMeaning(linkType: self, content: .foreign, direction: nil)
    }
  }
}
