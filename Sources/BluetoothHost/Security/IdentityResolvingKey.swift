/// The key with which a device makes the private addresses that only its friends recognise.
///
/// Core 6.0, Vol 3, Part H, 2.2.2.
public struct IdentityResolvingKey: Hashable, Sendable {
  private let cipher: AES128

  /// A key as it is sent, the least significant octet first; nil if it has not 16 octets, or is nothing but zeros.
  public init?(_ octets: ContiguousArray<UInt8>) {
    guard octets.count == 16, octets.contains(where: { $0 != 0 }) else { return nil }
    cipher = AES128(key: ContiguousArray(octets.reversed()))
  }

  /// Whether a resolvable private address was made with this key.
  public func resolves(_ address: DeviceAddress) -> Bool {
    guard address.isResolvable else { return false }
    var block = ContiguousArray<UInt8>(repeating: 0, count: 16)
    let random = address.number >> 24
    for index in 0..<3 { block[13 + index] = UInt8(truncatingIfNeeded: random >> UInt64(16 - 8 * index)) }
    let hash = cipher.encrypt(block).suffix(3).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return hash == address.number & 0xFF_FFFF
  }
}
