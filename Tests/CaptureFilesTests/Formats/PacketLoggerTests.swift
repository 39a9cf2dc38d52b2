import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `PacketLogger` {
  private static let orders = [OctetOrder.little, .big]

  @Test(arguments: orders)
  func `types`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let types: [(UInt8, RecordContent, Direction?)] = [
      (0x00, .command, .sent), (0x01, .event, .received), (0x02, .aclData, .sent), (0x03, .aclData, .received),
      (0x08, .synchronousData, .sent), (0x09, .synchronousData, .received), (0x0A, .note, nil), (0x0B, .note, nil),
      (0x12, .isochronousData, .sent), (0x13, .isochronousData, .received), (0xF7, .note, nil), (0xFB, .note, nil),
      (0xFC, .note, nil), (0xFE, .note, nil), (0x0D, .unknown, nil), (0xFF, .unknown, nil),
    ]
    let file = types.reduce([]) { $0 + kind.record(type: $1.0, hex("aa bb cc")) }
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == types.map(\.1))
    #expect(read.records.map(\.direction) == types.map(\.2))
    #expect(read.records.allSatisfy { $0.octets == hex("aa bb cc") && $0.linkType == .packetLogger })
    #expect(read.progress.isComplete)
    #expect(read.clock == (order == .little ? .local : .unknown))
  }

  @Test(arguments: orders, 1...6)
  func `a few records are enough`(order: OctetOrder, count: Int) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(count)
    let read = try ReadCapture(packets.reduce([]) { $0 + kind.record($1) })
    #expect(read.packets == packets.map(\.octets) && read.formatName == "packetlogger")
  }

  @Test(arguments: orders)
  func `a note of days before, and an empty one, do not disturb`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let note = kind.record(type: 0xFC, Array("started".utf8), time: CapturedPacket.start - 300_000_000_000)
    let packets = Traffic.notifications(3)
    let file = packets.reduce(note + kind.record(type: 0xFB, [])) { $0 + kind.record($1) }
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == [.note, .note, .aclData, .aclData, .aclData])
    #expect(read.records.first?.time == CapturedPacket.start - 300_000_000_000)
  }

  private static let deliveries: [Delivery] = [.whole, .pieces(40), .pieces(1000)]

  /// A type that a later system may write, wherever it is among the first.
  @Test(arguments: orders, 0..<6)
  func `records of unknown types do not disturb`(order: OctetOrder, place: Int) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    var records = packets.map(kind.record)
    for count in [1, 7] {
      records.insert(contentsOf: Array(repeating: kind.record(type: 0x50, hex("aa bb cc dd")), count: count), at: place)
      for delivery in Self.deliveries {
        let read = try ReadCapture(records.flatMap { $0 }, delivery)
        #expect(read.records.count == records.count && read.progress.isComplete)
        #expect(read.records.filter { $0.content == .aclData }.map(\.octets) == packets.map(\.octets))
      }
    }
  }

  @Test(arguments: orders, 0..<7)
  func `damage among the first records costs no others`(order: OctetOrder, place: Int) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    let (before, behind) = (packets.prefix(place), packets.dropFirst(place))
    for damage in [Array(repeating: 0xFF, count: 20), Array(repeating: 0, count: 100), Array("damaged".utf8)] {
      let file = before.flatMap(kind.record) + damage + behind.flatMap(kind.record)
      for delivery in Self.deliveries {
        let read = try ReadCapture(file, delivery)
        #expect(read.packets == packets.map(\.octets) && read.formatName == "packetlogger")
        #expect(read.progress.skippedOctets == damage.count)
      }
    }
  }

  /// Damage may read as a record that reaches to the end of the file, or nearly so: what follows proves nothing then.
  @Test(arguments: orders, 0...12)
  func `a chance record that reaches to the end hides nothing`(order: OctetOrder, short: Int) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    let (before, behind) = (packets.prefix(10), packets.dropFirst(11))
    let rest = behind.flatMap(kind.record)
    for (padding, seconds) in [(0, 10), (0, 500_000_000), (3, 500_000_000)] as [(Int, Int64)] {
      var chance = kind.record(type: 0, [], time: CapturedPacket.start + seconds * 1_000_000)
      chance.replaceSubrange(0..<4, with: UInt32(9 + rest.count - short).octets(order))
      let file = before.flatMap(kind.record) + Array(repeating: 0xFF, count: padding) + chance + rest
      for delivery in Self.deliveries {
        let read = try ReadCapture(file, delivery)
        #expect(read.packets.filter { !$0.isEmpty } == (before + behind).map(\.octets))
        #expect(read.records.count <= 20)
      }
    }
  }

  /// A clock that was set long ago, or is set anew, is no damage.
  @Test(arguments: orders, [-400_000_000, 400_000_000] as [Int64])
  func `a clock that leaps near the end costs nothing`(order: OctetOrder, seconds: Int64) throws {
    let kind = PacketLoggerBuilder(order)
    var packets = Traffic.notifications(20)
    for index in 18..<20 { packets[index].time += seconds * 1_000_000 }
    for delivery in Self.deliveries {
      let read = try ReadCapture(packets.flatMap(kind.record), delivery)
      #expect(read.packets == packets.map(\.octets) && read.progress.isComplete)
    }
  }

  /// The longest packet there is says so in 16 bits.
  @Test(arguments: orders, [65_530, 65_531, 65_532, 65_533, 65_534, 65_535])
  func `the longest packets are no damage`(order: OctetOrder, length: Int) throws {
    let kind = PacketLoggerBuilder(order)
    var packets = Traffic.notifications(20)
    packets[10].octets = hex("40 20") + UInt16(length).little + (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for delivery in [.whole, .pieces(1000)] as [Delivery] {
      let read = try ReadCapture(packets.flatMap(kind.record), delivery)
      #expect(read.packets == packets.map(\.octets) && read.progress.isComplete && read.progress.damageCount == 0)
    }
  }

  /// Four records, or two that end the input, could hardly be anything else.
  @Test(arguments: orders, [(1, false), (2, true), (3, true), (4, true)])
  func `what is left of a file is told by its packets`(order: OctetOrder, left: (count: Int, isRead: Bool)) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(left.count)
    let file = packets.flatMap(kind.record) + Array(repeating: 0xFF, count: 1000)
    #expect((try? ReadCapture(file))?.packets == (left.isRead ? packets.map(\.octets) : nil))
  }

  /// Numbers in a row, whatever they are, are found in many files.
  @Test(arguments: orders)
  func `is not seen in what looks a little like it`(order: OctetOrder) {
    let kind = PacketLoggerBuilder(order)
    let seconds = UInt32(CapturedPacket.start / 1_000_000)
    /// Structures of 32 octets: a number, a time, a kind.
    func table(_ number: (Int) -> UInt32, seconds: (Int) -> UInt32, type: UInt8) -> [UInt8] {
      (0..<200).reduce(into: []) { table, row in
        for field in [number(row), seconds(row), UInt32(row * 1000)] { table += field.octets(order) }
        table += [type] + [UInt8](repeating: 0x41, count: 19)
      }
    }
    let packets = Traffic.notifications(20).map(kind.record)
    let odd = kind.record(type: 0x50, hex("aa bb cc"))
    let files: [[UInt8]] = [
      table({ UInt32(100 + $0) }, seconds: { seconds + UInt32($0) }, type: 2),
      table({ _ in 28 }, seconds: { seconds + UInt32($0) }, type: 0x50),
      table({ _ in 28 }, seconds: { UInt32($0) }, type: 0x50),
      table({ _ in 17 }, seconds: { UInt32($0) }, type: 2),
      Array(repeatElement(odd, count: 6).joined()), odd + packets[0],
      // What tells its length as records do, and not as packets do.
      table({ _ in 28 }, seconds: { seconds + UInt32($0) }, type: 2),
      packets.flatMap { $0[..<15] + [5, 0] + $0[17...] },
    ]
    for (index, file) in files.enumerated() {
      for before in [[], [0], Array(repeating: 0xFF, count: 20), Array("what stands before it".utf8)] {
        if before.isEmpty, index > 5 { continue }
        #expect(throws: (any Error).self, "\(index) behind \(before)") { try ReadCapture(before + file) }
      }
    }
  }

  /// The end of a log, wherever it was cut: all records that are whole.
  @Test(arguments: orders)
  func `a log without its beginning`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    let file = packets.map(kind.record).joined().map(\.self)
    let length = file.count / packets.count
    for cut in 1...file.count - 2 * length {
      for delivery in [.whole, .pieces(100)] as [Delivery] {
        let read = try ReadCapture(Array(file[cut...]), delivery)
        let left = packets.suffix((file.count - cut) / length)
        #expect(read.packets == left.map(\.octets) && read.records.map(\.time) == left.map(\.time), "cut at \(cut)")
        #expect(read.progress.skippedOctets == (file.count - cut) % length && read.formatName == "packetlogger")
      }
    }
  }

  @Test(arguments: orders)
  func `a log behind something that was said before it`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    let file = packets.map(kind.record).joined()
    for preface in ["WARNING: linker: libdvm.so has text relocations.\n", "HTTP/1.1 200 OK\r\n\r\n", "\0"] {
      let read = try ReadCapture(Array(preface.utf8) + file)
      #expect(read.packets == packets.map(\.octets) && read.progress.skippedOctets == preface.utf8.count)
      let live = try ReadCapture(Array(preface.utf8) + file, .pieces(1), isLive: true)
      #expect(live.packets == packets.map(\.octets))
    }
  }

  /// Any bit of the first header: where its length is none any more, the others are read all the same.
  @Test(arguments: orders)
  func `a first header with a bit that is wrong`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(20)
    let file = packets.map(kind.record).joined().map(\.self)
    for bit in 0..<13 * 8 {
      var damaged = file
      damaged[bit / 8] ^= 1 << (bit % 8)
      let read = try ReadCapture(damaged)
      #expect(read.packets.suffix(19) == packets.map(\.octets).suffix(19), "bit \(bit)")
    }
  }
}
