import Octets

/// The keys of all friends, which a Linux host tells its kernel when an adapter is switched on: the management command Load
/// Identity Resolving Keys, as the HCI monitor logs it, all little-endian.
///
///     +--------------+---------------+-------------+---------------------------------------------
///     | cookie (u32) | opcode (u16)  | count (u16) | count × address (6), type (u8), key (16)
///     +--------------+---------------+-------------+---------------------------------------------
///
/// The command itself is described in BlueZ's `doc/mgmt-api.txt`; the cookie tells the monitor's programs apart.
public struct LoadedIdentityResolvingKeys: ~Escapable {
  private var reader: OctetReader
  private var left: UInt16

  private static var opcode: UInt16 { 0x0030 }

  /// Reads as far as the count; nil if it is another command, or cut off before.
  @_lifetime(copy command)
  public init?(parsing command: Span<UInt8>) {
    var reader = OctetReader(command, layer: "Management command")
    guard (try? reader.skip(4, "Cookie")) != nil, (try? reader.uint16("Opcode")) == Self.opcode,
      let count = try? reader.uint16("IRK_Count")
    else { return nil }
    self.reader = reader
    left = count
  }

  /// The next key, and whose it is; nil if no more are there. A key of zeros is none.
  public mutating func next() -> (key: IdentityResolvingKey, address: DeviceAddress)? {
    while left > 0 {
      left -= 1
      guard let octets = try? reader.octets(Self.entryLength, "IRK") else { return nil }
      let entry = OctetWindow(octets)
      // 1 stands for a public address, 2 for a random one.
      let kind: DeviceAddress.Kind = entry.uint8(at: 6) == 2 ? .random : .public
      let address = DeviceAddress(entry, at: 0, kind)
      if let key = IdentityResolvingKey(ContiguousArray(octets.extracting(7...))) { return (key, address) }
    }
    return nil
  }

  private static var entryLength: Int { 23 }
}
