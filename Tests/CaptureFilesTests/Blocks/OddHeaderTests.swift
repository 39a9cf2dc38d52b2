import CaptureFiles
import Octets
import TestSupport
import Testing

/// A header of which one field says what cannot be: its length still tells where the packet is.
@Suite struct `Headers that cannot be right` {
  struct Odd: Sendable, CustomTestStringConvertible {
    let container: Container
    let field: String
    /// Where in the record header.
    let place: Int
    let octets: [UInt8]
    var testDescription: String { "\(container.rawValue): \(field)" }
  }

  static let odd: [Odd] =
    [.btsnoopH4, .btsnoopH1, .btsnoopMonitor].flatMap { container in
      [
        Odd(container: container, field: "original length 0", place: 0, octets: UInt32(0).big),
        Odd(container: container, field: "original length too small", place: 0, octets: UInt32(14).big),
        Odd(container: container, field: "original length huge", place: 0, octets: UInt32.max.big),
        Odd(container: container, field: "included length too large", place: 4, octets: UInt32(47).big),
        Odd(container: container, field: "included length huge", place: 4, octets: UInt32.max.big),
        Odd(container: container, field: "time 0", place: 16, octets: UInt64(0).big),
        Odd(container: container, field: "time without end", place: 16, octets: UInt64.max.big),
      ]
    }
    + [(Container.pcapDirection, OctetOrder.little), (.pcapH4, .little), (.pcapMonitor, .little), (.pcapBig, .big)]
    .flatMap { container, order in
      [
        Odd(
          container: container, field: "fraction of a whole second", place: 4, octets: UInt32(1_000_000).octets(order)),
        Odd(container: container, field: "nanoseconds", place: 4, octets: UInt32(77_000_000).octets(order)),
        Odd(container: container, field: "fraction without end", place: 4, octets: UInt32.max.octets(order)),
        Odd(container: container, field: "original length 0", place: 12, octets: UInt32(0).octets(order)),
        Odd(container: container, field: "original length too small", place: 12, octets: UInt32(14).octets(order)),
        Odd(container: container, field: "original length huge", place: 12, octets: UInt32.max.octets(order)),
        Odd(container: container, field: "captured length too large", place: 8, octets: UInt32(47).octets(order)),
        Odd(container: container, field: "captured length huge", place: 8, octets: UInt32.max.octets(order)),
      ]
    }
    + [(Container.packetLoggerLittle, OctetOrder.little), (.packetLoggerBig, .big)].flatMap { container, order in
      [
        Odd(container: container, field: "microseconds", place: 8, octets: UInt32(1_000_000).octets(order)),
        Odd(container: container, field: "microseconds without end", place: 8, octets: UInt32.max.octets(order)),
      ]
    }

  private let packets = Traffic.notifications(20)

  /// A file in which the headers of some records are odd.
  private func file(_ odd: Odd, of records: some Collection<Int>) -> [UInt8] {
    var file = odd.container.header
    for (index, packet) in packets.enumerated() {
      var record = odd.container.record(packet)
      if records.contains(index) {
        record.replaceSubrange(odd.place..<odd.place + odd.octets.count, with: odd.octets)
      }
      file += record
    }
    return file
  }

  @Test(arguments: odd, [[10], [19], [3, 10], [9, 10, 11]])
  func `hide no packet`(odd: Odd, records: [Int]) throws {
    for delivery in [.whole, .pieces(7)] as [Delivery] {
      let read = try ReadCapture(file(odd, of: records), delivery)
      #expect(read.packets == packets.map(\.octets))
      #expect(read.records.map(\.number) == Array(1...20))
      #expect(read.records.allSatisfy { $0.originalLength == $0.octets.count && !$0.followsDamage })
      #expect(read.progress.skippedOctets == 0)
      #expect(read.progress.damages.first?.record == records[0] + 1, "it is said")
    }
  }

  /// Then that is how the capture was written: it is said once.
  @Test(arguments: odd, [0, 5])
  func `from one record on hide no packet`(odd: Odd, first: Int) throws {
    // Nothing but its records tells what a PacketLogger file is.
    if odd.container.formatName == "packetlogger", first == 0 { return }
    for delivery in [.whole, .pieces(7)] as [Delivery] {
      let read = try ReadCapture(file(odd, of: first..<20), delivery)
      #expect(read.packets == packets.map(\.octets))
      #expect(read.progress.skippedOctets == 0)
      // Where even the first time of a btsnoop file is odd, times prove nothing, and are taken as they are.
      #expect(read.progress.damageCount == (first == 0 && odd.field.hasPrefix("time") ? 0 : 1))
    }
  }

