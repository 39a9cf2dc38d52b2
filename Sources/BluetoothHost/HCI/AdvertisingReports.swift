public import Octets

/// One advertisement that was received.
@frozen public struct AdvertisingReport: ~Escapable, BitwiseCopyable {
  /// Who advertised; the identity where the controller resolved a private address.
  public let address: DeviceAddress
  /// In dBm; nil if unknown.
  public let rssi: Int8?
  /// The advertising data, structure after structure.
  public let data: Span<UInt8>

  @inlinable @_lifetime(copy data)
  init(address: DeviceAddress, rssi: UInt8, data: Span<UInt8>) {
    self.address = address
    self.rssi = rssi == 127 ? nil : Int8(bitPattern: rssi)
    self.data = data
  }
}

/// The advertisements of one event, legacy or extended.
///
///     legacy      +------------+------+---------+-------------+--------+--------+
///     report      | event type | type | address | data length | data … |  RSSI  |
///                 | 1          | 1    | 6       | 1           |        |  1     |
///                 +------------+------+---------+-------------+--------+--------+
///
/// Several legacy reports in one event lie behind one another like this in practice, as controllers and hosts agree.
/// Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
@frozen public struct AdvertisingReports: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: OctetReader
  @usableFromInline var left: Int
  @usableFromInline let isExtended: Bool

  /// The reports behind a subevent code.
  @inlinable @_lifetime(copy reader)
  public init(parsing reader: OctetReader, isExtended: Bool) throws(ParsingError) {
    var reader = reader
    left = Int(try reader.uint8("Num_Reports"))
    self.reader = reader
    self.isExtended = isExtended
  }

  /// The next report, if there is one and it is whole.
  @inlinable @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingReport? {
    guard left > 0 else { return nil }
    left -= 1
    return try? isExtended ? extendedReport() : legacyReport()
  }

  @_lifetime(copy self)
  @_lifetime(self: copy self)
  @usableFromInline mutating func legacyReport() throws(ParsingError) -> AdvertisingReport {
    try reader.skip(1, "Event_Type")
    let type = try reader.uint8("Address_Type")
    let address = try DeviceAddress(parsing: &reader, DeviceAddress.kind(ofType: type))
    let length = try reader.uint8("Data_Length")
    let data = try reader.octets(Int(length), "Data")
    return AdvertisingReport(address: address, rssi: try reader.uint8("RSSI"), data: data)
  }

  /// Event type (2), address, PHYs and set (3), TX power, RSSI, periodic interval (2), direct address (7), data.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  @usableFromInline mutating func extendedReport() throws(ParsingError) -> AdvertisingReport {
    try reader.skip(2, "Event_Type")
    let type = try reader.uint8("Address_Type")
    let address = try DeviceAddress(parsing: &reader, DeviceAddress.kind(ofType: type))
    try reader.skip(4, "Primary_PHY")
    let rssi = try reader.uint8("RSSI")
    try reader.skip(9, "Periodic_Advertising_Interval")
    let length = try reader.uint8("Data_Length")
    return AdvertisingReport(address: address, rssi: rssi, data: try reader.octets(Int(length), "Data"))
  }
}

/// The structures of advertising data: length, type, data.
///
/// Core 6.0, Vol 3, Part C, 11.
@frozen public struct AdvertisingStructures: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: OctetReader

  /// The structures in advertising data, scan response data or an extended inquiry response.
  @inlinable @_lifetime(copy data)
  public init(_ data: Span<UInt8>) {
    reader = OctetReader(data, layer: "advertising data")
  }

  /// The next structure's type and data; nil at the end, which a length of 0 marks too.
  @inlinable @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingStructure? {
    guard let length = reader.peek(), length > 0, let type = reader.peek(1), Int(length) < reader.count else {
      return nil
    }
    reader.skip(upTo: 2)
    return AdvertisingStructure(type: AdvertisingDataType(rawValue: type), data: reader.prefix(Int(length) - 1))
  }
}

/// One structure of advertising data.
@frozen public struct AdvertisingStructure: ~Escapable, BitwiseCopyable {
  /// What the data are.
  public let type: AdvertisingDataType
  /// The data.
  public let data: Span<UInt8>

  @inlinable @_lifetime(copy data)
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
