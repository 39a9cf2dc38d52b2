import CaptureFiles
import Octets
import Testing
import TestSupport

/// Damage costs the records it is in and no others.
@Suite struct `Damage` {
  private static let deliveries: [Delivery] = [.whole, .pieces(7)]

  /// A file of twenty notifications, and where the eleventh begins and ends.
  private func file(_ container: Container) -> (octets: [UInt8], damaged: Range<Int>) {
    let packets = Traffic.notifications(20)
    let start = container.file(Array(packets.prefix(10))).count
    return (container.file(packets), start..<start + container.record(packets[10]).count)
  }

  /// Which of the twenty notifications the records hold; -1 for what is none of them.
  private func found(_ read: ReadCapture) -> [Int] {
    let octets = Traffic.notifications(20).map(\.octets)
    return read.packets.map { octets.firstIndex(of: $0) ?? -1 }
  }

  /// All twenty.
  private let all = Array(0..<20)

  @Test(arguments: Container.allCases, [1, 2, 3, 13, 16, 24, 100, 1001])
  func `octets between two records are skipped and counted`(container: Container, length: Int) throws {
    // Nothing that looks like a record: a length, a time or a block type of FFs is none anywhere.
    var (file, damaged) = file(container)
    file.insert(contentsOf: Array(repeating: 0xFF, count: length), at: damaged.lowerBound)
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all)
      #expect(read.progress.skippedOctets == length)
      #expect(read.progress.damageCount == 1 && read.progress.damages.map(\.skippedOctets) == [length])
      #expect(read.progress.damages.first?.record == 11)
      #expect(read.progress.damages.first?.error.offset ?? 0 >= damaged.lowerBound)
      #expect(read.records.filter(\.followsDamage).map(\.number) == [11])
      #expect(!read.progress.isComplete && read.progress.cutOff == nil)
    }
  }

  @Test(arguments: Container.allCases)
  func `zeros between two records are skipped and counted`(container: Container) throws {
    var (file, damaged) = file(container)
    file.insert(contentsOf: Array(repeating: 0, count: 100), at: damaged.lowerBound)
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all)
      #expect(read.progress.skippedOctets == 100)
    }
  }

  @Test(arguments: Container.allCases)
  func `text between two records is skipped and counted`(container: Container) throws {
    var (file, damaged) = file(container)
    let text = Array("Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.".utf8)
    file.insert(contentsOf: text, at: damaged.lowerBound)
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all)
      #expect(read.progress.skippedOctets == text.count)
    }
  }

  /// As long as it says its packet once was, five whole records would be of it.
  @Test(arguments: Container.allCases.filter { ["btsnoop", "pcap"].contains($0.formatName) })
  func `an original length that reaches to a later record hides none`(container: Container) throws {
    let packets = Traffic.notifications(20)
    let junk = Array(repeating: UInt8(0xFF), count: 40)
    let hidden = packets[11..<16].flatMap { container.record($0) }
    var damaged = packets[10]
    damaged.kept = damaged.octets.count
    damaged.octets += Array(repeating: 0, count: junk.count + hidden.count)
    let before = container.file(Array(packets.prefix(10))) + container.record(damaged)
    let file = before + junk + packets[11...].flatMap { container.record($0) }
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all)
      #expect(read.progress.skippedOctets == junk.count && read.progress.damageCount == 1)
    }
  }

  @Test(arguments: Container.allCases)
  func `a record of zeros costs itself`(container: Container) throws {
    var (file, damaged) = file(container)
    file.replaceSubrange(damaged, with: Array(repeating: 0, count: damaged.count))
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all.filter { $0 != 10 })
      #expect(read.progress.skippedOctets == damaged.count)
    }
  }

  @Test(arguments: Container.allCases)
  func `a record without its first octets costs itself`(container: Container) throws {
    for missing in 1..<12 {
      var (file, damaged) = file(container)
      file.removeSubrange(damaged.prefix(missing))
      let read = try ReadCapture(file)
      // What is left of it must not be taken for a packet, nor the one behind it be lost.
      let numbers = found(read)
      #expect(numbers.prefix(10) == all.prefix(10), "\(missing) octets missing")
      #expect(numbers.suffix(9) == all.suffix(9), "\(missing) octets missing")
      #expect(!read.progress.isComplete || numbers.count <= 20)
    }
  }

  /// Wherever they are missing: the header may say an impossible time then, or the packet too much of its length.
  @Test(arguments: Container.allCases, 1...3)
  func `a record that has lost octets costs itself, and it is said`(container: Container, lost: Int) throws {
    let packet = Traffic.notifications(20)[10].octets
    for place in 0...(file(container).damaged.count - lost) {
      var (file, damaged) = file(container)
      file.removeSubrange(damaged.dropFirst(place).prefix(lost))
      for delivery in Self.deliveries {
        let read = try ReadCapture(file, delivery)
        let numbers = found(read).filter { $0 >= 0 && $0 != 10 }
        #expect(numbers == all.filter { $0 != 10 }, "\(lost) octets missing at \(place)")
        #expect(read.progress.damageCount > 0 && read.records.count <= 20, "\(lost) octets missing at \(place)")
        // Where a packet lacks octets, nobody knows what the others of it are.
        let isOfPacket = container.formatName != "pcapng" && place >= damaged.count - packet.count
        #expect(!isOfPacket || !found(read).contains(-1), "\(lost) octets missing at \(place)")
      }
    }
  }

  /// pcap's headers begin with it. What is left of the record is right.
  @Test(arguments: Container.allCases.filter { $0.formatName == "pcap" })
  func `damage that ends behind the seconds of a record leaves it without a time`(container: Container) throws {
    var (file, damaged) = file(container)
    let stretch = damaged.lowerBound..<damaged.upperBound + 4
    file.replaceSubrange(stretch, with: Array(repeating: 0xA5, count: stretch.count))
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all.filter { $0 != 10 })
      #expect(read.records.filter { $0.time == Timestamp.unknown.microseconds }.map(\.number) == [11])
    }
  }

  /// Where a disk or a memory lost a block, nobody knows what stood in it.
  @Test(arguments: Container.allCases, [0, 0xFF] as [UInt8])
  func `a record that ends in what was never written costs itself`(container: Container, blank: UInt8) throws {
    // A block of pcapng ends in its length: in zeros of its own.
    for lost in (container.formatName == "pcapng" ? 4 : 3)...8 {
      var (file, damaged) = file(container)
      let next = damaged.upperBound..<damaged.upperBound + damaged.count
      let stretch = damaged.upperBound - lost..<next.upperBound
      file.replaceSubrange(stretch, with: Array(repeating: blank, count: stretch.count))
      for delivery in Self.deliveries {
        let read = try ReadCapture(file, delivery)
        #expect(found(read) == all.filter { $0 != 10 && $0 != 11 }, "\(lost) octets lost")
        #expect(read.progress.damageCount == 1, "\(lost) octets lost")
        #expect(read.progress.skippedOctets == damaged.count + next.count, "\(lost) octets lost")
      }
    }
  }

  /// pcap's ends in zeros of its own.
  @Test(arguments: Container.allCases.filter { !$0.file([]).isEmpty })
  func `a file header before what was never written stays`(container: Container) throws {
    let packets = Traffic.notifications(20)
    let records = packets.flatMap { container.record($0) }
    let blank = Array(repeating: UInt8(0), count: 100)
    let file = container.file(Array(packets.prefix(1))) + container.file([]) + blank + records
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == [0] + all)
      #expect(read.progress.skippedOctets == blank.count)
    }
  }

  /// An energy of 0 kJ, or a heart rate of two octets, ends in zeros too.
  @Test(arguments: Container.allCases, [[0x01, 60, 0], [0x0E, 60, 0, 0]] as [[UInt8]])
  func `a record that ends in zeros of its own stays`(container: Container, value: [UInt8]) throws {
    var packets = Traffic.notifications(20)
    let length = UInt8(value.count)
    packets[9].octets = hex("40 20") + [length + 7, 0, length + 3, 0] + hex("04 00 1b 10 00") + value
    let start = container.file(Array(packets.prefix(10))).count
    var file = container.file(packets)
    let damaged = start..<start + container.record(packets[10]).count
    file.replaceSubrange(damaged, with: Array(repeating: 0, count: damaged.count))
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(read.packets.count == 19 && read.packets[9] == packets[9].octets)
    }
  }

  @Test(arguments: Container.allCases)
  func `the last record damaged costs itself`(container: Container) throws {
    let packets = Traffic.notifications(20)
    let start = container.file(packets.dropLast()).count
    var file = container.file(packets)
    file.replaceSubrange(start..., with: Array(repeating: 0xFF, count: file.count - start))
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all.dropLast())
      #expect(!read.progress.isComplete)
    }
  }

  /// One whole record that tells its length twice, or a time like those before, needs no other to be believed.
  @Test(arguments: Container.allCases)
  func `of every second record costs no others`(container: Container) throws {
    let packets = Traffic.notifications(20)
    var file = container.header
    for (index, packet) in packets.enumerated() {
      let record = container.record(packet)
      let isDamaged = index > 5 && index % 2 == 0
      file += isDamaged ? Array(repeating: 0xFF, count: record.count) : record
    }
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all.filter { $0 <= 5 || $0 % 2 == 1 })
      #expect(read.progress.damageCount == 7)
    }
  }

  /// Octets that stand behind each record, too.
  @Test(arguments: Container.allCases, [1, 2, 5])
  func `behind every record costs none`(container: Container, length: Int) throws {
    let packets = Traffic.notifications(20)
    let junk = Array(repeating: UInt8(0xFF), count: length)
    let file = packets.enumerated().reduce(into: container.header) { file, packet in
      file += container.record(packet.element) + ((6..<19).contains(packet.offset) ? junk : [])
    }
    for delivery in Self.deliveries {
      let read = try ReadCapture(file, delivery)
      #expect(found(read) == all)
      #expect(read.progress.skippedOctets == 13 * length)
    }
  }

  /// What reads as a record of another year may end where a good one begins: what it hides speaks against it.
  @Test(arguments: [
    Container.packetLoggerLittle, .packetLoggerBig, .pcapH4, .pcapDirection, .pcapBig, .pcapBigNanoseconds,
  ])
  func `that reads as a long record of another year hides nothing`(container: Container) throws {
    let packets = Traffic.notifications(20)
    let start = container.file(Array(packets.prefix(10)))
    let hidden = packets[11..<16].flatMap(container.record)
    // An event: its octets are not told from others.
    let chance = CapturedPacket(.event, .received, hidden, time: CapturedPacket.start + 500_000_000_000_000)
    let link = container.record(chance).count - hidden.count
    for padding in [0, 3] {
      let damage = Array(repeating: 0xFF, count: padding) + container.record(chance).prefix(link)
      let file = start + damage + packets.dropFirst(11).flatMap(container.record)
      for delivery in Self.deliveries {
        let read = try ReadCapture(file, delivery)
        #expect(found(read).filter { $0 >= 0 } == all.filter { $0 != 10 })
        #expect(read.progress.skippedOctets == damage.count)
      }
    }
  }

  /// Files, or sections, one behind another: what follows the second header is judged by that.
  @Test(arguments: [
    (Container.pcapngLittle, Container.pcapngBig), (.pcapngBig, .pcapngLittle), (.pcapDirection, .pcapBig),
    (.pcapBig, .pcapLittleNanoseconds), (.btsnoopH4, .btsnoopMonitor),
  ])
  func `before a header of another kind costs nothing behind it`(first: Container, second: Container) throws {
    let packets = Traffic.notifications(20)
    let (start, next) = (first.file(packets.dropLast(10)), second.file(packets.suffix(10)))
    let last = first.record(packets[9])
    let before = Array(start.dropLast(last.count))
    var damaged = [start + Array(repeating: 0xFF, count: 16), start + Array(repeating: 0, count: 100)]
    damaged.append(Array(start.dropLast(6)))
    damaged.append(before + Array(repeating: 0xFF, count: last.count))
    damaged.append(before + last.dropFirst(4))
    for start in damaged {
      for delivery in Self.deliveries {
        let read = try ReadCapture(start + next, delivery)
        #expect(found(read).prefix(9) == all.prefix(9) && found(read).suffix(10) == all.suffix(10))
        #expect(read.records.last?.linkType == second.linkType && read.records.count <= 20)
        #expect(read.records.suffix(10).map(\.followsHeader) == [true] + Array(repeating: false, count: 9))
      }
    }
  }

  @Test func `of many damaged stretches all are counted and a hundred are kept`() throws {
    let file = Traffic.notifications(600).enumerated().reduce(into: Container.btsnoopH4.header) { file, packet in
      file += Container.btsnoopH4.record(packet.element)
      if packet.offset % 4 == 3, packet.offset < 596 { file += Array(repeating: 0xFF, count: 30) }
    }
    let read = try ReadCapture(file)
    #expect(read.records.count == 600)
    #expect(read.progress.damageCount == 149 && read.progress.damages.count == 100)
    #expect(read.progress.skippedOctets == 149 * 30)
  }
}

