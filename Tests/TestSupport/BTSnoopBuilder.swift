import CaptureFiles

/// Writes btsnoop.
package enum BTSnoopBuilder {
  /// The year 0 to 1970 in microseconds, from the specification's 0x00E03AB44A676000 for 2000-01-01.
  package static let epoch: Int64 = 0x00E0_3AB4_4A67_6000 - 946_684_800_000_000

  /// The file header.
  package static func header(dataLink: UInt32 = 1002, version: UInt32 = 1) -> [UInt8] {
    Array("btsnoop".utf8) + [0] + version.big + dataLink.big
  }

  /// A record as it stands in the file.
  package static func record(
    _ octets: [UInt8], original: Int? = nil, flags: UInt32 = 0, drops: UInt32 = 0, time: Int64 = CapturedPacket.start
  ) -> [UInt8] {
    UInt32(original ?? octets.count).big + UInt32(octets.count).big + flags.big + drops.big + (time + epoch).big
      + octets
  }

  /// Where the records of a file begin.
  package static func recordPlaces(of file: [UInt8]) -> [Int] {
    var (places, next): ([Int], Int) = ([], 16)
    while next + 24 <= file.count {
      places.append(next)
      next += 24 + file[next + 4..<next + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    return places
  }

  /// A record of H4, data link 1002.
  package static func h4(_ packet: CapturedPacket) -> [UInt8] {
    let isControl: UInt32 = packet.content == .command || packet.content == .event ? 2 : 0
    return record(
      [packet.uartType] + packet.keptOctets, original: packet.octets.count + 1,
      flags: isControl | (packet.direction == .received ? 1 : 0), time: packet.time)
  }

  /// A record of H1, data link 1001.
  package static func h1(_ packet: CapturedPacket) -> [UInt8] {
    let isControl: UInt32 = packet.content == .command || packet.content == .event ? 2 : 0
    return record(
      packet.keptOctets, original: packet.octets.count, flags: isControl | (packet.direction == .received ? 1 : 0),
      time: packet.time)
  }

  /// A record of the Linux monitor, data link 2001.
  package static func monitor(_ packet: CapturedPacket) -> [UInt8] {
    record(
      packet.keptOctets, original: packet.octets.count,
      flags: UInt32(packet.adapter) << 16 | UInt32(packet.monitorOpcode), time: packet.time)
  }
}
