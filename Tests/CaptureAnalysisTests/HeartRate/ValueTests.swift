import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

@Suite struct `Measurements` {
  /// The connection of a sensor that was discovered, and what came then.
  private func connection(_ build: (inout HostSide) -> Void) throws -> AnalyzedConnection {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    build(&host)
    return try #require(try Analysis(host.file()).connections.first)
  }

  @Test(
    arguments: [
      ("", nil, nil, nil, "Flags needs 1 octet, none left"),
      ("16", nil, nil, nil, "Heart Rate Measurement Value needs 1 octet, none left"),
      ("17 48", nil, nil, nil, "Heart Rate Measurement Value needs 2 octets, 1 left"),
      ("18 48 01", 72, nil, nil, "Energy Expended needs 2 octets, 1 left"),
      ("1e 48 01 02", 72, 0x0201, [], "RR-Interval needs 2 octets, none left"),
      ("16 48 e8 03 ea", 72, nil, [1000], "RR-Interval needs 2 octets, 1 left"),
      ("06 48 e8", 72, nil, [], "1 octet left over after Heart Rate Measurement Value"),
    ] as [(String, UInt16?, UInt16?, [UInt16]?, String)])
  func `malformed ones keep their octets, what could be read, and say what is wrong`(
    octets: String, bpm: UInt16?, energy: UInt16?, rr: [UInt16]?, message: String
  ) throws {
    let event = try #require(try connection { $0.notified(hex(octets)) }.measurements.first)
    #expect(event.octets.map(Array.init) == hex(octets) && event.length == hex(octets).count)
    #expect(event.reading.beatsPerMinute == bpm && event.reading.energyExpended == energy)
    #expect(event.reading.rrIntervals?.map(\.rawValue) == rr)
    #expect(event.reading.error?.description == message)
  }

