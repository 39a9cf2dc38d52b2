public import Octets

/// One advertisement that was received.
@frozen public struct AdvertisingReport: ~Escapable, BitwiseCopyable {
  /// The advertising data, structure after structure.
  public let data: Span<UInt8>
  /// In dBm; 127 if unknown.
  @usableFromInline let sentRSSI: UInt8
  /// Address type and address.
  @usableFromInline let sender: FixedFields

  @inlinable @inline(__always) @_lifetime(copy sender, copy data)
  init(sender: FixedFields, rssi: UInt8, data: Span<UInt8>) {
    self.sender = sender
    self.sentRSSI = rssi
    self.data = data
  }

  /// Who advertised; the identity where the controller resolved a private address.
  public var address: DeviceAddress {
    DeviceAddress(
      UInt64(sender.uint16(at: 5)) << 32 | UInt64(sender.uint32(at: 1)),
      DeviceAddress.kind(ofType: sender.uint8(at: 0)))
  }

  /// In dBm; nil if unknown.
  public var rssi: Int8? { sentRSSI == 127 ? nil : Int8(bitPattern: sentRSSI) }
}

/// The advertisements of one event, legacy or extended.
///
///     legacy      +------------+------+---------+-------------+--------+--------+
///     report      | event type | type | address | data length | data … |  RSSI  |
///                 | 1          | 1    | 6       | 1           |        |  1     |
///                 +------------+------+---------+-------------+--------+--------+
///
///     extended    +------------+------+---------+------------------+------+-------------------+-------------+--------+
///     report      | event type | type | address | PHYs, set, power | RSSI | interval, address | data length | data … |
///                 | 2          | 1    | 6       | 4                | 1    | 9                 | 1           |        |
///                 +------------+------+---------+------------------+------+-------------------+-------------+--------+
///
/// Several legacy reports in one event lie behind one another like this in practice, as controllers and hosts agree.
/// Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
@frozen public struct AdvertisingReports: ~Escapable, BitwiseCopyable {
  @usableFromInline let octets: Span<UInt8>
  /// Where the next report begins.
  @usableFromInline var index = 0
  @usableFromInline var left: Int
  @usableFromInline let isExtended: Bool

  /// The reports behind a subevent code.
  @inlinable @inline(__always) @_lifetime(copy reader)
  public init(parsing reader: OctetReader, isExtended: Bool) throws(ParsingError) {
    var reader = reader
    left = Int(try reader.uint8("Num_Reports"))
    octets = reader.rest()
    self.isExtended = isExtended
  }

  /// The next report, if there is one and it is whole.
  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingReport? {
    guard left > 0 else { return nil }
    left &-= 1
    return isExtended ? extendedReport() : legacyReport()
  }

  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  mutating func legacyReport() -> AdvertisingReport? {
    guard let header = FixedFields(octets, at: index, count: 9) else { return nil }
    let length = Int(header.uint8(at: 8))
    guard let sender = FixedFields(octets, at: index &+ 1, count: 7),
      let behind = FixedFields(octets, at: index &+ 9, count: length &+ 1)
    else { return nil }
    index &+= 9 &+ length &+ 1
    return AdvertisingReport(
      sender: sender, rssi: behind.uint8(at: length), data: behind.octets.extracting(first: length))
  }

  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  mutating func extendedReport() -> AdvertisingReport? {
    guard let header = FixedFields(octets, at: index, count: 24) else { return nil }
    let length = Int(header.uint8(at: 23))
    guard let sender = FixedFields(octets, at: index &+ 2, count: 7),
      let data = FixedFields(octets, at: index &+ 24, count: length)
    else { return nil }
    index &+= 24 &+ length
    return AdvertisingReport(sender: sender, rssi: header.uint8(at: 13), data: data.octets)
  }
}

/// The structures of advertising data: length, type, data.
///
/// Core 6.0, Vol 3, Part C, 11.
@frozen public struct AdvertisingStructures: ~Escapable, BitwiseCopyable {
  @usableFromInline let octets: Span<UInt8>
  /// Where the next structure begins.
  @usableFromInline var index = 0

  /// The structures in advertising data, scan response data or an extended inquiry response.
  @inlinable @inline(__always) @_lifetime(copy data)
  public init(_ data: Span<UInt8>) {
    octets = data
  }

  /// The next structure's type and data; nil at the end, which a length of 0 marks too.
  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingStructure? {
    guard let header = FixedFields(octets, at: index, count: 2), header.uint8(at: 0) > 0,
      let data = FixedFields(octets, at: index &+ 2, count: Int(header.uint8(at: 0)) &- 1)
    else { return nil }
    index &+= 1 &+ Int(header.uint8(at: 0))
    return AdvertisingStructure(type: AdvertisingDataType(rawValue: header.uint8(at: 1)), data: data.octets)
  }
}

/// One structure of advertising data.
@frozen public struct AdvertisingStructure: ~Escapable, BitwiseCopyable {
  /// What the data are.
  public let type: AdvertisingDataType
  /// The data.
  public let data: Span<UInt8>

  @inlinable @inline(__always) @_lifetime(copy data)
  init(type: AdvertisingDataType, data: Span<UInt8>) {
    self.type = type
    self.data = data
  }
}

/// What a structure of advertising data holds. Assigned Numbers, 2.3.
@frozen public struct AdvertisingDataType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The number as sent.
  public let rawValue: UInt8

  /// A type, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Some of the 16-bit service UUIDs.
  @inlinable public static var incompleteServices16: AdvertisingDataType { AdvertisingDataType(rawValue: 0x02) }
  /// All 16-bit service UUIDs.
  @inlinable public static var completeServices16: AdvertisingDataType { AdvertisingDataType(rawValue: 0x03) }
  /// The name, shortened.
  @inlinable public static var shortenedLocalName: AdvertisingDataType { AdvertisingDataType(rawValue: 0x08) }
  /// The whole name.
  @inlinable public static var completeLocalName: AdvertisingDataType { AdvertisingDataType(rawValue: 0x09) }
  /// A company identifier and what that company puts behind it.
  @inlinable public static var manufacturerSpecificData: AdvertisingDataType { AdvertisingDataType(rawValue: 0xFF) }
}
