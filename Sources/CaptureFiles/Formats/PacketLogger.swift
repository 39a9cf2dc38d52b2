import Octets

/// Apple PacketLogger. There is no file header, and the octet order differs between versions, so the file is
/// recognised by a run of records that make sense.
///
///     +------------------------+
///     | length of what follows | 4     9 + packet
///     | seconds                | 4
///     | microseconds           | 4
///     | type                   | 1
///     +------------------------+
///     | packet
struct PacketLogger: CaptureFormat {
  static let name = "packetlogger"
  /// The part of the header that the length counts.
  static let countedHeaderLength: UInt32 = 9
  static let longestRecord: UInt32 = 65_545

  let headerLength = 13
  let confirmations = 4
  private let order: OctetOrder

  /// iOS and macOS write little-endian, and iOS local time; the older, big-endian form comes from elsewhere.
  var clock: CaptureClock { order == .little ? .local : .unknown }

  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> PacketLogger? {
    for order in [OctetOrder.little, .big] {
      let format = PacketLogger(order: order)
      if format.makesSense(of: start, isAll: isAll) { return format }
    }
    return nil
  }

  /// Whether a run of records begins here: five, or fewer if they end where the input does. A record cut off by the
  /// input's end counts, but not alone.
  private func makesSense(of start: Span<UInt8>, isAll: Bool) -> Bool {
    var reader = OctetReader(start, layer: "PacketLogger")
    var records = 0
    while records < 5 {
      if isAll, reader.isAtEnd { return records > 0 }
      guard let extent = try? extent(reader) else { return false }
      guard case .octets(let length) = extent, length <= reader.count, isKnownType(reader) else {
        return isAll && records > 1
      }
      reader.skip(upTo: length)
      records += 1
    }
    return true
  }

  private func isKnownType(_ reader: OctetReader) -> Bool {
    guard let type = reader.peek(headerLength - 1) else { return false }
    return type <= 0x0B || (0x10...0x13).contains(type) || type >= 0xF0
  }

  func extent(_ reader: OctetReader) throws(ParsingError) -> BlockExtent {
    guard reader.count >= headerLength else { return .unknown }
    var reader = reader
    let length = try reader.uint32("Length", order)
    guard length >= Self.countedHeaderLength, length < Self.longestRecord else {
      throw reader.invalid("Length", "\(length) octets")
    }
    try reader.skip(4, "Seconds")
    let microseconds = try reader.uint32("Microseconds", order)
    guard microseconds < 1_000_000 else { throw reader.invalid("Microseconds", "\(microseconds)") }
    return .octets(4 + Int(length))
  }

  @_lifetime(copy block)
  mutating func record(_ block: Span<UInt8>, at offset: Int) -> CaptureRecord? {
    var reader = OctetReader(block, layer: "PacketLogger", origin: offset)
    guard (try? reader.skip(4, "Length")) != nil,
      let seconds = try? reader.uint32("Seconds", order),
      let microseconds = try? reader.uint32("Microseconds", order),
      let type = try? reader.uint8("Type")
    else { return nil }
    let start = reader.offset
    let octets = reader.rest()
    return LinkType.packetLogger.record(
      RawRecord(
        time: Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds)), flags: UInt32(type),
        octets: octets, originalLength: octets.count, offset: start))
  }
}