  @Test func `reserved flags and contact without support are no errors`() throws {
    let connection = try connection {
      $0.notified(hex("e0 48"))
      $0.notified(hex("02 49"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72, 73])
    #expect(connection.measurements.map(\.reading.contact) == [.unsupported, .unsupported])
    #expect(connection.measurements.allSatisfy { $0.reading.error == nil })
  }

  /// 14 octets of ACL: headers of 8, opcode and handle, flags, rate, one octet more. The length tells the rest.
  @Test(
    arguments: [
      ("16 48 e8 03", 72, 1, nil), ("16 48 e8 03 ea 03 ec 03", 72, 3, nil), ("06 48", 72, 0, []),
      ("17 2c 01 e8 03 ea 03", 300, 2, nil), ("1e 48 10 00 e8 03", 72, 1, nil), ("04 48", 72, 0, []),
    ] as [(String, UInt16, Int, [UInt16]?)])
  func `cut by the capture they are no errors, and the number of intervals is known`(
    octets: String, bpm: UInt16, count: Int, rr: [UInt16]?
  ) throws {
    let connection = try connection {
      $0.keptACLOctets = 14
      $0.notified(hex(octets))
    }
    let event = try #require(connection.measurements.first)
    #expect(event.length == hex(octets).count)
    #expect(event.octets.map(Array.init) == Array(hex(octets).prefix(3)))
    #expect(event.reading.beatsPerMinute == bpm && event.reading.rrCount == count)
    #expect(event.reading.flags?.rawValue == hex(octets)[0])
    #expect(event.reading.error == nil)
    #expect(event.reading.rrIntervals?.map(\.rawValue) == rr)
    #expect(connection.malformed.isEmpty)
  }

  @Test(arguments: 0..<3) func `cut even shorter they are still there`(kept: Int) throws {
    let connection = try connection {
      $0.keptACLOctets = 11 + kept
      $0.notified(hex("16 48 e8 03"))
    }
    let event = try #require(connection.measurements.first)
    #expect(event.octets?.count == kept && event.length == 4 && event.reading.error == nil)
    #expect(event.reading.beatsPerMinute == (kept >= 2 ? 72 : nil))
  }

  @Test(arguments: [[1], [3], [4], [7], [2, 3, 4], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [27]])
  func `in fragments of any size`(split: [Int]) throws {
    let connection = try connection {
      $0.notified(hex("16 48 e8 03"), split: split)
      $0.notified(hex("16 49 e8 03"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72, 73])
    #expect(connection.malformed.isEmpty)
  }

  @Test func `a start inside an unfinished PDU costs that one only`() throws {
    let connection = try connection {
      $0.fragment(.received, hex("07 00 04 00 1b 10 00"))
      $0.notified(hex("16 49 e8 03"))
      $0.notified(hex("16 4a e8 03"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [73, 74])
    #expect(connection.malformed.map(\.problem) == [.pieces(.startInsideUnfinished)])
  }

  @Test func `several in one Multiple Handle Value Notification`() throws {
    let connection = try connection {
      $0.received(hex("23 10 00 04 00 16 48 e8 03 13 00 01 00 01 10 00 02 00 06 49"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72, 73])
    #expect(connection.malformed.isEmpty)
  }

  @Test func `a value shorter than a Multiple Handle Value Notification says is there as far as it came`() throws {
    let connection = try connection {
      $0.received(hex("23 10 00 04 00 16 48 e8 03 10 00 09 00 16 49 e8 03 ea"))
      $0.notified(hex("06 4a"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72, 73, 74])
    let broken = try #require(connection.measurements.dropFirst().first)
    #expect(broken.octets.map(Array.init) == hex("16 49 e8 03 ea") && broken.length == 5)
    #expect(broken.reading.error?.description == "RR-Interval needs 2 octets, 1 left")
    #expect(connection.malformed.count == 1)
    guard case .field(let error)? = connection.malformed.first?.problem else {
      Issue.record("a field is wrong")
      return
    }
    #expect(error.description == "Attribute Value needs 9 octets, 5 left, as the L2CAP length says")
  }

  @Test func `the last value of a Multiple Handle Value Notification that did not come at all is no measurement`()
    throws
  {
    let connection = try connection { $0.received(hex("23 10 00 02 00 06 48 10 00 09 00")) }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72])
    #expect(connection.malformed.count == 1)
  }

  /// 24 octets of ACL: headers of 8, opcode, a tuple of 8, a handle and a length, three octets of a value of four.
  @Test func `the last value of a Multiple Handle Value Notification that the capture cut is no error`() throws {
    let connection = try connection {
      $0.keptACLOctets = 24
      $0.received(hex("23 10 00 04 00 16 48 e8 03 10 00 04 00 16 49 e8 03"))
    }
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [72, 73])
    let cut = try #require(connection.measurements.last)
    #expect(cut.octets.map(Array.init) == hex("16 49 e8") && cut.length == 4)
    #expect(cut.reading.isCut && cut.reading.error == nil && cut.reading.rrCount == 1)
    #expect(connection.malformed.isEmpty)
  }

  @Test func `octets are kept only for whom they are wanted`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified(hex("16 48 e8 03"))
    let event = try #require(try Analysis(host.file(), selection: .all).measurements.first)
    #expect(event.octets == nil && event.reading.beatsPerMinute == 72)
  }

  /// Where octets of the capture are missing, nothing is put together over the gap.
  @Test func `a PDU is not put together over damage`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.fragment(.received, hex("07 00 04 00 1b 10"))
    let container = Container.btsnoopH4
    let before = host.file()
    var after = HostSide()
    after.fragment(.received, isContinuation: true, hex("00 16 48 e8 03"))
    after.notified(hex("16 49 e8 03"))
    after.notified(hex("16 4a e8 03"))
    let file = before + Array(repeating: 0xFF, count: 100) + after.packets.flatMap { container.record($0) }
    let analysis = try Analysis(file)
    #expect(analysis.measurements.map(\.reading.beatsPerMinute) == [73, 74])
    #expect(analysis.facts.progress.skippedOctets == 100)
  }
}

@Suite struct `Reading and writing` {
  private func values(_ kind: EventKind, _ build: (inout HostSide) -> Void) throws -> [String] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    build(&host)
    return try Analysis(host.file()).events.compactMap { event in
      switch event.content {
      case .read(let value) where kind == .read: value.text
      case .write(let value) where kind == .write: value.text
      case .indication(let value) where kind == .indication: value.text
      case .notification(let value) where kind == .notification: value.text
      default: nil
      }
    }
  }

