internal import CZlib
import CaptureFiles
import Foundation

/// Writes btsnooz, as Android keeps it in memory and prints it into bug reports.
package enum BTSnoozBuilder {
  /// The records of packets, and the time of the last.
  package static func records(_ packets: [CapturedPacket], version: Int = 2) -> [UInt8] {
    var last = packets.first?.time ?? 0
    return packets.reduce(into: []) { octets, packet in
      octets += UInt16(packet.keptOctets.count + 1).little
      if version == 2 { octets += UInt16(packet.octets.count + 1).little }
      octets += UInt32(truncatingIfNeeded: packet.time - last).little
      last = packet.time
      octets += [type(of: packet)] + packet.keptOctets
    }
  }

  private static func type(of packet: CapturedPacket) -> UInt8 {
    let direction: UInt8 = packet.direction == .received ? 0x10 : 0x20
    switch packet.content {
    case .aclData: return direction | 1
    case .synchronousData: return direction | 2
    case .isochronousData: return packet.direction == .received ? 0x17 : 0x2D
    default: return direction
    }
  }

  /// What is printed, before base64: the version, the time of the last record, the records in a zlib stream.
  package static func packed(_ packets: [CapturedPacket], version: Int = 2) -> [UInt8] {
    let time = UInt64(bitPattern: packets.last?.time ?? 0)
    return [UInt8(version)] + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
      + deflated(records(packets, version: version))
  }

  private static func deflated(_ octets: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(octets.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    let status = unsafe compress(&packed, &count, octets, UInt(octets.count))
    guard status == Z_OK else { fatalError("zlib: \(status)") }
    return Array(packed.prefix(Int(count)))
  }

  /// A bug report's text with a log in it, in lines of so many characters.
  /// - Parameter isEnded: Whether it goes on behind the log.
  package static func bugReport(
    _ packed: [UInt8], lineLength: Int = 76, lineEnd: String = "\n", isEnded: Bool = true
  ) -> [UInt8] {
    let text = Array(Data(packed).base64EncodedString())
    let lines = stride(from: 0, to: text.count, by: lineLength).map {
      String(text[$0..<min($0 + lineLength, text.count)])
    }
    let log = ["--- BEGIN:BTSNOOP_LOG_SUMMARY (\(packed.count) bytes in) ---"] + lines
    let end = isEnded ? ["--- END:BTSNOOP_LOG_SUMMARY ---", "more"] : []
    let before = (0..<500).map { "== dumpstate: line \($0) --- BEGIN:SOMETHING ---" }
    return Array((before + log + end).map { $0 + lineEnd }.joined().utf8)
  }
}