/// A length that is wrong: where the fields are is each format's own.
@Suite struct `Damaged lengths` {
  struct Field: Sendable, CustomTestStringConvertible {
    let container: Container
    let name: String
    /// Where the field begins in the record.
    let place: Int
    let order: OctetOrder
    var testDescription: String { "\(container.rawValue): \(name)" }
  }

  static let fields: [Field] =
    [.btsnoopH4, .btsnoopH1, .btsnoopMonitor].flatMap { container in
      [
        Field(container: container, name: "original length", place: 0, order: .big),
        Field(container: container, name: "included length", place: 4, order: .big),
      ]
    }
    + [Container.pcapDirection, .pcapH4, .pcapMonitor, .pcapBig, .pcapBigNanoseconds].flatMap { container in
      let order: OctetOrder = container == .pcapBig || container == .pcapBigNanoseconds ? .big : .little
      return [
        Field(container: container, name: "captured length", place: 8, order: order),
        Field(container: container, name: "original length", place: 12, order: order),
      ]
    }
    + [(Container.pcapngLittle, OctetOrder.little), (.pcapngBig, .big)].map {
      Field(container: $0, name: "total length", place: 4, order: $1)
    }
    + [(Container.packetLoggerLittle, OctetOrder.little), (.packetLoggerBig, .big)].map {
      Field(container: $0, name: "length", place: 0, order: $1)
    }

