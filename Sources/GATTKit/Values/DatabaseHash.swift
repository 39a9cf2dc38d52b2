public import Octets

/// A hash over a server's database, characteristic 2B2A: while it stays, what a client remembers stays right.
///
/// Core 6.0, Vol 3, Part G, 7.3.
public struct DatabaseHash: Hashable, Sendable {
  /// The hash as a number: the most significant eight octets, which are sent last.
  public var high: UInt64
  /// The least significant eight octets, which are sent first.
  public var low: UInt64

  /// A hash of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension DatabaseHash: CustomStringConvertible {
  /// The hash in hexadecimal, the most significant octet first.
  public var description: String { high.hexadecimal + low.hexadecimal }
}

extension DatabaseHash: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Database Hash" }

  /// Reads a hash.
  /// - Throws: `ParsingError` if there are fewer than sixteen octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    var halves = OctetReader(try reader.octets(16, "Database Hash"), layer: reader.layer)
    low = try halves.uint64("Database Hash")
    high = try halves.uint64("Database Hash")
  }

  /// Appends the hash as it is sent.
  public func encode(into octets: inout [UInt8]) {
    octets.append(littleEndian: low)
    octets.append(littleEndian: high)
  }

  /// The hash in words.
  public var fields: [ValueField] { [ValueField("Database Hash", description)] }
}
