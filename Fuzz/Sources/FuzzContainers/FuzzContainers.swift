import CaptureFiles
import FuzzSupport
import Octets

/// The records of each format: the first octet chooses what stands before the rest, so that no signature need be
/// guessed. What is read must not depend on how the octets arrive, unless the capture is damaged, and every record lies
/// within the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzContainers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    guard count > 0 else { return }
    var capture = Header.all[Int(input[0]) % Header.all.count]
    capture.append(input.extracting(1...))
    let pieces = Delivery.pieces(Sizes(seed: Checksum(of: input).value))
    let whole = records(capture.span, .whole, isLive: false)
    let inPieces = records(capture.span, pieces, isLive: false)
    check(whole == inPieces || whole == nil || inPieces == nil, "the records depend on how the octets arrive")
    _ = records(capture.span, pieces, isLive: true)
  }
  return 0
}

/// All that can be told of a capture's records, in one number; nil if the capture is damaged.
private func records(_ capture: Span<UInt8>, _ delivery: Delivery, isLive: Bool) -> Checksum? {
  var reader = CaptureReader(isLive: isLive)
  var checker = RecordChecker(capture: ContiguousArray(capture))
  do throws(ParsingError) {
    try deliver(capture, delivery) { (octets, isLast) throws(ParsingError) in
      try reader.read(octets, isLast: isLast, into: &checker)
    }
  } catch {
    checker.sum.add("\(error.layer) \(error) \(error.offset)")
  }
  check(reader.progress.consumedOctets <= capture.count, "\(reader.progress.consumedOctets) octets consumed")
  check(reader.progress.skippedOctets <= capture.count, "\(reader.progress.skippedOctets) octets skipped")
  check(checker.last <= reader.progress.records, "record \(checker.last) of \(reader.progress.records)")
  var sum = checker.sum
  sum.add(reader.progress.records)
  sum.add(reader.progress.skippedOctets)
  sum.add(reader.droppedRecords)
  if let cutOff = reader.progress.cutOff { sum.add("\(cutOff)") }
  return reader.progress.damageCount == 0 ? sum : nil
}

/// Checks each record against the capture it comes from, and adds it up.
private struct RecordChecker: RecordReceiver {
  let capture: ContiguousArray<UInt8>
  var sum = Checksum()
  /// The number of the last record.
  var last = 0

  mutating func receive(_ record: CaptureRecord, _ packet: Span<UInt8>) {
    check(record.number > last, "record \(record.number) behind record \(last)")
    last = record.number
    let end = record.offset + packet.count
    check(record.offset >= 0 && end <= capture.count, "record \(record.number) lies outside, at \(record.offset)")
    for index in packet.indices {
      check(packet[index] == capture[record.offset + index], "record \(record.number) is not at its offset")
    }
    check(record.length == packet.count, "record \(record.number) is not as long as its octets")
    check(record.originalLength >= packet.count, "record \(record.number) is longer than it was")
    sum.add(record)
    sum.add(packet)
  }
}

extension Checksum {
  fileprivate mutating func add(_ record: CaptureRecord) {
    add(record.number)
    add(record.followsDamage ? 1 : 0)
    add(record.time.microseconds)
    add(record.content.rawValue)
    add(record.direction.map { Int($0.rawValue) } ?? 2)
    add(record.adapter)
    add(record.offset)
    add(record.originalLength)
    add(record.length)
  }
}

/// What stands before the first record in each format.
private enum Header {
  static let all: [ContiguousArray<UInt8>] = [
    btsnoop(1002), btsnoop(1001), btsnoop(2001),
    pcap([0xD4, 0xC3, 0xB2, 0xA1], 201, isBig: false), pcap([0xA1, 0xB2, 0xC3, 0xD4], 201, isBig: true),
    pcap([0x4D, 0x3C, 0xB2, 0xA1], 187, isBig: false), pcap([0xA1, 0xB2, 0x3C, 0x4D], 254, isBig: true),
    pcapng(isBig: false), pcapng(isBig: true),
    // PacketLogger has no header: a record of a note, in either order of octets.
    [13, 0, 0, 0, 1, 0, 0, 0x60, 1, 0, 0, 0, 0xFC, 0x6E, 0x6F, 0x74, 0x65],
    [0, 0, 0, 13, 0x60, 0, 0, 1, 0, 0, 0, 1, 0xFC, 0x6E, 0x6F, 0x74, 0x65],
    [],
    BTSnoozHeader.octets(version: 1, start: Timestamp(microseconds: 1_773_480_413_000_000)),
    BTSnoozHeader.octets(version: 2, start: Timestamp(microseconds: 1_773_480_413_000_000)),
  ]

  private static func btsnoop(_ dataLink: UInt16) -> ContiguousArray<UInt8> {
    "btsnoop\0".utf8 + [0, 0, 0, 1, 0, 0, UInt8(dataLink >> 8), UInt8(dataLink & 0xFF)]
  }

  private static func pcap(_ magic: [UInt8], _ linkType: UInt8, isBig: Bool) -> ContiguousArray<UInt8> {
    let version: [UInt8] = isBig ? [0, 2, 0, 4] : [2, 0, 4, 0]
    let limit: [UInt8] = isBig ? [0, 4, 0, 0] : [0, 0, 4, 0]
    let link: [UInt8] = isBig ? [0, 0, 0, linkType] : [linkType, 0, 0, 0]
    return ContiguousArray(magic + version + Array(repeating: 0, count: 8) + limit + link)
  }

  /// A section and an interface of HCI with direction.
  private static func pcapng(isBig: Bool) -> ContiguousArray<UInt8> {
    func ordered(_ octets: [UInt8]) -> [UInt8] { isBig ? octets : octets.reversed() }
    let section =
      [0x0A, 0x0D, 0x0D, 0x0A] + ordered([0, 0, 0, 28]) + ordered([0x1A, 0x2B, 0x3C, 0x4D]) + ordered([0, 1])
      + [0, 0] + Array(repeating: 0xFF, count: 8) + ordered([0, 0, 0, 28])
    let interface =
      ordered([0, 0, 0, 1]) + ordered([0, 0, 0, 20]) + ordered([0, 201]) + [0, 0, 0, 0, 0, 0]
      + ordered([0, 0, 0, 20])
    return ContiguousArray(section + interface)
  }
}
