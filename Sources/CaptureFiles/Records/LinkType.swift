/// What kind of interface records were captured on: which header precedes each packet.
@frozen public enum LinkType: Hashable, Sendable, BitwiseCopyable {
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

extension LinkType {
  /// The link type as one number, those that are read before all others.
  @inlinable var ordinal: UInt64 {
    switch self {
    case .h1: 0
    case .h4: 1
    case .h4WithDirection: 2
    case .linuxMonitor: 3
    case .linuxMonitorWithHeader: 4
    case .packetLogger: 5
    case .other(let number): 6 &+ UInt64(number)
    }
  }

  /// Whether two link types are the same. It is asked for every record, and one comparison answers it faster than the
  /// cases one by one.
  @inlinable public static func == (left: LinkType, right: LinkType) -> Bool { left.ordinal == right.ordinal }
}
