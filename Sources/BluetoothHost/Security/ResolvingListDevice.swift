public import Octets

/// The host tells its controller the key of a device whose private addresses it is to resolve.
///
/// Core 6.0, Vol 4, Part E, 7.8.38.
public struct ResolvingListDevice: Hashable, Sendable {
  /// The device's lasting address.
  public let address: DeviceAddress
  /// Its key; nil if it has none.
  public let key: IdentityResolvingKey?

  /// Reads the parameters of LE Add Device To Resolving List, as far as the peer's key.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader(HCIOpcode.leAddDeviceToResolvingList.layer)
    address = try DeviceAddress(parsing: &reader, behind: "Peer_Identity_Address_Type")
    key = IdentityResolvingKey(ContiguousArray(try reader.octets(16, "Peer_IRK")))
  }
}
