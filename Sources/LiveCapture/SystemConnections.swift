import CaptureSources
import Octets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A connection that one of this computer's adapters has, as the kernel tells it. It does not tell the address's type.
public struct SystemConnection: Hashable, Sendable {
  /// The adapter's number.
  public let adapter: UInt16
  /// The connection handle.
  public let handle: UInt16
  /// The peer's address.
  public let address: UInt64
  /// Whether it is a Low Energy connection; else BR/EDR.
  public let isLowEnergy: Bool
  /// Whether this computer is its central.
  public let isCentral: Bool

  /// The connections that there are now, whoever asks: none where there is no Bluetooth, or no Linux.
  public static func all() -> [SystemConnection] {
    #if os(Linux)
      let (family, hci): (Int32, Int32) = (31, 1)
      guard let socket = try? Descriptor(socket(family, Int32(SOCK_RAW.rawValue), hci), or: "no socket") else {
        return []
      }
      return adapters(socket).flatMap { connections(of: $0, socket) }
    #else
      return []
    #endif
  }
}

#if os(Linux)
  // What the kernel takes and gives, in its header bluetooth/hci_sock.h:
  //
  //     HCIGETDEVLIST    u16 count, u16 –, then for each adapter   u16 number, u16 –, u32 flags
  //     HCIGETCONNLIST   u16 adapter, u16 count, then for each     u16 handle, address (6), u8 type, u8 outgoing,
  //                                                                u16 state, u32 mode
  extension SystemConnection {
    private static let getAdapters: UInt = 0x8004_48D2
    private static let getConnections: UInt = 0x8004_48D4
    private static let most: UInt16 = 128
    private static let lowEnergy: UInt8 = 0x80
    private static let classic: UInt8 = 1
    /// Bit 0 of the mode: this computer is the central.
    private static let central: UInt32 = 1

    private static func adapters(_ socket: Descriptor) -> [UInt16] {
      guard let answer = ask(socket, getAdapters, [most, 0], entryLength: 8) else { return [] }
      var reader = OctetReader(answer.span, layer: "HCIGETDEVLIST")
      guard let count = try? reader.uint16("Count"), (try? reader.skip(2, "Padding")) != nil else { return [] }
      return (0..<count).compactMap { _ in
        defer { reader.skip(upTo: 6) }
        return try? reader.uint16("Number")
      }
    }

    private static func connections(of adapter: UInt16, _ socket: Descriptor) -> [SystemConnection] {
      guard let answer = ask(socket, getConnections, [adapter, most], entryLength: 16) else { return [] }
      var reader = OctetReader(answer.span, layer: "HCIGETCONNLIST")
      guard (try? reader.uint16("Adapter")) != nil, let count = try? reader.uint16("Count") else { return [] }
      return (0..<count).compactMap { _ in connection(&reader, adapter) }
    }

    private static func connection(_ reader: inout OctetReader, _ adapter: UInt16) -> SystemConnection? {
      guard let handle = try? reader.uint16("Handle"), let low = try? reader.uint32("Address"),
        let high = try? reader.uint16("Address"), let type = try? reader.uint8("Type"),
        (try? reader.skip(3, "State")) != nil, let mode = try? reader.uint32("Mode"),
        type == lowEnergy || type == classic
      else { return nil }
      return SystemConnection(
        adapter: adapter, handle: handle, address: UInt64(high) << 32 | UInt64(low), isLowEnergy: type == lowEnergy,
        isCentral: mode & central != 0)
    }

    /// - Parameters:
    ///   - head: The two numbers that the question begins with.
    ///   - entryLength: How many octets each entry of the answer has.
    private static func ask(
      _ socket: Descriptor, _ question: UInt, _ head: [UInt16], entryLength: Int
    ) -> ContiguousArray<UInt8>? {
      var octets = ContiguousArray(head.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
      octets.append(contentsOf: repeatElement(0, count: Int(most) * entryLength))
      let result = unsafe octets.withUnsafeMutableBytes { all in
        unsafe all.baseAddress.map { unsafe ioctl(socket.number, question, $0) } ?? -1
      }
      return result == 0 ? octets : nil
    }
  }
#endif
