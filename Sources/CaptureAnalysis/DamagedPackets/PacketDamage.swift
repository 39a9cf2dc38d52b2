import BluetoothHost
import CaptureFiles
import Octets

/// What is damaged in a packet whose record can be read.
enum PacketDamage: Equatable {
  /// Nobody knows what it is.
  case unreadable
  /// Its type octet is none, and the rest of it a packet of ACL data.
  case typeless
  /// It is ACL data of another length than it says: the PDU in it is as long as the packet is.
  case otherLength(said: Int, held: Int)
  /// What its record says of the length that it had cannot be.
  case oddLength

  /// Finds what is damaged; nil if nothing is, and where packets are of kinds that are not followed here: makers log what
  /// they like.
  @inline(__always)
  init?(of record: CaptureRecord, _ octets: Span<UInt8>) {
    switch record.content {
    case .aclData: self.init(ofData: record, octets)
    case .unreadable: self = .unreadable
    case .unknown: self.init(ofUnknown: record, octets)
    default:
      guard record.hasOddLength, record.content.isPacket else { return nil }
      self = .oddLength
    }
  }

  @inline(__always)
  private init?(ofData record: CaptureRecord, _ octets: Span<UInt8>) {
    guard !record.isCut, let said = Self.dataLength(octets) else { return nil }
    let held = octets.count - Self.headerLength
    if said == held {
      guard record.hasOddLength else { return nil }
      self = .oddLength
    } else {
      guard Self.lengthOfWholePDU(octets) == held else { return nil }
      self = .otherLength(said: said, held: held)
    }
  }

  /// How many octets a packet of ACL data holds by the word of the PDU that begins in it, if it holds all of that: some
  /// writers cut packets and do not say so, and some fill them up. Core 6.0, Vol 3, Part A, 3.1.
  private static func lengthOfWholePDU(_ octets: Span<UInt8>) -> Int? {
    guard let start = OctetWindow(octets, count: headerLength + 4), start.uint16(at: 0) >> 12 & 0b11 != 0b01 else {
      return nil
    }
    return 4 + Int(start.uint16(at: 4))
  }

  /// By chance, octets hardly ever tell their own length and a handle that there may be.
  @inline(never)
  private init?(ofUnknown record: CaptureRecord, _ octets: Span<UInt8>) {
    guard record.linkType == .h4 || record.linkType == .h4WithDirection, !record.isCut,
      Self.dataLength(octets) == octets.count - Self.headerLength, octets[1] & 0xF < 0xF
    else { return nil }
    self = .typeless
  }

  /// That of ACL data. Core 6.0, Vol 4, Part E, 5.4.2.
  private static let headerLength = 4

  /// How many octets a packet of ACL data says that it holds; nil where its header is not all there.
  static func dataLength(_ octets: Span<UInt8>) -> Int? {
    guard let header = OctetWindow(octets, count: headerLength) else { return nil }
    return Int(header.uint16(at: 2))
  }

  /// Whether a packet of ACL data lacks octets by its own word, too.
  static func lacksOctets(_ octets: Span<UInt8>) -> Bool {
    dataLength(octets).map { $0 > octets.count - headerLength } ?? true
  }

  /// Whether a packet of ACL data is whole by its own word, and begins a PDU of ATT over Low Energy.
  static func isWholeATT(_ octets: Span<UInt8>) -> Bool {
    octets.count >= headerLength + 4 && !lacksOctets(octets) && mayBeginATT(octets)
  }

  /// Whether a packet of ACL data begins a PDU of ATT over Low Energy, or may, for too little of it is there.
  static func mayBeginATT(_ octets: Span<UInt8>) -> Bool {
    guard let header = OctetWindow(octets, count: headerLength) else { return true }
    // The flags say whether it goes on with what an earlier one began.
    if header.uint16(at: 0) & 0x3000 == 0x1000 { return false }
    guard let channel = OctetWindow(octets, at: headerLength + 2, count: 2) else { return true }
    return ChannelID(rawValue: channel.uint16(at: 0)) == .att
  }

  /// How many octets of the packet are not read.
  func unread(of record: CaptureRecord) -> Int {
    switch self {
    case .unreadable, .typeless: record.length
    case .otherLength(let said, let held): max(held - said, 0)
    case .oddLength: 0
    }
  }

  /// Whether something that was said is missing, and whether that may be of any kind.
  var loses: (something: Bool, anything: Bool) {
    switch self {
    case .unreadable: (true, true)
    case .typeless, .otherLength: (true, false)
    case .oddLength: (false, false)
    }
  }

  func error(in record: CaptureRecord) -> ParsingError {
    func invalid(_ layer: String, _ field: String, _ what: String) -> ParsingError {
      ParsingError(layer: layer, field: field, problem: .invalid(what), offset: record.offset)
    }
    return switch self {
    case .unreadable where record.linkType.tellsAdapter:
      invalid("Linux monitor", "Opcode", "that of a record without octets, before \(record.length) of them")
    case .unreadable: invalid("pcapng", "Packet", "nothing describes its interface, or it lacks fields")
    case .typeless: invalid("HCI", "Type", "none, before what is ACL data otherwise")
    case .otherLength(let said, let held):
      invalid("HCI ACL data", "Length", "\(said.octetWords), and \(held) there")
    case .oddLength: invalid("pcapng", "Original length", "none that can be")
    }
  }
}
