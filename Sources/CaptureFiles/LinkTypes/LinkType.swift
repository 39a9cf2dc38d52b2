import Octets

/// What kind of interface records were captured on: which header precedes each packet.
@frozen public enum LinkType: Hashable, Sendable {
  /// HCI packets without a type octet; kind and direction stand in the record's flags.
  case h1
  /// HCI packets behind their UART type octet.
  case h4
  /// The same behind a direction word.
  case h4WithDirection
  /// The Linux HCI monitor: adapter and opcode in the record's flags.
  case linuxMonitor
  /// The same, adapter and opcode before the packet.
  case linuxMonitorWithHeader
  /// Apple PacketLogger: a type octet of its own.
  case packetLogger
  /// Anything else, by its number in the file.
  case other(UInt32)

  /// The name in reports, for the link types that are read.
  public var name: String {
    switch self {
    case .h1: "hci-h1"
    case .h4, .packetLogger: "hci-h4"
    case .h4WithDirection: "hci-h4-phdr"
    case .linuxMonitor, .linuxMonitorWithHeader: "linux-monitor"
    case .other(let number): "other-\(number)"
    }
  }

  /// Why records of this type are not read, in words.
  public var refusal: String {
    if case .other(let number) = self { Self.refusal(ofPcapNumber: number) } else { "it is read" }
  }

  /// Whether records of this type are HCI traffic.
  public var isHCI: Bool {
    if case .other = self { false } else { true }
  }

  /// The link type of a number in pcap and pcapng files (the tcpdump.org link-layer header types).
  init(pcapNumber number: UInt32) {
    self =
      switch number {
      case 187: .h4
      case 201: .h4WithDirection
      case 254: .linuxMonitorWithHeader
      default: .other(number)
      }
  }
}

/// A record as a file format hands it to its link type: everything the file says of it, and the octets with the link
/// type's header still on.
struct RawRecord: ~Escapable, BitwiseCopyable {
  let time: Timestamp
  /// The format's own flags, where the link type is defined by them.
  let flags: UInt32
  /// The direction the format itself tells, beside the link type.
  let direction: Direction?
  let octets: Span<UInt8>
  let originalLength: Int
  let offset: Int

  @_lifetime(copy octets)
  init(
    time: Timestamp, flags: UInt32 = 0, direction: Direction? = nil, octets: Span<UInt8>, originalLength: Int,
    offset: Int
  ) {
    self.time = time
    self.flags = flags
    self.direction = direction
    self.octets = octets
    self.originalLength = originalLength
    self.offset = offset
  }

  /// The record without the first `count` octets, or without any of them where it is shorter.
  @inline(__always)
  @_lifetime(copy self)
  func record(
    _ linkType: LinkType, _ content: RecordContent, _ direction: Direction?, adapter: UInt16 = 0,
    droppingHeader count: Int = 0
  ) -> CaptureRecord {
    let header = min(count, octets.count)
    return CaptureRecord(
      time: time, linkType: linkType, content: content, direction: direction, adapter: adapter,
      octets: octets.extracting(header..<octets.count), originalLength: originalLength - header,
      offset: offset + header)
  }
}

extension LinkType {
  /// Takes the link type's header off a record and says what the packet is.
  @inline(__always)
  @_lifetime(copy raw)
  func record(_ raw: RawRecord) -> CaptureRecord {
    switch self {
    case .h1: HCIH1.record(raw)
    case .h4: HCIH4.record(raw)
    case .h4WithDirection: HCIH4WithDirection.record(raw)
    case .linuxMonitor: LinuxMonitor.record(raw)
    case .linuxMonitorWithHeader: LinuxMonitor.recordWithHeader(raw)
    case .packetLogger: PacketLoggerTypes.record(raw)
    case .other: raw.record(self, .foreign, nil)
    }
  }
}
