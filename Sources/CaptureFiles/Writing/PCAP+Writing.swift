import Octets

extension PCAP {
  /// Writes the header of a file of the Linux HCI monitor's, with microseconds.
  static func writeFileHeader(into file: inout ContiguousArray<UInt8>) {
    file.append(0xA1B2_C3D4 as UInt32, order: .little)
    file.append(2 as UInt16, 4, order: .little)
    file.append(0 as UInt32, 0, BlockWindow.longestPacket, LinkType.linuxMonitorWithHeader.number, order: .little)
  }

  /// Writes a record. There is no place to tell losses.
  static func write(_ packet: MonitorPacket, into file: inout ContiguousArray<UInt8>) {
    let (seconds, rest) = max(0, packet.time.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
    file.append(
      UInt32(clamping: seconds), UInt32(rest), UInt32(clamping: packet.octets.count + LinuxMonitor.headerLength),
      UInt32(clamping: packet.originalLength + LinuxMonitor.headerLength), order: .little)
    file.append(packet.source, order: .big)
    file.append(packet.octets)
  }
}
