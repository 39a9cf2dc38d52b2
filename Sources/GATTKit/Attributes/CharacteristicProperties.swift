/// What may be done with a characteristic's value.
///
/// Core 6.0, Vol 3, Part G, 3.3.1.1.
public struct CharacteristicProperties: OptionSet, Hashable, Codable, Sendable {
  /// The bits as sent.
  public let rawValue: UInt8

  /// Bits as sent.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It may be broadcast.
  public static let broadcast = Self(rawValue: 1 << 0)
  /// It may be read.
  public static let read = Self(rawValue: 1 << 1)
  /// It may be written without a response.
  public static let writeWithoutResponse = Self(rawValue: 1 << 2)
  /// It may be written with a response.
  public static let write = Self(rawValue: 1 << 3)
  /// It may be notified.
  public static let notify = Self(rawValue: 1 << 4)
  /// It may be indicated.
  public static let indicate = Self(rawValue: 1 << 5)
  /// It may be written with a signature.
  public static let authenticatedSignedWrites = Self(rawValue: 1 << 6)
  /// More properties are in the Characteristic Extended Properties descriptor.
  public static let extendedProperties = Self(rawValue: 1 << 7)

  /// The names of the bits, from the lowest.
  private static let bitNames = [
    "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
    "extended-properties",
  ]

  /// The names of the properties there are, from the lowest bit.
  public var names: [String] {
    Self.bitNames.indices.filter { rawValue >> $0 & 1 == 1 }.map { Self.bitNames[$0] }
  }

  /// The property of a name: nil if there is none of that name.
  public init?(named name: String) {
    guard let bit = Self.bitNames.firstIndex(of: name) else { return nil }
    self.init(rawValue: 1 << UInt8(bit))
  }
}

extension CharacteristicProperties {
  /// Whether a characteristic with these has a configuration that clients write.
  package var canNotifyOrIndicate: Bool { contains(.notify) || contains(.indicate) }
}

extension CharacteristicProperties: CustomStringConvertible {
  /// The names with commas, or "none".
  public var description: String { isEmpty ? "none" : names.joined(separator: ", ") }
}
