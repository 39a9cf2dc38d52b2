import CaptureFiles
import Octets
import Testing
import TestSupport

/// Captures that do not begin where a file does.
@Suite struct `Displaced starts` {
  /// What Android's shell and an HTTP server say before a file.
  private static let prefaces: [[UInt8]] = [
    Array("WARNING: linker: libdvm.so has text relocations.\n".utf8),
    Array("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n".utf8),
    [0], Array(repeating: 0x62, count: 60_000),
  ]
  /// What stands before a packet's octets: a record's header, and the kind of packet.
  private static let headerLength = 25
  /// PacketLogger has no header that could be found.
  private static let signed = Sample.all.filter { !$0.name.hasSuffix(".pklg") }

  private func contents(_ records: some Sequence<KeptRecord>, movedBy count: Int = 0) -> [KeptRecord] {
    records.map { record in
      var record = record
      record.offset -= count
      return record
    }
  }

  @Test(arguments: signed)
  func `a file behind something that was said before it`(sample: Sample) throws {
    let octets = try sample.octets
    let whole = try ReadCapture(octets)
    for preface in Self.prefaces {
      for delivery in [Delivery.whole, .pieces(preface.count + 700)] {
        let read = try ReadCapture(preface + octets, delivery)
        #expect(contents(read.records, movedBy: preface.count) == whole.records)
        #expect(read.formatName == whole.formatName && read.progress.isDisplaced && read.progress.damageCount == 1)
        #expect(read.progress.skippedOctets == preface.count && read.progress.damages.first?.error.offset == 0)
      }
    }
  }

  /// As it is when a stream of another computer begins with that computer's greeting.
  @Test(arguments: signed)
  func `live, octet for octet`(sample: Sample) throws {
    let octets = try sample.octets
    let preface = Self.prefaces[0]
    let read = try ReadCapture(preface + octets, .pieces(1), isLive: true)
    #expect(contents(read.records, movedBy: preface.count) == (try ReadCapture(octets).records))
  }

  /// Text has no zeros, whatever was lost of it.
  @Test func `text in which characters were replaced is no log that was saved as text`() throws {
    let text = Array("caf\u{FFFD}, cr\u{FFFD}me and so on\n".utf8)
    let error = #expect(throws: ParsingError.self) { try ReadCapture(text) }
    #expect(error?.description.contains("saved as text") == false)
  }

  /// A log that was saved as text is none, and whoever copies it need not wait for its end to be told so.
  @Test func `a log that was saved as text is refused by its first octets`() throws {
    let text = Array(String(decoding: try Sample.named("polar-h7.btsnoop").octets, as: UTF8.self).utf8.prefix(5000))
    var reader = CaptureReader(isLive: true)
    let error = #expect(throws: ParsingError.self) { try reader.recognise(text.span, isAll: false) }
    #expect(error?.description.contains("saved as text") == true)
  }

  /// The end of a log, wherever it was cut: all records that are whole.
  @Test(arguments: ["polar-h7.btsnoop", "three-sensors-crossed-handles.btsnoop", "eatt.btsnoop"])
  func `a phone's log without its beginning`(name: String) throws {
    let octets = try Sample.named(name).octets
    let whole = try ReadCapture(octets).records
    for cut in stride(from: 1, to: octets.count - 300, by: 331) {
      let read = try ReadCapture(Array(octets[cut...]))
      let left = whole.filter { $0.offset - Self.headerLength >= cut }
      let isSame = read.packets == left.map(\.octets) && read.records.map(\.time) == left.map(\.time)
      #expect(isSame && read.progress.isDisplaced && read.formatName == "btsnoop", "cut at \(cut)")
      #expect(read.progress.skippedOctets == (left.first?.offset ?? 0) - Self.headerLength - cut)
    }
  }

  /// Cut through a record anywhere: where its last octets look like a short record, it is not taken for the first one.
  @Test func `a phone's log that begins within a record`() throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    for (place, next) in zip(places, places.dropFirst()).prefix(25) {
      let left = try ReadCapture(Array(octets[..<16] + octets[next..<next + 2000])).packets
      for cut in place + 1...next {
        let read = try ReadCapture(Array(octets[cut..<next + 2000]))
        #expect(read.packets == left, "cut at \(cut)")
      }
    }
  }

  /// As `tail -f` gives it: who watches does not wait for more than a few records.
  @Test func `a phone's log without its beginning, live`() throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    let whole = try ReadCapture(octets).records
    for cut in stride(from: 1, to: octets.count - 4000, by: 331) {
      let left = whole.filter { $0.offset - Self.headerLength >= cut }
      let read = try ReadCapture(Array(octets[cut...]), .pieces(1), isLive: true)
      #expect(read.packets == left.map(\.octets), "cut at \(cut)")
      var reader = CaptureReader(isLive: true)
      var count = CountedRecords()
      _ = try reader.read(ContiguousArray(octets[cut..<cut + 4000]).span, isLast: false, into: &count)
      #expect(count.records > 2, "cut at \(cut)")
    }
  }

  private struct CountedRecords: RecordReceiver {
    var records = 0
    mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) { records += 1 }
  }

  /// Headers with nothing behind them, one after another: each would be looked at for a while.
  @Test func `many headers without records`() throws {
    let header = BTSnoopBuilder.header()
    let octets = [0x78] + Array(repeatElement(header, count: 20_000).joined())
    #expect(throws: ParsingError.self) { try ReadCapture(octets) }
  }

  @Test func `a single record is chance`() throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    let records = try ReadCapture(octets).records
    let last = try #require(records.last?.offset) - Self.headerLength
    #expect(throws: ParsingError.self) { try ReadCapture(Array(octets[last...])) }
  }

  /// A btsnoop header that an octet is missing from, and behind it what no program that saves text leaves: until that has
  /// come, it may be either.
  @Test(arguments: [Delivery.whole, .pieces(1), .pieces(20), .pieces(36)])
  func `that looks like text as far as it goes`(delivery: Delivery) throws {
    let octets = hex("62 74 73 6e 6f 6f 70 00 00 00 00 01 00 00 03 7b") + Array(repeating: 0, count: 24) + [0xE3, 0]
    let error = try #require(throws: ParsingError.self) { try ReadCapture(octets, delivery) }
    #expect(error.field == "Data link")
    let text = try #require(throws: ParsingError.self) { try ReadCapture(octets.dropLast(2), delivery) }
    #expect(text.layer == "text")
  }
}
