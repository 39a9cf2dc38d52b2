import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Channels of ATT whose opening is not in the capture, in captures that are read once, as live ones are.
@Suite struct `Earlier channels` {
  /// A sensor that is known, and values over an enhanced bearer of which one number is known: 41 here, or 50 at the peer.
  private func notifying(from server: Direction) -> HostSide {
    var host = HostSide()
    host.connected()
    if server == .received { host.discoverHeartRate() } else { host.showHeartRate() }
    for rate in UInt8(60)..<72 {
      host.l2cap(server, channel: server == .received ? 0x41 : 0x50, hex("05 00 1b 10 00 00") + [rate])
      host.wait(milliseconds: 990)
    }
    return host
  }

  private func switchesOff(_ host: HostSide) throws -> Bool {
    try Analysis(host.file()).events.contains { if case .unsubscribed = $0.content { true } else { false } }
  }

  /// The answer shows which number the request's channel has here, and the request is told with it.
  @Test(arguments: [Direction.received, .sent])
  func `what is asked over the unknown end of one`(server: Direction) throws {
    var host = notifying(from: server)
    let (asked, answering): (UInt16, UInt16) = server == .received ? (0x50, 0x41) : (0x41, 0x50)
    host.l2cap(server.opposite, channel: asked, hex("05 00 12 11 00 00 00"))
    host.l2cap(server, channel: answering, hex("01 00 13"))
    #expect(try switchesOff(host))
    // What comes then goes over a channel that is known at both ends.
    host.l2cap(server.opposite, channel: asked, hex("05 00 12 11 00 01 00"))
    host.l2cap(server, channel: answering, hex("01 00 13"))
    #expect(try Analysis(host.file()).connections.first?.subscriptions.count == 1)
  }

  /// Values go over one channel, and what is asked over another of which nothing was heard before.
  @Test func `what is asked over another one`() throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x52, hex("05 00 12 11 00 00 00"))
    host.l2cap(.received, channel: 0x43, hex("01 00 13"))
    #expect(try switchesOff(host))
  }

  /// The request waits, so its channel is not the one over which values come meanwhile.
  @Test func `what is asked over another one before either is known`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3c"))
    host.l2cap(.sent, channel: 0x52, hex("05 00 12 11 00 01 00"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3d"))
    host.l2cap(.received, channel: 0x43, hex("01 00 13"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3e"))
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(connection.subscriptions.count == 1 && connection.measurements.map(\.reading.beatsPerMinute) == [61, 62])
  }

  /// What is no PDU of ATT's, an opcode that is reserved, and the end of a long value that looks like a frame of its own.
  @Test(arguments: ["03 00 7f 01 02", "02 00 13 ff", "02 00 ff ff"])
  func `one over which something odd comes before it is known`(frame: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for rate in UInt8(60)...65 {
      host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00") + [rate])
      if rate == 60 { host.l2cap(.received, channel: 0x41, hex(frame)) }
      host.wait(milliseconds: 990)
    }
    #expect(try InferredCapture(host).measurements == [16: 6])
  }

  /// Types of 16 bits, and of 128.
  @Test(arguments: ["05 01 14 00 01 29", "05 02 14 00 fb 34 9b 5f 80 00 00 80 00 10 00 00 01 29 00 00"])
  func `descriptors that are discovered over another one`(answer: String) throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x52, hex("05 00 04 14 00 14 00"))
    host.l2cap(.received, channel: 0x43, UInt16(hex(answer).count).little + hex(answer))
    let database = try Analysis(host.file()).connections.first?.databases?.peer
    #expect(database?.type(of: 0x14) == BluetoothUUID(0x2901 as UInt16))
  }

  /// Only a confirmation answers what is told over the unknown end: a command goes over whichever channel it likes.
  @Test func `what is asked over the unknown end, behind a command over another one`() throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x52, hex("04 00 52 20 00 01"))
    host.l2cap(.sent, channel: 0x50, hex("05 00 12 11 00 00 00"))
    host.l2cap(.received, channel: 0x41, hex("01 00 13"))
    #expect(try switchesOff(host))
  }

  /// Any value answers any read: which of two channels it came over, nobody knows, until only one is asked.
  @Test func `reads over two of them at once are told of no wrong attribute`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for _ in 0..<3 {
      host.l2cap(.sent, channel: 0x50, hex("03 00 0a 20 00"))
      host.l2cap(.sent, channel: 0x51, hex("03 00 0a 30 00"))
      host.l2cap(.received, channel: 0x41, hex("02 00 0b 30"))
      host.l2cap(.received, channel: 0x40, hex("02 00 0b 20"))
    }
    for _ in 0..<3 {
      host.l2cap(.sent, channel: 0x51, hex("03 00 0a 30 00"))
      host.l2cap(.received, channel: 0x41, hex("02 00 0b 30"))
    }
    let read = try Analysis(host.file()).events.compactMap { event in
      if case .read(let value) = event.content { "\(value.handle) \(value.octets[0])" } else { nil }
    }
    #expect(Set(read) == ["48 48"])
  }

  /// Which number belongs to which is settled by what both might be that were asked at once: once only one is left, it is it.
  @Test func `requests over two of them at once are told once it is clear whose they are`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for round in 0..<4 {
      let other: UInt16 = round == 1 ? 0x52 : 0x51
      host.l2cap(.sent, channel: 0x50, hex("03 00 0a 20 00"))
      host.l2cap(.sent, channel: other, hex("03 00 0a 30 00"))
      host.l2cap(.received, channel: 0x40, hex("02 00 0b 20"))
      host.l2cap(.received, channel: other - 0x10, hex("02 00 0b 30"))
    }
    let read = try Analysis(host.file()).events.compactMap { event in
      if case .read(let value) = event.content { "\(value.handle) \(value.octets[0])" } else { nil }
    }
    #expect(Set(read) == ["32 32", "48 48"])
  }

  /// Nothing is due where they were switched off.
  @Test func `no gap behind measurements that were switched off over one`() throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x50, hex("05 00 12 11 00 00 00"))
    host.l2cap(.received, channel: 0x41, hex("01 00 13"))
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    #expect(try !host.rules().contains("notification-gap"))
  }

  /// Whoever closes one names both of its ends.
  @Test(arguments: [Direction.received, .sent]) func `one of which one number is known is closed`(asker: Direction)
    throws
  {
    var host = notifying(from: .received)
    host.l2cap(asker, channel: 5, hex(asker == .sent ? "06 09 04 00 50 00 41 00" : "06 09 04 00 41 00 50 00"))
    host.l2cap(asker.opposite, channel: 5, hex(asker == .sent ? "07 09 04 00 50 00 41 00" : "07 09 04 00 41 00 50 00"))
    let closings = try Analysis(host.file()).events.compactMap { event -> Bool? in
      if case .dialogue(.closed(_, let isByHost)) = event.content { isByHost } else { nil }
    }
    #expect(closings == [asker == .sent])
    // Nothing of one that is over.
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 63"))
    #expect(try Analysis(host.file()).measurements.last?.reading.beatsPerMinute == 71)
  }
}