  @Test func `a read`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0a 13 00"))
        $0.received(hex("0b 01"))
      } == ["19 2A38 01"])
  }

  /// Core 6.0, Vol 3, Part G, 4.8.3.
  @Test func `a long read grows part by part`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0a 03 00"))
        $0.received(hex("0b 01 02 03"))
        $0.sent(hex("0c 03 00 03 00"))
        $0.received(hex("0d 04 05 06"))
        $0.sent(hex("0c 03 00 06 00"))
        $0.received(hex("0d 07"))
      } == ["3 - 010203", "3 - 010203040506", "3 - 01020304050607"])
  }

  /// Core 6.0, Vol 3, Part G, 4.8.2.
  @Test func `a long read that begins by type`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("08 01 00 ff ff 00 2a"))
        $0.received(hex("09 05 03 00 01 02 03"))
        $0.sent(hex("0c 03 00 03 00"))
        $0.received(hex("0d 04 05"))
      } == ["3 2A00 010203", "3 2A00 0102030405"])
  }

  @Test func `a part of a value of which the beginning is not known`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0c 03 00 03 00"))
        $0.received(hex("0d 04 05 06"))
      } == [])
  }

  @Test func `a write, a command, a signed command`() throws {
    #expect(
      try values(.write) {
        $0.write(attribute: 0x20, [1, 2, 3])
        $0.sent(hex("52 21 00 04"))
        $0.sent(hex("d2 22 00 05 00 00 00 00 00 00 00 00 00 00 00 00"))
      }.map { String($0.prefix(9)) } == ["32 - 0102", "33 - 04", "34 - 05"])
  }

  /// Core 6.0, Vol 3, Part F, 3.4.6.
  @Test func `prepared writes are written when they are executed`() throws {
    let prepared = { (host: inout HostSide) in
      host.sent(hex("16 20 00 00 00 01 02 03"))
      host.received(hex("17 20 00 00 00 01 02 03"))
      host.sent(hex("16 20 00 03 00 04 05"))
      host.received(hex("17 20 00 03 00 04 05"))
      host.sent(hex("16 21 00 00 00 06"))
      host.received(hex("17 21 00 00 00 06"))
    }
    #expect(
      try values(.write) {
        prepared(&$0)
        $0.sent(hex("18 01"))
        $0.received(hex("19"))
        $0.sent(hex("18 01"))
        $0.received(hex("19"))
      } == ["32 - 0102030405", "33 - 06"])
    #expect(
      try values(.write) {
        prepared(&$0)
        $0.sent(hex("18 00"))
        $0.received(hex("19"))
        $0.sent(hex("18 01"))
        $0.received(hex("19"))
      } == [])
  }

  /// What the server answers to the second of two Prepare Write Requests, or to the execution between them, and what the
  /// last execution writes. Core 6.0, Vol 3, Part F, 3.4.6.1 and 3.4.6.3.
  @Test(
    arguments: [
      (nil, "01 16 21 00 09", "32 - 0102"), ("01 18 20 00 0d", "17 21 00 00 00 03", "33 - 03"),
    ] as [(String?, String, String)])
  func `what was refused is not written by a later execution`(first: String?, second: String, written: String) throws {
    #expect(
      try values(.write) {
        $0.sent(hex("16 20 00 00 00 01 02"))
        $0.received(hex("17 20 00 00 00 01 02"))
        if let first {
          $0.sent(hex("18 01"))
          $0.received(hex(first))
        }
        $0.sent(hex("16 21 00 00 00 03"))
        $0.received(hex(second))
        $0.sent(hex("18 01"))
        $0.received(hex("19"))
      } == [written])
  }

  @Test func `a configuration that was prepared and executed is a subscription`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("16 11 00 00 00 01 00"))
    host.received(hex("17 11 00 00 00 01 00"))
    host.sent(hex("18 01"))
    host.received(hex("19"))
    #expect(try Analysis(host.file()).connections.first?.subscriptions.map(\.valueHandle) == [16])
  }

  /// Values of one octet can be told apart, the last takes what is left.
  @Test func `several at once, and with their lengths`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0e 13 00 11 00 03 00"))
        $0.received(hex("0f 01 01 00 41 42"))
        $0.sent(hex("20 13 00 03 00"))
        $0.received(hex("21 01 00 02 02 00 43 44"))
      } == ["19 2A38 01", "17 2902 0100", "3 - 4142", "19 2A38 02", "3 - 4344"])
  }

  /// A response ends where it is full: of the last value, a part may be there, or nothing but its length.
  /// Core 6.0, Vol 3, Part F, 3.4.4.12.
  @Test(
    arguments: [
      ("03 00 43 44", ["19 2A38 02", "3 - 4344"]), ("03 00", ["19 2A38 02"]), ("00 00", ["19 2A38 02", "3 - "]),
    ])
  func `the last of several that a response has no room for`(last: String, reads: [String]) throws {
    #expect(
      try values(.read) {
        $0.sent(hex("20 13 00 03 00"))
        $0.received(hex("21 01 00 02") + hex(last))
      } == reads)
  }

  @Test func `an indication`() throws {
    #expect(
      try values(.indication) {
        $0.received(hex("1d 0c 00 01 00 ff ff"))
        $0.sent(hex("1e"))
      } == ["12 - 0100ffff"])
  }

  /// A sensor may indicate what it says it only notifies; an energy of 65,535 kJ is not where a change ends.
  @Test(arguments: [("0a 50 ff ff", 80), ("16 50 ff ff", 80), ("01 00 ff ff", nil)] as [(String, UInt16?)])
  func `a measurement that is indicated`(value: String, rate: UInt16?) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.received(hex("1d 10 00") + hex(value))
    host.sent(hex("1e"))
    #expect(try Analysis(host.file()).measurements.first?.reading.beatsPerMinute == rate)
  }

  @Test func `the smaller of two MTUs holds, and never less than 23`() throws {
    for (asked, answered, mtu) in [(517, 185, 185), (23, 517, 23), (10, 517, 23), (247, 247, 247)]
      as [(UInt16, UInt16, UInt16)]
    {
      var host = HostSide()
      host.connected()
      host.sent([0x02] + asked.little)
      host.received([0x03] + answered.little)
      #expect(try Analysis(host.file()).connections.first?.mtu == mtu)
    }
  }

  /// Both ends may ask at once: each answer belongs to the question that went the other way.
  @Test func `requests of both ends at once`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("0a 13 00"))
    host.received(hex("0a 03 00"))
    host.sent(hex("0b 41"))
    host.received(hex("0b 01"))
    let reads = try Analysis(host.file()).events.compactMap { event -> String? in
      if case .read(let value) = event.content { "\(value.server) \(value.text)" } else { nil }
    }
    #expect(reads == ["local 3 - 41", "peer 19 2A38 01"])
  }

  /// Whose the first answer is nobody can tell, and so it tells nothing; those behind it belong to the requests just
  /// before them.
  @Test func `an answer that is lost does not shift all others`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0a 03 00"))
        $0.sent(hex("0a 05 00"))
        $0.received(hex("0b 41"))
        $0.sent(hex("0a 06 00"))
        $0.received(hex("0b 42"))
        $0.sent(hex("0a 13 00"))
        $0.received(hex("0b 01"))
      } == ["6 - 42", "19 2A38 01"])
  }

  @Test func `a request among those that nobody asks about is still answered by its own response`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0a 03 00"))
        $0.received(hex("1b 0c 00 01"))
        $0.received(hex("0b 41 42"))
        $0.sent(hex("0c 03 00 02 00"))
        $0.received(hex("0d 43"))
        $0.sent(hex("0a 05 00"))
        $0.sent(hex("52 20 00 01 00"))
        $0.received(hex("0b 44"))
      } == ["3 - 4142", "3 - 414243", "5 - 44"])
  }

  @Test func `a refused request does not take the next answer`() throws {
    #expect(
      try values(.read) {
        $0.sent(hex("0a 03 00"))
        $0.received(hex("01 0a 03 00 05"))
        $0.sent(hex("0a 13 00"))
        $0.received(hex("0b 01"))
      } == ["19 2A38 01"])
  }
}

extension ValueEvent {
  /// Handle, type and octets.
  fileprivate var text: String { "\(handle) \(uuid.map { "\($0)" } ?? "-") \(octets.hexadecimal)" }
}
