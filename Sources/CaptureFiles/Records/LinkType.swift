/// What kind of interface records were captured on: which header precedes each packet.
///
/// The number is that of pcap (the tcpdump.org link-layer header types), which has 16 bits; kinds that pcap does not
/// know have larger ones. It is compared for every record.
@frozen public struct LinkType: Hashable, Sendable, BitwiseCopyable {
  /// The number, in pcap files the one that stands there.
  public let number: UInt32

  @inlinable init(number: UInt32) {
    self.number = number
  }

  /// HCI packets behind their UART type octet.
  @inlinable public static var h4: LinkType { LinkType(number: 187) }
  /// The same behind a direction word.
  @inlinable public static var h4WithDirection: LinkType { LinkType(number: 201) }
  /// The Linux HCI monitor: adapter and opcode before the packet.
  @inlinable public static var linuxMonitorWithHeader: LinkType { LinkType(number: 254) }
  /// The same, adapter and opcode in the record's flags. btsnoop's 2001.
  @inlinable public static var linuxMonitor: LinkType { LinkType(number: 0x1_0000 + 2001) }
  /// HCI packets without a type octet; kind and direction stand in the record's flags. btsnoop's 1001.
  @inlinable public static var h1: LinkType { LinkType(number: 0x1_0000 + 1001) }
  /// Apple PacketLogger: a type octet of its own.
  @inlinable public static var packetLogger: LinkType { LinkType(number: 0x2_0000) }
  /// No link type at all: of a record that does not say on which interface it was captured.
  @inlinable public static var unknown: LinkType { LinkType(number: .max) }
  /// A link type of pcap that is not Bluetooth HCI.
  @inlinable public static func other(_ number: UInt16) -> LinkType { LinkType(number: UInt32(number)) }

  /// The name in reports.
  public var name: String { nameOfHCI ?? "other-\(number)" }

  /// Whether records of this type are HCI traffic. It is asked for each packet of a pcapng.
  public var isHCI: Bool { nameOfHCI != nil }

  /// The name of a type whose records are HCI traffic; nil for any other.
  private var nameOfHCI: String? {
    switch self {
    case .h1: "hci-h1"
    case .h4, .packetLogger: "hci-h4"
    case .h4WithDirection: "hci-h4-phdr"
    case .linuxMonitor, .linuxMonitorWithHeader: "linux-monitor"
    default: nil
    }
  }

  /// Whether each record of this type tells its adapter.
  public var tellsAdapter: Bool { self == .linuxMonitor || self == .linuxMonitorWithHeader }

  /// Why records of this type are not read, in words.
  public var refusal: String {
    let name =
      switch number {
      case 0: "null/loopback"
      case 1: "Ethernet"
      case 101: "raw IP"
      case 105, 127: "Wi-Fi"
      case 113, 276: "Linux cooked capture"
      case 186, 189, 220, 249, 266, 288: "USB; \"hrsnoop explain capture\" says how to log HCI itself"
      case 251, 256, 272: "a sniffer's radio packets; take the log on the phone or the computer instead"
      case 255: "BR/EDR radio packets; take the log on the phone or the computer instead"
      default: "not Bluetooth HCI"
      }
    return "\(number), \(name). hrsnoop reads HCI captures: link types 187, 201 and 254"
  }
}