  /// Too small, too big, far too big, absurd.
  static let changes: [Int64] = [
    -13, -7, -4, -1, 1, 4, 8, 39, 100, 1000, 60_000, 70_000, 1 << 20, 1 << 26, 0x7F00_0000,
  ]

  @Test(arguments: fields)
  func `cost at most their own record`(field: Field) throws {
    let packets = Traffic.notifications(20)
    let start = field.container.file(Array(packets.prefix(10))).count
    let place = start + field.place
    for change in Self.changes {
      var file = field.container.file(packets)
      let digits = field.order == .big ? Array(file[place..<place + 4]) : file[place..<place + 4].reversed()
      let old = digits.reduce(0 as Int64) { $0 << 8 | Int64($1) }
      guard old + change >= 0 else { continue }
      file.replaceSubrange(place..<place + 4, with: UInt32(old + change).octets(field.order))
      for delivery in [.whole, .pieces(7)] as [Delivery] {
        let read = try ReadCapture(file, delivery)
        let found = read.packets.compactMap { octets in packets.firstIndex { $0.octets == octets } }
        #expect(
          found.filter { $0 != 10 } == packets.indices.filter { $0 != 10 }, "\(old) + \(change), \(delivery)")
        // Of the damaged record there may be more or less, but nothing is made up beside it.
        #expect(read.records.count <= 20, "\(old) + \(change), \(delivery)")
      }
    }
  }

  /// By chance it ends where a later record does: nothing but the packet speaks against it then. In btsnoop that is asked of
  /// what is found behind damage.
  @Test(arguments: Container.allCases.filter { $0.formatName != "pcapng" }, [0, 1])
  func `that reach to the end of a later record hide none`(container: Container, skipped: Int) throws {
    if container.formatName == "btsnoop", skipped == 0 { return }
    let packets = Traffic.notifications(20)
    let records = packets.map(container.record)
    let hidden = records[11].count * 4
    let header = container.record(CapturedPacket(.event, .received, [])).count
    // Without its first octet the packet does not say its length either.
    for lost in [0, 1] {
      // As long as four more records, and cut, where the format tells that.
      var long = packets[10]
      long.octets += Array(repeating: 0, count: hidden + 9)
      long.kept = packets[10].octets.count - lost + hidden
      let damaged = container.record(long).prefix(header) + packets[10].octets.dropFirst(lost)
      let before = container.file(Array(packets.prefix(10))) + Array(repeating: 0xFF, count: skipped)
      let file = before + damaged + records[11...].joined()
      for delivery in [.whole, .pieces(7)] as [Delivery] {
        let read = try ReadCapture(file, delivery)
        let found = read.packets.compactMap { octets in packets.firstIndex { $0.octets == octets } }
        #expect(found == packets.indices.filter { lost == 0 || $0 != 10 }, "\(lost) octets lost")
        #expect(read.progress.skippedOctets == skipped + (lost == 0 ? 0 : damaged.count))
        #expect(read.progress.damageCount == skipped + 1)
      }
    }
  }

  /// Between two that are damaged, one whole record is found.
  @Test(arguments: fields, [1000, 0xFFFF_FFFF] as [UInt32])
  func `of every second record cost at most those`(field: Field, value: UInt32) throws {
    let packets = Traffic.notifications(20)
    let file = packets.enumerated().reduce(into: field.container.header) { file, packet in
      var record = field.container.record(packet.element)
      if packet.offset > 5, packet.offset % 2 == 0 {
        record.replaceSubrange(field.place..<field.place + 4, with: value.octets(field.order))
      }
      file += record
    }
    for delivery in [.whole, .pieces(7)] as [Delivery] {
      let read = try ReadCapture(file, delivery)
      let found = read.packets.compactMap { octets in packets.firstIndex { $0.octets == octets } }
      #expect(found.filter { $0 <= 5 || $0 % 2 == 1 } == packets.indices.filter { $0 <= 5 || $0 % 2 == 1 })
      #expect(read.records.count <= 20)
    }
  }

  @Test(arguments: fields)
  func `of the last record cost at most that`(field: Field) throws {
    let packets = Traffic.notifications(20)
    let start = field.container.file(packets.dropLast()).count
    for value in [0, 1, 1000, 0x1_0000, 0x0010_0000, 0x0400_0000, 0xFFFF_FFFF] as [UInt32] {
      var file = field.container.file(packets)
      file.replaceSubrange(start + field.place..<start + field.place + 4, with: value.octets(field.order))
      let read = try ReadCapture(file)
      #expect(read.packets.prefix(19) == packets.dropLast().map(\.octets)[...], "\(field.name) = \(value)")
      #expect(read.records.count <= 20)
    }
  }
}
