public import Octets

/// The type of an attribute, a service or a characteristic: a UUID of 16, 32 or 128 bits.
///
/// The short forms stand for 128-bit UUIDs on the Bluetooth Base UUID, 00000000-0000-1000-8000-00805F9B34FB. Two UUIDs
/// are equal when they mean the same, whatever the length they were sent with.
///
/// Core 6.0, Vol 3, Part B, 2.5.1.
@frozen public struct BluetoothUUID: Hashable, Sendable, BitwiseCopyable {
  /// The first eight octets, as they are written: a short form is the upper half of it.
  @usableFromInline let high: UInt64
  /// The last eight octets, as they are written.
  @usableFromInline let low: UInt64

  @inlinable init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A 16-bit UUID.
  ///
  /// Of a number that is written out, like `BluetoothUUID(0x180D)`, the compiler makes 32 bits: that is the same UUID.
  @_disfavoredOverload
  @inlinable public init(_ short: UInt16) {
    self.init(UInt32(short))
  }

  /// A 32-bit UUID.
  @inlinable public init(_ short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }
}

// MARK: - The short forms

extension BluetoothUUID {
  @inlinable static var baseHigh: UInt64 { 0x0000_0000_0000_1000 }
  @inlinable static var baseLow: UInt64 { 0x8000_0080_5F9B_34FB }

  /// Whether the UUID is on the Bluetooth Base UUID, and so was given out by the Bluetooth SIG.
  @inlinable public var isOnBase: Bool {
    low == Self.baseLow && high & 0xFFFF_FFFF == Self.baseHigh
  }

  /// Whether the first octets of a 128-bit UUID, as they are sent, can be of one on the Bluetooth Base UUID; so few that
  /// they say nothing can.
  package static func mayBeOnBase(_ start: Span<UInt8>) -> Bool {
    let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0]
    return start.indices.allSatisfy { $0 >= base.count || start[$0] == base[$0] }
  }

  /// The 16-bit form, if there is one.
  @inlinable public var shortForm: UInt16? {
    low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh
      ? UInt16(truncatingIfNeeded: high >> 32) : nil
  }

  /// Whether it is a descriptor's, or a declaration's: whole blocks of the Assigned Numbers are, named or not.
  package var isDescriptor: Bool { shortForm.map { (0x2800...0x29FF).contains($0) } ?? false }

  /// How many bits of the 128 are others in another UUID.
  package func distance(to other: BluetoothUUID) -> Int {
    (high ^ other.high).nonzeroBitCount + (low ^ other.low).nonzeroBitCount
  }

  /// How many octets the shortest form takes: 2, 4 or 16.
  @inlinable public var shortestLength: Int {
    guard isOnBase else { return 16 }
    return high >> 48 == 0 ? 2 : 4
  }
}

// MARK: - On the air

extension BluetoothUUID {
  /// Reads a UUID, least significant octet first.
  /// - Parameters:
  ///   - reader: Where the next octets are the UUID's.
  ///   - octets: The length: 2, 4 or 16.
  /// - Throws: `ParsingError` if octets are missing, or if UUIDs of that length do not exist.
  @inlinable public init(parsing reader: inout OctetReader, octets: Int) throws(ParsingError) {
    switch octets {
    case 2:
      self.init(try reader.uint16("UUID"))
    case 4:
      self.init(try reader.uint32("UUID"))
    case 16:
      var halves = OctetReader(try reader.octets(16, "UUID"), layer: reader.layer)
      let low = try halves.uint64("UUID")
      self.init(high: try halves.uint64("UUID"), low: low)
    default:
      throw Self.noLength(octets, of: reader)
    }
  }

  @inline(never) @usableFromInline
  static func noLength(_ octets: Int, of reader: OctetReader) -> ParsingError {
    reader.invalid("UUID", "\(octets.octetWords), but a UUID has 2, 4 or 16")
  }

  /// A UUID of all the octets there are, least significant octet first, as it is sent.
  /// - Throws: `ParsingError` unless there are 2, 4 or 16 octets.
  @inlinable public init(octets: Span<UInt8>) throws(ParsingError) {
    var reader = OctetReader(octets, layer: "UUID")
    try self.init(parsing: &reader, octets: octets.count)
  }

  /// A UUID of all the octets there are, least significant octet first, as it is sent. Beware: the octets in a `CBUUID`
  /// are in the other order; its `uuidString` is what `init(_:)` takes.
  /// - Throws: `ParsingError` unless there are 2, 4 or 16 octets.
  @inlinable public init(octets: some Collection<UInt8>) throws(ParsingError) {
    self = try octets.withOctets { (octets) throws(ParsingError) in try Self(octets: octets) }
  }

  /// The UUID in its shortest form, least significant octet first, as it is sent: of 2, 4 or 16 octets.
  ///
  /// No ATT PDU has one of 4: there, what has no `shortForm` is sent whole, by `encode(into:length:)` with a length of 16.
  /// Core 6.0, Vol 3, Part F, 3.2.1.
  public func encoded() -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(16)
    encode(into: &octets)
    return octets
  }

  /// Appends the UUID, least significant octet first.
  /// - Parameters:
  ///   - octets: What it is appended to.
  ///   - length: 2, 4 or 16 octets; the shortest form where the UUID does not fit, or where it is not given.
  public func encode(into octets: inout [UInt8], length: Int? = nil) {
    let shortest = shortestLength
    let wanted = length ?? shortest
    switch wanted == 4 || wanted == 16 ? max(wanted, shortest) : shortest {
    case 2: octets.append(littleEndian: UInt16(truncatingIfNeeded: high >> 32))
    case 4: octets.append(littleEndian: UInt32(truncatingIfNeeded: high >> 32))
    default:
      octets.append(littleEndian: low)
      octets.append(littleEndian: high)
    }
  }
}

extension BluetoothUUID: Comparable {
  /// In the order of their 128-bit forms, which is the order of the numbers for short ones.
  @inlinable public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
