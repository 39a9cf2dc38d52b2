package import CaptureFiles
import Octets
import Testing

/// Every kind of file in which the same packets can lie.
package enum Container: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case btsnoopH4 = "btsnoop H4"
  case btsnoopH1 = "btsnoop H1"
  case btsnoopMonitor = "btsnoop monitor"
  case pcapH4 = "pcap 187"
  case pcapDirection = "pcap 201"
  case pcapBigNanoseconds = "pcap 201, big-endian, nanoseconds"
  case pcapLittleNanoseconds = "pcap 201, nanoseconds"
  case pcapBig = "pcap 201, big-endian"
  case pcapMonitor = "pcap 254"
  case pcapngLittle = "pcapng"
  case pcapngBig = "pcapng, big-endian"
  case pcapngTwoInterfaces = "pcapng, two interfaces"
  case packetLoggerLittle = "PacketLogger"
  case packetLoggerBig = "PacketLogger, big-endian"

  package var testDescription: String { rawValue }

  private var order: OctetOrder {
    switch self {
    case .pcapBig, .pcapBigNanoseconds, .pcapngBig, .packetLoggerBig: .big
    default: .little
    }
  }

  private var pcap: PCAPBuilder? {
    switch self {
    case .pcapH4: PCAPBuilder(linkType: 187)
    case .pcapMonitor: PCAPBuilder(linkType: 254)
    case .pcapDirection, .pcapBig: PCAPBuilder(order)
    case .pcapBigNanoseconds, .pcapLittleNanoseconds: PCAPBuilder(order, hasNanoseconds: true)
    default: nil
    }
  }

  /// The format's name as the reader gives it.
  package var formatName: String {
    switch self {
    case .btsnoopH4, .btsnoopH1, .btsnoopMonitor: "btsnoop"
    case .pcapngLittle, .pcapngBig, .pcapngTwoInterfaces: "pcapng"
    case .packetLoggerLittle, .packetLoggerBig: "packetlogger"
    default: "pcap"
    }
  }

  /// The link type that the reader finds.
  package var linkType: LinkType {
    switch self {
    case .btsnoopH4, .pcapH4: .h4
    case .btsnoopH1: .h1
    case .btsnoopMonitor: .linuxMonitor
    case .pcapMonitor: .linuxMonitorWithHeader
    case .packetLoggerLittle, .packetLoggerBig: .packetLogger
    default: .h4WithDirection
    }
  }

  /// Whether the format tells how long a packet was before it was cut.
  package var tellsOriginalLength: Bool { formatName != "packetlogger" }

  /// Whether the format tells adapters apart.
  package var tellsAdapter: Bool {
    [.linuxMonitor, .linuxMonitorWithHeader].contains(linkType) || self == .pcapngTwoInterfaces
  }

  /// Whether the format tells the direction of every packet.
  package var tellsDirection: Bool { self != .pcapH4 }

  /// What stands before the first record.
  package var header: [UInt8] {
    switch self {
    case .btsnoopH4: BTSnoopBuilder.header(dataLink: 1002)
    case .btsnoopH1: BTSnoopBuilder.header(dataLink: 1001)
    case .btsnoopMonitor: BTSnoopBuilder.header(dataLink: 2001)
    case .pcapngLittle, .pcapngBig: PCAPNGBuilder(order).section + PCAPNGBuilder(order).interface(linkType: 201)
    case .pcapngTwoInterfaces: Self.pcapngLittle.header + PCAPNGBuilder(order).interface(linkType: 201)
    case .packetLoggerLittle, .packetLoggerBig: []
    default: pcap?.header ?? []
    }
  }

  /// A packet as a record.
  package func record(_ packet: CapturedPacket) -> [UInt8] {
    switch self {
    case .btsnoopH4: BTSnoopBuilder.h4(packet)
    case .btsnoopH1: BTSnoopBuilder.h1(packet)
    case .btsnoopMonitor: BTSnoopBuilder.monitor(packet)
    case .pcapngLittle, .pcapngBig: PCAPNGBuilder(order).record(packet)
    case .pcapngTwoInterfaces: PCAPNGBuilder(order).record(packet, interface: UInt32(packet.adapter))
    case .packetLoggerLittle, .packetLoggerBig: PacketLoggerBuilder(order).record(packet)
    default: pcap?.record(packet) ?? []
    }
  }

  /// A whole file.
  package func file(_ packets: [CapturedPacket]) -> [UInt8] {
    packets.reduce(into: header) { $0 += record($1) }
  }
}
