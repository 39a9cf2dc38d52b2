import Octets

/// A capture of the Linux monitor, built from an input that says what happens step by step. So a fuzzer gets behind
/// lengths and connections that random octets would rarely get right.
///
///     +------+-----------+---------
///     | step | length    | octets …
///     +------+-----------+---------
///       kind: low four bits; connection: bits 4 and 5; adapter: bit 6
///       length: one octet below 0xF0, otherwise its low four bits and another octet
public enum Conversation {
  /// The btsnoop file of a conversation.
  public static func capture(_ input: Span<UInt8>) -> ContiguousArray<UInt8> {
    var builder = CaptureBuilder()
    var reader = OctetReader(input, layer: "conversation")
    while let step = try? reader.uint8("step"), let first = try? reader.uint8("length") {
      var length = Int(first)
      if first >= 0xF0, let second = try? reader.uint8("length") { length = Int(first & 0x0F) << 8 | Int(second) }
      let octets = ContiguousArray(reader.prefix(length))
      builder.add(step, octets)
    }
    return builder.octets
  }
}

private struct CaptureBuilder {
  private(set) var octets: ContiguousArray<UInt8>
  private var time: UInt64 = 0x00E0_3AB4_4A67_6000 + 800_000_000_000_000
  /// Between two records, in microseconds.
  private var pause: UInt64 = 10_000
  private var adapter: UInt16 = 0
  private var kept: Int?

  init() {
    octets = ContiguousArray("btsnoop\0".utf8)
    append(big: UInt32(1))
    append(big: UInt32(2001))
  }

  mutating func add(_ step: UInt8, _ data: ContiguousArray<UInt8>) {
    let handle = 0x40 + UInt16(step >> 4 & 0x03)
    adapter = UInt16(step >> 6 & 0x01)
    switch step & 0x0F {
    case 0: record(2, data)
    case 1: record(3, data)
    case 2: record(4, data)
    case 3: record(5, data)
    case 4: acl(5, handle, 2, l2cap(4, data))
    case 5: acl(4, handle, 0, l2cap(4, data))
    case 6: connect(handle, data)
    case 7: record(3, [0x05, 4, 0, UInt8(handle), 0, data.first ?? 0x13])
    case 8: acl(5, handle, 2, l2cap(data.first.map { UInt16($0) } ?? 5, data.dropFirst()))
    case 9: acl(4, handle, 0, l2cap(data.first.map { UInt16($0) } ?? 5, data.dropFirst()))
    case 10: fragments(handle, data)
    case 11: discovery(handle)
    case 12: move(data)
    case 13: kept = Int(data.first ?? 13)
    case 14: acl(5, handle, 2, l2cap(4, [0x1B, 0x10, 0x00] + data))
    default: record(UInt16(data.first ?? 0), ContiguousArray(data.dropFirst()))
    }
  }

  private mutating func connect(_ handle: UInt16, _ data: ContiguousArray<UInt8>) {
    let fields: ContiguousArray<UInt8> = [
      0x01, 0, UInt8(handle), 0, 0, 1, data.first ?? UInt8(handle), 2, 3, 4, 5, 0xC6, 24, 0, 0, 0, 72, 0, 0,
    ]
    record(3, [0x3E, UInt8(fields.count)] + fields)
  }

  /// The heart rate service 14 to 19 is found: measurement 16, its configuration 17, location 19.
  private mutating func discovery(_ handle: UInt16) {
    let steps: [(UInt16, ContiguousArray<UInt8>)] = [
      (4, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28]),
      (5, [0x11, 6, 14, 0, 19, 0, 0x0D, 0x18]),
      (4, [0x08, 14, 0, 19, 0, 0x03, 0x28]),
      (5, [0x09, 7, 15, 0, 0x10, 16, 0, 0x37, 0x2A, 18, 0, 0x02, 19, 0, 0x38, 0x2A]),
      (4, [0x04, 17, 0, 17, 0]),
      (5, [0x05, 1, 17, 0, 0x02, 0x29]),
    ]
    for (opcode, pdu) in steps { acl(opcode, handle, opcode == 4 ? 0 : 2, l2cap(4, pdu)) }
  }

  /// An ATT PDU in fragments of the size that the first octet says.
  private mutating func fragments(_ handle: UInt16, _ data: ContiguousArray<UInt8>) {
    let pdu = l2cap(4, data.dropFirst())
    let size = max(1, Int(data.first ?? 27))
    for start in stride(from: 0, to: pdu.count, by: size) {
      acl(5, handle, start == 0 ? 2 : 1, ContiguousArray(pdu[start..<min(start + size, pdu.count)]))
    }
  }

  private func l2cap(_ channel: UInt16, _ payload: some Collection<UInt8>) -> ContiguousArray<UInt8> {
    [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), UInt8(channel & 0xFF), UInt8(channel >> 8)] + payload
  }

  private mutating func acl(_ opcode: UInt16, _ handle: UInt16, _ boundary: UInt16, _ data: ContiguousArray<UInt8>) {
    let word = handle | boundary << 12
    record(
      opcode,
      [UInt8(word & 0xFF), UInt8(word >> 8), UInt8(data.count & 0xFF), UInt8(data.count >> 8)] + data)
  }

  private mutating func record(_ opcode: UInt16, _ data: ContiguousArray<UInt8>) {
    let included = min(data.count, kept ?? data.count)
    kept = nil
    append(big: UInt32(data.count))
    append(big: UInt32(included))
    append(big: UInt32(adapter) << 16 | UInt32(opcode))
    append(big: UInt32(0))
    append(big: time)
    octets += data.prefix(included)
    time &+= pause
  }

  /// The clock goes on, or back, by as much as the first two octets say, and from then on as fast as the third says.
  private mutating func move(_ data: ContiguousArray<UInt8>) {
    let step = Int64(Int8(bitPattern: data.first ?? 1)) * Int64(data.dropFirst().first ?? 1) * 10_000
    time = UInt64(bitPattern: Int64(bitPattern: time) &+ step)
    if let slowness = data.dropFirst(2).first { pause = UInt64(slowness) * 1000 }
  }

  private mutating func append(big number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      octets.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension Conversation {
  /// The capture that a conversation comes to; a btsnoop file is one as it is.
  public static func captureOrFile(_ input: Span<UInt8>) -> ContiguousArray<UInt8> {
    let octets = ContiguousArray(input)
    return octets.count > 16 && octets.starts(with: "btsnoop\0".utf8) ? octets : capture(input)
  }

  /// What a capture of a conversation begins with.
  public static var header: ContiguousArray<UInt8> { CaptureBuilder().octets }

  /// Where a record begins in the middle of a capture of a conversation; nil if it has no two.
  public static func border(in capture: ContiguousArray<UInt8>) -> Int? {
    var place = header.count
    while place < capture.count / 2 {
      var reader = OctetReader(capture.span.extracting(place..<capture.count), layer: "btsnoop")
      _ = try? reader.uint32("Original Length", .big)
      guard let included = try? reader.uint32("Included Length", .big) else { return nil }
      place += 24 + Int(included)
    }
    return place > header.count && place < capture.count ? place : nil
  }
}
