import Octets

extension PCAPNG {
  /// Writes a section header, and the description of the one interface: the Linux HCI monitor, with microseconds.
  static func writeFileHeader(into file: inout ContiguousArray<UInt8>) {
    // Section: type, length, byte-order magic, version 1.0, section length unknown, length.
    file.append(BlockType.section, 28, 0x1A2B_3C4D, 1, .max, .max, 28, order: .little)
    // Interface: type, length, link type, snapshot length without a limit, length.
    file.append(BlockType.interface, 20, LinkType.linuxMonitorWithHeader.number, 0, 20, order: .little)
  }

  /// Writes an Enhanced Packet Block.
  /// - Parameter drops: How many records were lost before it.
  static func write(_ packet: MonitorPacket, drops: UInt64, into file: inout ContiguousArray<UInt8>) {
    let captured = packet.octets.count + LinuxMonitor.headerLength
    let padding = (4 - captured % 4) % 4
    let total = UInt32(clamping: headerLengths + captured + padding + (drops > 0 ? dropOptionLength : 0))
    let time = UInt64(clamping: packet.time.microseconds)
    file.append(
      BlockType.enhancedPacket, total, 0, UInt32(truncatingIfNeeded: time >> 32), UInt32(truncatingIfNeeded: time),
      UInt32(clamping: captured), UInt32(clamping: packet.originalLength + LinuxMonitor.headerLength), order: .little)
    file.append(packet.source, order: .big)
    file.append(packet.octets)
    file.append(contentsOf: repeatElement(0, count: padding))
    if drops > 0 {
      // epb_dropcount is option 4, of 8 octets; option 0 ends them.
      file.append(4 as UInt16, 8, order: .little)
      file.append(drops, order: .little)
      file.append(0 as UInt32, order: .little)
    }
    file.append(total, order: .little)
  }

  /// Writes an Interface Statistics Block.
  /// - Parameter drops: How many records of this file were lost so far.
  static func write(drops: UInt64, at time: Timestamp, into file: inout ContiguousArray<UInt8>) {
    let (total, time) = (UInt32(statisticsLength), UInt64(clamping: time.microseconds))
    file.append(
      BlockType.statistics, total, 0, UInt32(truncatingIfNeeded: time >> 32), UInt32(truncatingIfNeeded: time),
      order: .little)
    // isb_ifdrop is option 5, of 8 octets; option 0 ends them.
    file.append(5 as UInt16, 8, order: .little)
    file.append(drops, order: .little)
    file.append(0 as UInt32, total, order: .little)
  }

  /// Type, length, interface, time, isb_ifdrop, the end of the options, and the length again.
  static let statisticsLength = 40

  /// What stands around a packet: type, length, interface, time, two lengths, and the length again.
  private static let headerLengths = 32
  private static let dropOptionLength = 16
}