/// The one channel that ATT has on a BR/EDR link, where its opening is not in the capture.
@Suite struct `Earlier channels over BR/EDR` {
  /// As BlueZ numbers it, or each end in its own way.
  private static let numbers: [(here: UInt16, there: UInt16)] = [(0x40, 0x40), (0x43, 0x71)]

  private func notify(_ host: inout HostSide, _ rates: ClosedRange<UInt8>, on channel: UInt16, by server: Direction) {
    for rate in rates {
      host.l2cap(server, channel: channel, hex("1b 19 00 16") + [rate, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
  }

  private func transports(_ events: [Event]) -> [Bool] {
    events.compactMap { if case .transport(let isLowEnergy) = $0.content { isLowEnergy } else { nil } }
  }

  /// Nothing but values: they are told with their frames, and what they are is inferred.
  @Test(arguments: numbers, [Direction.received, .sent])
  func `values alone give it away`(numbers: (here: UInt16, there: UInt16), server: Direction) throws {
    var host = HostSide()
    notify(&host, 58...70, on: server == .received ? numbers.here : numbers.there, by: server)
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [25: 13] && transports(capture.events) == [false])
    #expect(capture.events.compactMap { $0.content.heartRate == nil ? nil : $0.frame } == Array(1...13))
    #expect(capture.events.contains { if case .inferred = $0.content { true } else { false } })
  }

  /// The first values come before it is known what goes over the channel.
  @Test(arguments: numbers) func `requests and what answers them`(numbers: (here: UInt16, there: UInt16)) throws {
    var host = HostSide()
    notify(&host, 60...61, on: numbers.here, by: .received)
    host.l2cap(.sent, channel: numbers.there, hex("10 01 00 ff ff 00 28"))
    host.l2cap(.received, channel: numbers.here, hex("11 06 15 00 1a 00 0d 18"))
    host.l2cap(.sent, channel: numbers.there, hex("08 15 00 1a 00 03 28"))
    host.l2cap(.received, channel: numbers.here, hex("09 07 18 00 10 19 00 37 2a"))
    host.l2cap(.sent, channel: numbers.there, hex("12 1a 00 01 00"))
    host.l2cap(.received, channel: numbers.here, hex("13"))
    notify(&host, 62...63, on: numbers.here, by: .received)
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [25: 4] && transports(capture.events) == [false])
    #expect(capture.events.contains { if case .subscribed = $0.content { true } else { false } })
  }

  /// Whoever reads it once misses no more than it takes to be sure.
  @Test func `a sensor that is known from elsewhere`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(there: 0x41)
    host.l2cap(.sent, channel: 0x41, hex("10 01 00 ff ff 00 28"))
    host.l2cap(.received, channel: 0x40, hex("11 06 15 00 1a 00 0d 18"))
    host.l2cap(.sent, channel: 0x41, hex("08 15 00 1a 00 03 28"))
    host.l2cap(.received, channel: 0x40, hex("09 07 18 00 10 19 00 37 2a"))
    host.disconnected()
    host.connectedClassic()
    // The response that opens it is cut, as in the logs of some phones.
    host.l2cap(.sent, channel: 1, hex("02 01 04 00 1f 00 40 00"))
    host.cutLast(to: 14)
    notify(&host, 60...65, on: 0x40, by: .received)
    #expect(try Analysis(host.file()).measurements.map(\.reading.beatsPerMinute) == [61, 62, 63, 64, 65])
  }