  /// Two fields that cannot be right leave too little to believe in.
  @Test func `twice over are damage`() throws {
    var file = file(Odd(container: .btsnoopH4, field: "time 0", place: 16, octets: UInt64(0).big), of: [10])
    let start = Container.btsnoopH4.file(Array(packets.prefix(10))).count
    file.replaceSubrange(start..<start + 4, with: UInt32(3).big)
    let read = try ReadCapture(file)
    #expect(read.packets == packets.enumerated().filter { $0.offset != 10 }.map(\.element.octets))
    #expect(read.progress.skippedOctets > 0)
  }

  /// Some writers count nanoseconds though their files' header says microseconds; then they do so throughout.
  @Test(arguments: [OctetOrder.little, .big], [.whole, .pieces(7)] as [Delivery])
  func `tell by all in a row, not by two damaged ones, that fractions are nanoseconds`(
    order: OctetOrder, delivery: Delivery
  ) throws {
    let (microseconds, nanoseconds) = (PCAPBuilder(order), PCAPBuilder(order, hasNanoseconds: true))
    var packets = packets
    for index in packets.indices { packets[index].time += 123_456 + Int64(index) * 1000 }
    let throughout = try ReadCapture(microseconds.header + packets.flatMap { nanoseconds.record($0) }, delivery)
    #expect(throughout.records.map(\.time) == packets.map(\.time) && throughout.progress.damageCount == 1)
    for damaged in [[0], [0, 1], [9, 10], [9, 10, 11], [3, 4, 12], [18, 19]] {
      let file = packets.enumerated().reduce(into: microseconds.header) { file, packet in
        var record = microseconds.record(packet.element)
        if damaged.contains(packet.offset) { record[order == .little ? 7 : 4] ^= 0x10 }
        file += record
      }
      let read = try ReadCapture(file, delivery)
      let isDamaged = read.records.indices.map(damaged.contains)
      #expect(zip(read.records, packets).map { $0.time == $1.time } == isDamaged.map { !$0 }, "\(damaged)")
      #expect(read.packets == packets.map(\.octets) && read.progress.skippedOctets == 0)
      #expect(read.progress.damages.map(\.record) == damaged.map { $0 + 1 }, "\(damaged)")
    }
  }

  @Test func `tell times as far as they can`() throws {
    let start = CapturedPacket.start
    func time(_ odd: Odd?) throws -> Int64 {
      let odd = try #require(odd)
      return try ReadCapture(file(odd, of: [10])).records[10].time
    }
    let microseconds = Self.odd.filter { $0.container == .pcapBig }
    let second = start / 1_000_000 * 1_000_000 + 10_000_000
    #expect(try time(microseconds.first { $0.field == "fraction of a whole second" }) == second + 1_000_000)
    #expect(try time(microseconds.first { $0.field == "nanoseconds" }) == second + 77_000)
    #expect(try time(microseconds.first { $0.field == "fraction without end" }) == second)
    #expect(try time(Self.odd.first { $0.field == "microseconds" }) == second + 1_000_000)
    #expect(try time(Self.odd.first { $0.field == "time 0" }) == Timestamp.unknown.microseconds)
  }

  /// Some writers add up microseconds and do not carry over what makes a second: time goes on behind the second all the same.
  @Test(arguments: [(Container.pcapBig, 4), (.packetLoggerBig, 8)])
  func `tell times of which a second was not carried over`(container: Container, place: Int) throws {
    let second = CapturedPacket.start / 1_000_000 * 1_000_000
    for fraction in [1_000_000, 1_000_001, 1_705_904, 1_999_999] as [UInt32] {
      let odd = Odd(container: container, field: "fraction", place: place, octets: fraction.big)
      for records in [[10], [9, 10], [10, 19], Array(7...19)] {
        let read = try ReadCapture(file(odd, of: records))
        let times = packets.indices.map { index in
          records.contains(index) ? second + Int64(index) * 1_000_000 + Int64(fraction) : packets[index].time
        }
        #expect(read.records.map(\.time) == times, "\(fraction) in \(records)")
      }
    }
  }

  /// Of nanoseconds that are counted although the header says microseconds, a few look like such a fraction.
  @Test func `are told from nanoseconds`() throws {
    let (microseconds, nanoseconds) = (PCAPBuilder(), PCAPBuilder(hasNanoseconds: true))
    for offset in [1001, 1705, 1999] as [Int64] {
      var packets = packets
      for index in packets.indices { packets[index].time += offset + (index == 0 ? 0 : 5000 * Int64(index)) }
      let read = try ReadCapture(microseconds.header + packets.flatMap { nanoseconds.record($0) })
      #expect(read.records.map(\.time) == packets.map(\.time))
    }
  }
}
