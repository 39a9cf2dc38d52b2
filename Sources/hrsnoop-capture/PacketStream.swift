#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A pcapng file on its way to standard output. Unlike pcap, it says where packets were lost.
///
///     section (28)  interface (20)  packet (32 + packet + padding, 48 with losses)  packet …
///
/// IETF draft-ietf-opsawg-pcapng, 4.1, 4.2 and 4.3.
struct PacketStream {
  private var octets = ContiguousArray<UInt8>()
  private var drops: UInt32 = 0
  /// Packets that were lost before the next one.
  private var newDrops: UInt64 = 0

  private static let limit = 128 << 10

  init(linkType: UInt16) {
    // Section: type, length, byte-order magic, version 1.0, section length unknown, length.
    append(0x0A0D_0D0A as UInt32, 28, 0x1A2B_3C4D, 1)
    append(.max as UInt64)
    append(28 as UInt32)
    // Interface: type, length, link type, snapshot length without a limit, length. Times are in microseconds.
    append(1 as UInt32, 20, UInt32(linkType), 0, 20)
  }

  /// Whether what waits should be written first.
  var isFull: Bool { octets.count >= Self.limit }

  /// Takes note of how many packets were lost so far.
  mutating func note(drops: UInt32) {
    newDrops += UInt64(drops &- self.drops)
    self.drops = drops
  }

  /// Takes a packet.
  mutating func append(microseconds: UInt64, length: UInt32, _ packet: Span<UInt8>) {
    let padding = (4 - packet.count % 4) % 4
    let total = UInt32(32 + packet.count + padding + (newDrops > 0 ? 16 : 0))
    append(
      6 as UInt32, total, 0, UInt32(truncatingIfNeeded: microseconds >> 32), UInt32(truncatingIfNeeded: microseconds),
      UInt32(packet.count), length)
    for index in packet.indices { octets.append(packet[index]) }
    octets.append(contentsOf: repeatElement(0, count: padding))
    if newDrops > 0 {
      // epb_dropcount is option 4, of 8 octets; option 0 ends them.
      append(4 | 8 << 16 as UInt32)
      append(newDrops)
      append(0 as UInt32)
      newDrops = 0
    }
    append(total)
  }

  private mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers {
      for place in 0..<Number.bitWidth / 8 { octets.append(UInt8(truncatingIfNeeded: number >> Number(place * 8))) }
    }
  }

  /// Writes what waits.
  /// - Returns: Whether anybody reads it.
  /// - Throws: `CaptureFailure` if it cannot be written for another reason, such as a full disk.
  mutating func flush() throws(CaptureFailure) -> Bool {
    defer { octets.removeAll(keepingCapacity: true) }
    let code: Int32 = unsafe octets.withUnsafeBytes { all in
      var left = unsafe all[...]
      while unsafe !left.isEmpty {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: left)
        let count = unsafe write(STDOUT_FILENO, piece.baseAddress, piece.count)
        if count > 0 { unsafe left = left.dropFirst(count) } else if errno != EINTR { return errno }
      }
      return 0
    }
    guard code == 0 || code == EPIPE else {
      throw CaptureFailure(
        status: .failed, sentence: "standard output cannot be written: \(unsafe String(cString: strerror(code)))")
    }
    return code == 0
  }
}