  /// Only what goes over the first connection tells that it is a BR/EDR one; the second tells what its sensor has.
  @Test func `a sensor's own, which is discovered on the next connection`() throws {
    var host = HostSide()
    for second in 0..<11 {
      host.l2cap(.sent, channel: 0x61, [0x1B, 0x10, 0x00] + strap(second))
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 5000)
    host.connectedClassic()
    host.openClassicATT(there: 0x61)
    for (request, response) in [
      ("10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0d 18"), ("08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a"),
      ("12 11 00 01 00", "13"),
    ] {
      host.l2cap(.received, channel: 0x40, hex(request))
      host.l2cap(.sent, channel: 0x61, hex(response))
    }
    for second in 0..<5 {
      host.l2cap(.sent, channel: 0x61, [0x1B, 0x10, 0x00] + strap(second))
      host.wait(milliseconds: 990)
    }
    #expect(try InferredCapture(host).measurements == [16: 16])
  }

  /// A record of the opening is not in the capture, and nothing tells so: what the channel carries does. Or one bit of the
  /// protocol's number is wrong, and nobody has that.
  @Test(arguments: [
    ["03 01 08 00 41 00 40 00 00 00 00 00"], ["02 01 04 00 1f 00 40 00"], [],
    ["02 01 04 00 3f 00 40 00", "03 01 08 00 41 00 40 00 00 00 00 00"],
  ])
  func `one whose opening lacks a record without a word`(commands: [String]) throws {
    var host = HostSide()
    host.connectedClassic()
    for command in commands { host.l2cap(command.hasPrefix("02") ? .sent : .received, channel: 1, hex(command)) }
    host.l2cap(.sent, channel: 0x41, hex("10 01 00 ff ff 00 28"))
    host.l2cap(.received, channel: 0x40, hex("11 06 15 00 1a 00 0d 18"))
    host.l2cap(.sent, channel: 0x41, hex("08 15 00 1a 00 03 28"))
    host.l2cap(.received, channel: 0x40, hex("09 07 18 00 10 19 00 37 2a"))
    notify(&host, 62...70, on: 0x40, by: .received)
    #expect(try InferredCapture(host).measurements == [25: 9])
  }

