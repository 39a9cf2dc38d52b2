/// The key with which a device makes the private addresses that only its friends recognise.
///
/// Core 6.0, Vol 3, Part H, 2.2.2.
public struct IdentityResolvingKey: Hashable, Sendable {
  private let cipher: AES128

  /// A key as it is sent, the least significant octet first; nil if it has not 16 octets, or is nothing but zeros.
  public init?(_ octets: ContiguousArray<UInt8>) {
    guard octets.count == 16, octets.contains(where: { $0 != 0 }) else { return nil }
    cipher = AES128(key: AES128.block(octets.reversed()))
  }

  /// Whether a resolvable private address was made with this key.
  public func resolves(_ address: DeviceAddress) -> Bool {
    guard address.isResolvable else { return false }
    let random = AES128.Block(0, 0, 0, UInt32(truncatingIfNeeded: address.number >> 24))
    let hash = UInt64(cipher.encrypt(random)[3] & 0xFF_FFFF)
    return hash == address.number & 0xFF_FFFF
  }
}
