import Octets

/// The classic pcap file, in either octet order, with microseconds or nanoseconds.
///
///     file header                          record header
///     +------------------------+           +------------------------+
///     | magic a1b2c3d4 (µs) or | 4         | seconds                | 4
///     |       a1b23c4d (ns)    |           | micro- or nanoseconds  | 4
///     | version 2, 4           | 4         | captured length        | 4
///     | zone, accuracy         | 8         | original length        | 4
///     | snapshot length        | 4         +------------------------+
///     | link type              | 4         | packet, `captured` octets
///     +------------------------+
struct PCAP: CaptureFormat {
  static let name = "pcap"
  static let fileHeaderLength = 24
  static let longestRecord: UInt32 = 0x4_0000

  let headerLength = 16
  private var header: Header

  /// What the file header says.
  private struct Header {
    let order: OctetOrder
    let fractionsPerSecond: UInt32
    let linkType: LinkType

    init?(_ octets: Span<UInt8>) {
      var reader = OctetReader(octets, layer: "pcap")
      guard let magic = try? reader.uint32("Magic", .little) else { return nil }
      switch magic {
      case 0xA1B2_C3D4: (order, fractionsPerSecond) = (.little, 1_000_000)
      case 0xA1B2_3C4D: (order, fractionsPerSecond) = (.little, 1_000_000_000)
      case 0xD4C3_B2A1: (order, fractionsPerSecond) = (.big, 1_000_000)
      case 0x4D3C_B2A1: (order, fractionsPerSecond) = (.big, 1_000_000_000)
      default: return nil
      }
      guard (try? reader.uint16("Version", order)) == 2, (try? reader.skip(14, "Zone")) != nil,
        let number = try? reader.uint32("Link type", order)
      else { return nil }
      // The upper half holds frame check sequence lengths and reserved bits.
      linkType = LinkType(pcapNumber: number & 0xFFFF)
    }
  }

  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> PCAP? {
    guard let header = Header(start) else { return nil }
    if case .other(let number) = header.linkType {
      throw OctetReader(start, layer: "pcap").invalid("Link type", LinkType.refusal(ofPcapNumber: number))
    }
    return PCAP(header: header)
  }

  func extent(_ reader: OctetReader) throws(ParsingError) -> BlockExtent {
    if isFileHeader(reader) { return .octets(Self.fileHeaderLength) }
    guard reader.count >= headerLength else { return .unknown }
    var reader = reader
    let seconds = try reader.uint32("Seconds", header.order)
    let fraction = try reader.uint32("Fraction", header.order)
    let captured = try reader.uint32("Captured length", header.order)
    let original = try reader.uint32("Original length", header.order)
    guard captured <= Self.longestRecord else { throw reader.invalid("Captured length", "\(captured) octets") }
    guard original <= Self.longestRecord, original >= captured else {
      throw reader.invalid("Original length", "\(original) octets, of which \(captured) are kept")
    }
    guard fraction < header.fractionsPerSecond else { throw reader.invalid("Fraction", "\(fraction)") }
    guard seconds != 0 || original != 0 else { throw reader.invalid("Record header", "nothing but zeros") }
    return .octets(headerLength + Int(captured))
  }

  func uncutLength(_ block: Span<UInt8>) -> Int? {
    var reader = OctetReader(block, layer: "pcap")
    guard (try? reader.skip(12, "Times")) != nil else { return nil }
    return (try? reader.uint32("Original length", header.order)).map { headerLength + Int($0) }
  }

  @_lifetime(copy block)
  mutating func record(_ block: Span<UInt8>, at offset: Int) -> CaptureRecord? {
    if let second = Header(block) {
      header = second
      return nil
    }
    var reader = OctetReader(block, layer: "pcap", origin: offset)
    guard let seconds = try? reader.uint32("Seconds", header.order),
      let fraction = try? reader.uint32("Fraction", header.order),
      (try? reader.skip(4, "Captured length")) != nil,
      let original = try? reader.uint32("Original length", header.order)
    else { return nil }
    let microseconds = header.fractionsPerSecond == 1_000_000 ? fraction : fraction / 1000
    let start = reader.offset
    return header.linkType.record(
      RawRecord(
        time: Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds)), octets: reader.rest(),
        originalLength: Int(original), offset: start))
  }

  /// A second header in the middle: files were concatenated. As a record it would lie in the year 2055 or later and
  /// have a magic number for a time.
  private func isFileHeader(_ reader: OctetReader) -> Bool {
    guard let first = reader.peek(), first == 0xA1 || first == 0xD4 || first == 0x4D,
      reader.count >= Self.fileHeaderLength
    else { return false }
    var reader = reader
    return Header(reader.prefix(Self.fileHeaderLength)) != nil
  }
}

extension LinkType {
  /// Why a pcap link type is not read, and what would be.
  static func refusal(ofPcapNumber number: UInt32) -> String {
    let name =
      switch number {
      case 0: "null/loopback"
      case 1: "Ethernet"
      case 101: "raw IP"
      case 105, 127: "Wi-Fi"
      case 113, 276: "Linux cooked capture"
      case 189, 220: "USB"
      case 251, 256: "Bluetooth LE radio packets of a sniffer"
      case 255: "Bluetooth BR/EDR radio packets"
      case 272: "radio packets of a Nordic sniffer"
      default: "not Bluetooth HCI"
      }
    return "\(number), \(name); HCI captures have link type 187, 201 or 254"
  }
}