  /// Enhanced ATT goes over both kinds of links.
  @Test func `enhanced ones whose answer is missing without a word`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.sent, channel: 1, hex("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00"))
    for rate in UInt8(60)..<72 {
      host.l2cap(.received, channel: 0x41, hex("07 00 1b 19 00 16") + [rate] + hex("00 04"))
      host.wait(milliseconds: 990)
    }
    #expect(try InferredCapture(host).measurements == [25: 12])
  }

  /// The opening of another protocol's channel is in the capture: whatever it carries, it is not ATT.
  @Test func `what another protocol was opened for`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.sent, channel: 1, hex("02 01 04 00 17 00 40 00"))
    host.l2cap(.received, channel: 1, hex("03 01 08 00 41 00 40 00 00 00 00 00"))
    notify(&host, 58...70, on: 0x40, by: .received)
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  /// Its end may be among the records that are missing, and so may the opening of the one that has its numbers then. It takes
  /// three values to be sure.
  @Test func `what another protocol was opened for, before records were lost`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.sent, channel: 1, hex("02 01 04 00 17 00 40 00"))
    host.l2cap(.received, channel: 1, hex("03 01 08 00 41 00 40 00 00 00 00 00"))
    let dropped = host.packets.count
    notify(&host, 58...70, on: 0x40, by: .received)
    #expect(try InferredCapture(host.file(dropping: 1, before: dropped)).measurements == [25: 10])
  }

  @Test func `a Low Energy link has none`() throws {
    var host = HostSide()
    host.received(hex("1b 20 00 01"))
    notify(&host, 58...70, on: 0x40, by: .received)
    let capture = try InferredCapture(host)
    #expect(capture.measurements.isEmpty && transports(capture.events) == [true])
  }

  @Test func `nor has one whose making is reported late`() throws {
    var host = HostSide()
    host.l2cap(.received, channel: 0x40, hex("1b 19 00 16 3a 00 04"))
    host.connected()
    notify(&host, 59...70, on: 0x40, by: .received)
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  /// What may be of either protocol is that of the other one.
  @Test(arguments: [
    // RFCOMM's server channel 3: values of constant length, with their check sequence, with a credit, and long.
    ["1b ef 09 16 48 e8 03 9a"], ["1b ff 09 21 16 48 e8 03 9a"], ["1b ef 08 00 16 48 e8 03 9a"],
    // SDP: searches, and answers whose lengths are those of ATT's lists.
    ["> 06 00 01 00 0f 35 03 19 01 00 ff ff 35 05 0a 00 00 ff ff 00", "07 00 01 00 08 00 05 35 03 09 00 01 00"],
    ["> 04 00 01 00 0b 00 01 00 00 ff ff 35 03 09 00 00", "05 00 01 00 08 00 05 35 03 09 00 01 00"],
    // AVDTP, AVRCP, media and HID.
    ["> 10 01", "12 01 04 08 08 08"], ["> 10 11 0e 01 48 00 00 19 58 10 00 00 01 03", "12 11 0e 0f 48 00 00 19 58 10"],
    ["80 60 12 34 00 00 00 00 00 00 00 01 05 9c"], ["a1 30 12 34 00"],
    // Enhanced Retransmission Mode: frames with numbers, and what acknowledges them.
    ["> 04 00 81 00 08", "01 01 a5 5a", "> 06 00 83 00 05 00 cb", "01 02 a5 5b", "> 08 00 cb 00 05 01", "01 03 a5 5c"],
    // K-frames of 27 octets.
    ["1b 00 19 16 48 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03 e8 03"],
    // Questions and answers, a counter in front, values without flags, what no heart has, and what contradicts itself.
    ["> 0a 05 00", "0b 01", "> 12 05 00 01", "13"], ["> 0a 00 00", "0b 01"],
    ["1b 19 00 16 48 e8 03", "1b 19 00 ff 48 e8 03"], ["> 08 01 00 ff ff 03 28", "09 04 05 00 01 02 03 00 01 02"],
    ["1b 19 00 00 48"], ["1b 19 00 16 f0 e8 03"], ["1b 19 00 16 48 e8"],
  ])
  func `what other protocols send is not ATT`(frames: [String]) throws {
    var host = HostSide()
    host.l2cap(.received, channel: 1, hex("0b 01 08 00 02 00 00 00 b8 02 00 00"))
    for _ in 0..<200 {
      for frame in frames {
        let isSent = frame.hasPrefix("> ")
        host.l2cap(isSent ? .sent : .received, channel: 0x41, hex(isSent ? String(frame.dropFirst(2)) : frame))
      }
      host.wait(milliseconds: 900)
    }
    let capture = try InferredCapture(host)
    let told: Set<EventKind> = [.heartRate, .notification, .indication, .read, .write, .service, .malformed, .dialogue]
    #expect(!capture.events.contains { told.contains($0.content.kind) })
  }

  /// One PDU that is none of ATT's is enough.
  @Test func `what is ATT but for one`() throws {
    var host = HostSide()
    notify(&host, 58...60, on: 0x40, by: .received)
    host.l2cap(.received, channel: 0x40, hex("ff 00"))
    notify(&host, 61...70, on: 0x40, by: .received)
    #expect(try InferredCapture(host).measurements.isEmpty)
  }

  /// Music is most of what some phones log, and says nothing of what goes beside it.
  @Test func `beside music`() throws {
    var host = HostSide()
    for rate in UInt8(60)..<72 {
      for count in UInt8(0)..<200 {
        host.l2cap(.sent, channel: 0x41, hex("80 60 12") + [count] + hex("00 00 00 00 00 00 00 01 05 9c"))
      }
      if rate >= 64 { notify(&host, rate...rate, on: 0x42, by: .received) }
    }
    #expect(try InferredCapture(host).measurements == [25: 8])
  }
}
