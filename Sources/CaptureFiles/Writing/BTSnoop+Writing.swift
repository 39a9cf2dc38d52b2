import Octets

extension BTSnoop {
  /// Writes the header of a file of the Linux HCI monitor's.
  static func writeFileHeader(into file: inout ContiguousArray<UInt8>) {
    file.append(magic.0, magic.1, 1, 2001, order: .big)
  }

  /// Writes a record.
  /// - Parameter drops: How many records of this file were lost so far.
  static func write(_ packet: MonitorPacket, drops: UInt64, into file: inout ContiguousArray<UInt8>) {
    file.append(
      UInt32(clamping: packet.originalLength), UInt32(clamping: packet.octets.count), packet.source,
      UInt32(clamping: drops), order: .big)
    file.append(packet.time.microseconds &+ epoch, order: .big)
    file.append(packet.octets)
  }
}
