import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// ATT beside the fixed channel of Low Energy.
@Suite struct `Bearers` {
  private func bpm(_ host: HostSide) throws -> [UInt16?] {
    try Analysis(host.file()).measurements.map(\.reading.beatsPerMinute)
  }

  /// Core 6.0, Vol 3, Part F, 3.2.11 and Vol 3, Part A, 10.2.
  @Test func `Enhanced ATT: the receiver's channel number and K-frames`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3c"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3d"))
    host.l2cap(.received, channel: 0x41, hex("00 00 3e"))
    // The remote number does not carry what is received, nor the local one what is sent.
    host.l2cap(.received, channel: 0x50, hex("05 00 1b 10 00 00 63"))
    host.l2cap(.sent, channel: 0x40, hex("05 00 1b 10 00 00 63"))
    #expect(try bpm(host) == [60, 61, 62])
    let mtus = try Analysis(host.file()).events.compactMap { event -> MTUEvent? in
      if case .mtu(let event) = event.content { event } else { nil }
    }
    #expect(mtus.map(\.mtu) == [100] && mtus.allSatisfy { $0.isEnhanced })
  }

  private func mtus(_ host: HostSide) throws -> [MTUEvent] {
    try Analysis(host.file()).events.compactMap { if case .mtu(let event) = $0.content { event } else { nil } }
  }

  /// Three channels, local 40 to 42, remote 41, 40 and 52. The host takes 64 octets on each, the peer 200.
  private func enhancedThree(_ host: inout HostSide) {
    host.connected()
    host.l2cap(.sent, channel: 5, hex("17 07 0e 00 27 00 40 00 40 00 0a 00 40 00 41 00 42 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0e 00 c8 00 40 00 0a 00 00 00 41 00 40 00 52 00"))
  }

  /// Core 6.0, Vol 3, Part A, 4.27: the channels that are named can take more, and those between them cannot.
  @Test func `a reconfiguration is of the channels that it names`() throws {
    var host = HostSide()
    enhancedThree(&host)
    host.l2cap(.sent, channel: 5, hex("19 08 08 00 80 00 40 00 40 00 42 00"))
    host.l2cap(.received, channel: 5, hex("1a 08 02 00 00 00"))
    let mtus = try mtus(host)
    let made = try #require(mtus.first?.bearers)
    #expect(made.count == 3 && mtus.map(\.mtu) == [64, 128])
    #expect(mtus.last?.bearers == [made[0], made[2]])
  }

  /// The longest ATT PDU is what both ends take.
  @Test func `a reconfiguration is of the end that asks for it`() throws {
    var host = HostSide()
    enhancedThree(&host)
    // The peer takes more on the last one, and then the host on two of them.
    host.l2cap(.received, channel: 5, hex("19 01 06 00 2c 01 40 00 52 00"))
    host.l2cap(.sent, channel: 5, hex("1a 01 02 00 00 00"))
    host.l2cap(.sent, channel: 5, hex("19 08 08 00 00 01 40 00 41 00 42 00"))
    host.l2cap(.received, channel: 5, hex("1a 08 02 00 00 00"))
    let mtus = try mtus(host)
    let made = try #require(mtus.first?.bearers)
    #expect(mtus.map(\.mtu) == [64, 64, 200, 256])
    #expect(mtus.dropFirst().map(\.bearers) == [[made[2]], [made[1]], [made[2]]])
  }

  /// Core 6.0, Vol 3, Part A, 4.28: what was refused does not hold, and takes nothing of what was granted before.
  @Test func `a reconfiguration that is refused`() throws {
    var host = HostSide()
    enhancedThree(&host)
    host.l2cap(.sent, channel: 5, hex("19 08 08 00 80 00 40 00 40 00 42 00"))
    host.l2cap(.received, channel: 5, hex("1a 08 02 00 00 00"))
    host.l2cap(.sent, channel: 5, hex("19 09 08 00 c0 00 40 00 40 00 41 00"))
    // An answer to something else, then its own.
    host.l2cap(.received, channel: 5, hex("1a 08 02 00 04 00"))
    host.l2cap(.received, channel: 5, hex("1a 09 02 00 04 00"))
    host.l2cap(.received, channel: 5, hex("1a 09 02 00 04 00"))
    let mtus = try mtus(host)
    let made = try #require(mtus.first?.bearers)
    #expect(mtus.map(\.mtu) == [64, 128, 192, 64, 128])
    #expect(mtus.dropFirst(2).map(\.bearers) == [[made[0], made[1]], [made[1]], [made[0]]])
  }

  /// Core 6.0, Vol 3, Part A, 4.1.
  @Test func `a reconfiguration that the peer does not understand`() throws {
    var host = HostSide()
    enhancedThree(&host)
    host.l2cap(.sent, channel: 5, hex("19 08 08 00 80 00 40 00 40 00 42 00"))
    host.l2cap(.received, channel: 5, hex("01 08 02 00 00 00"))
    #expect(try mtus(host).map(\.mtu) == [64, 128, 64])
  }

  /// Core 6.0, Vol 3, Part A, 4.5: an MTU that was refused is not what holds where the next request tells none.
  @Test func `the configuration of a BR-EDR channel that is refused`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(here: 0x41, there: 0x55)
    host.l2cap(.received, channel: 1, hex("04 01 08 00 41 00 00 00 01 02 58 02"))
    host.l2cap(.sent, channel: 1, hex("05 01 06 00 55 00 00 00 00 00"))
    host.l2cap(.sent, channel: 1, hex("04 02 08 00 55 00 00 00 01 02 1e 00"))
    // Pending at first.
    host.l2cap(.received, channel: 1, hex("05 02 06 00 41 00 00 00 04 00"))
    host.l2cap(.received, channel: 1, hex("05 02 0a 00 41 00 00 00 01 00 01 02 30 00"))
    host.l2cap(.sent, channel: 1, hex("04 03 04 00 55 00 00 00"))
    host.l2cap(.received, channel: 1, hex("05 03 06 00 41 00 00 00 00 00"))
    #expect(try mtus(host).map(\.mtu) == [30, 600])
  }

  /// What one end takes is no ATT_MTU.
  @Test func `the reconfiguration of a channel that was opened before the capture`() throws {
    var host = HostSide()
    discoverEnhanced(&host)
    notifyEnhanced(&host, 60...65, channel: 0x41)
    host.l2cap(.sent, channel: 5, hex("19 08 06 00 00 01 40 00 41 00"))
    #expect(try mtus(host).isEmpty)
    host.l2cap(.received, channel: 5, hex("19 01 06 00 80 00 40 00 50 00"))
    #expect(try mtus(host).map(\.mtu) == [128])
  }

  /// A complete service, over channels whose numbers differ at the two ends.
  private func discoverEnhanced(_ host: inout HostSide, sent: UInt16 = 0x50, received: UInt16 = 0x41) {
    host.l2cap(.sent, channel: sent, hex("07 00 10 01 00 ff ff 00 28"))
    host.l2cap(.received, channel: received, hex("08 00 11 06 0e 00 13 00 0d 18"))
    host.l2cap(.sent, channel: sent, hex("07 00 08 0e 00 13 00 03 28"))
    host.l2cap(.received, channel: received, hex("09 00 09 07 0f 00 10 10 00 37 2a"))
  }

  private func notifyEnhanced(_ host: inout HostSide, _ rates: ClosedRange<UInt8>, channel: UInt16) {
    for rate in rates {
      host.l2cap(.received, channel: channel, hex("05 00 1b 10 00 00") + [rate])
      host.wait(milliseconds: 1000)
    }
  }

  @Test func `Enhanced ATT that was opened before the capture gives itself away`() throws {
    var host = HostSide()
    discoverEnhanced(&host)
    notifyEnhanced(&host, 60...61, channel: 0x41)
    // What is split is not looked for, and found all the same.
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10"))
    host.l2cap(.received, channel: 0x41, hex("00 00 3e"))
    #expect(try bpm(host) == [60, 61, 62])
  }

  /// A request may be as short as two octets.
  @Test func `an Execute Write over an earlier channel is one of ATT's PDUs`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.sent, channel: 0x50, hex("02 00 18 00"))
    host.l2cap(.received, channel: 0x41, hex("01 00 19"))
    discoverEnhanced(&host)
    notifyEnhanced(&host, 60...62, channel: 0x41)
    #expect(try bpm(host) == [60, 61, 62])
  }

  /// The first values come before enough is known, and on another channel than the requests.
  @Test(arguments: [true, false], [61, 65] as [UInt8])
  func `what came before an earlier channel was known is told too`(isDiscoveredElsewhere: Bool, last: UInt8) throws {
    var host = HostSide()
    notifyEnhanced(&host, 60...last, channel: 0x40)
    discoverEnhanced(&host, received: isDiscoveredElsewhere ? 0x41 : 0x40)
    notifyEnhanced(&host, last + 1...last + 2, channel: 0x40)
    let rates = try InferredCapture(host).events.compactMap(\.content.heartRate?.reading.beatsPerMinute)
    #expect(rates == Array(60...UInt16(last) + 2))
  }

  /// Whoever follows a connection from its middle, and knows the sensor, misses no more than the first value.
  @Test(arguments: ["05 00 1b 10 00 00", "07 00 23 10 00 02 00 00"])
  func `values of an attribute that is known give an earlier channel away at once`(start: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for rate in UInt8(60)...64 { host.l2cap(.received, channel: 0x41, hex(start) + [rate]) }
    #expect(try bpm(host) == [61, 62, 63, 64])
  }

  /// Requests and answers, counters, data: none of it is ATT, though its frames are of the same kind.
  @Test func `what other protocols send over earlier channels is not ATT`() throws {
    var host = HostSide()
    for count in UInt8(0)..<40 {
      host.l2cap(.sent, channel: 0x40, hex("04 00 02 01 00") + [count])
      host.l2cap(.received, channel: 0x40, hex("04 00 03 01 00") + [count])
      host.l2cap(.received, channel: 0x41, hex("05 00 80 60 00 00") + [count])
      host.l2cap(.received, channel: 0x42, hex("05 00 1b") + [count] + hex("00 00 48"))
      host.l2cap(.received, channel: 0x43, hex("1b 10 00 00 48"))
      host.l2cap(.sent, channel: 0x44, hex("05 00 12 1d 00") + [count, 0])
      host.l2cap(.received, channel: 0x44, count % 4 == 0 ? hex("01 00 14") : hex("01 00 13"))
    }
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(connection.measurements.isEmpty && connection.malformed.isEmpty)
    let kinds: Set<EventKind> = [.notification, .read, .write, .service, .characteristic]
    #expect(!connection.events.contains { kinds.contains($0.content.kind) })
  }

  /// The answer that opens them is cut, as are ACL packets in some phones' logs.
  @Test func `channels whose opening is lost give themselves away too`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.sent, channel: 5, hex("17 07 0a 00 27 00 b9 00 40 00 0a 00 41 00"))
    discoverEnhanced(&host)
    notifyEnhanced(&host, 60...65, channel: 0x41)
    #expect(try bpm(host) == Array(60...65))
  }

  /// What is opened for another protocol is none of ATT's, whatever it looks like; before and after it, the number may be.
  @Test func `a number is ATT's for as long as nothing else has it`() throws {
    var host = HostSide()
    discoverEnhanced(&host)
    notifyEnhanced(&host, 60...65, channel: 0x41)
    host.l2cap(.sent, channel: 5, hex("14 01 0a 00 80 00 41 00 b9 00 40 00 0a 00"))
    host.l2cap(.received, channel: 5, hex("15 01 0a 00 50 00 b9 00 40 00 0a 00 00 00"))
    notifyEnhanced(&host, 66...70, channel: 0x41)
    #expect(try InferredCapture(host).measurements == [16: 6])
  }

  /// Each end numbers channels by itself: one may count up, the other down.
  @Test func `channels whose numbers are crossed`() throws {
    var host = HostSide()
    notifyEnhanced(&host, 60...62, channel: 0x40)
    discoverEnhanced(&host, sent: 0x40, received: 0x41)
    // Over the other: its confirmation comes back over the number that is left.
    host.l2cap(.received, channel: 0x40, hex("07 00 1d 30 00 01 02 03 04"))
    host.l2cap(.sent, channel: 0x41, hex("01 00 1e"))
    notifyEnhanced(&host, 63...64, channel: 0x40)
    #expect(try InferredCapture(host).measurements == [16: 5])
  }

  /// A value of each at a time, over channels in turn.
  @Test func `few values over many channels`() throws {
    var host = HostSide()
    for rate in UInt8(0)..<12 {
      notifyEnhanced(&host, (60 + rate)...(60 + rate), channel: 0x40 + UInt16(rate % 5))
      host.l2cap(.received, channel: 0x40 + UInt16(rate % 5), hex("04 00 1b 20 00 09"))
    }
    discoverEnhanced(&host)
    #expect(try InferredCapture(host).measurements == [16: 12])
  }

  /// Nothing is asked over it; that its values are some is known from another bearer.
  @Test func `two values of a known attribute give their channel away`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 60])
    notifyEnhanced(&host, 61...62, channel: 0x41)
    #expect(try InferredCapture(host).measurements == [16: 3])
  }

  @Test func `each bearer has requests of its own`() throws {
    var host = HostSide()
    host.connected()
    host.openEnhancedBearers()
    host.l2cap(.sent, channel: 0x50, hex("03 00 0a 03 00"))
    host.l2cap(.sent, channel: 0x51, hex("03 00 0a 05 00"))
    host.sent(hex("0a 07 00"))
    host.received(hex("0b 77"))
    host.l2cap(.received, channel: 0x41, hex("02 00 0b 55"))
    host.l2cap(.received, channel: 0x40, hex("02 00 0b 33"))
    let reads = try Analysis(host.file()).events.compactMap { event -> String? in
      if case .read(let value) = event.content { "\(value.handle) \(value.octets.hexadecimal)" } else { nil }
    }
    #expect(reads == ["7 77", "5 55", "3 33"])
  }

  @Test func `a channel that was refused, and one that was closed, carry nothing`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.l2cap(.sent, channel: 5, hex("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 04 00 50 00 00 00"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 63"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3c"))
    host.l2cap(.received, channel: 5, hex("06 08 04 00 40 00 50 00"))
    host.l2cap(.sent, channel: 5, hex("07 08 04 00 40 00 50 00"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 63"))
    #expect(try bpm(host) == [60])
  }

  /// Core 6.0, Vol 3, Part A, 4.26: what is decided follows under the same identifier.
  @Test(arguments: ["0d", "0e", "0f"]) func `a channel that is given after some time`(result: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.l2cap(.sent, channel: 5, hex("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 \(result) 00 00 00 00 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 00 00 50 00 51 00"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3c"))
    #expect(try bpm(host) == [60])
  }

  @Test func `channels of other protocols are left alone`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.l2cap(.sent, channel: 5, hex("14 06 0a 00 25 00 40 00 b9 00 40 00 0a 00"))
    host.l2cap(.received, channel: 5, hex("15 06 0a 00 50 00 b9 00 40 00 0a 00 00 00"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 63"))
    #expect(try bpm(host) == [])
  }

  /// An EATT channel, 40 and 50, whose end is not in the capture: its numbers are another protocol's from then on.
  @Test(arguments: [
    // An older channel of PSM 80, an enhanced one, one of which the request is missing, and the peer's.
    [(true, "14 06 0a 00 80 00 40 00 64 00 40 00 0a 00"), (false, "15 06 0a 00 50 00 64 00 40 00 0a 00 00 00")],
    [(true, "17 08 0a 00 80 00 64 00 40 00 0a 00 40 00"), (false, "18 08 0a 00 64 00 40 00 0a 00 00 00 50 00")],
    [(false, "15 06 0a 00 50 00 64 00 40 00 0a 00 00 00")],
    [(false, "14 06 0a 00 80 00 50 00 64 00 40 00 0a 00"), (true, "15 06 0a 00 40 00 64 00 40 00 0a 00 00 00")],
  ])
  func `a channel's numbers taken over by another protocol`(commands: [(isSent: Bool, octets: String)]) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3c"))
    for command in commands { host.l2cap(command.isSent ? .sent : .received, channel: 5, hex(command.octets)) }
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 63"))
    // The other one goes on.
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3d"))
    #expect(try bpm(host) == [60, 61])
  }

  @Test func `a channel whose number was asked for, and refused, goes on`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    // The source is taken already, says the answer.
    host.l2cap(.sent, channel: 5, hex("14 06 0a 00 80 00 40 00 64 00 40 00 0a 00"))
    host.l2cap(.received, channel: 5, hex("15 06 0a 00 00 00 00 00 00 00 00 00 0a 00"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3c"))
    #expect(try bpm(host) == [60])
  }

  @Test func `a credit-based channel of the older kind`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    // The peer asks: its number is 50, ours 40.
    host.l2cap(.received, channel: 5, hex("14 06 0a 00 27 00 50 00 b9 00 40 00 0a 00"))
    host.l2cap(.sent, channel: 5, hex("15 06 0a 00 40 00 b9 00 40 00 0a 00 00 00"))
    host.l2cap(.received, channel: 0x40, hex("05 00 1b 10 00 00 3c"))
    #expect(try bpm(host) == [60])
  }

  /// Core 6.0, Vol 3, Part A, 4.2 and Part F, 3.2.11.
  @Test(arguments: [false, true])
  func `BR/EDR: a channel on PSM 001F`(isPending: Bool) throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.sent, channel: 1, hex("02 01 04 00 1f 00 40 00"))
    if isPending { host.l2cap(.received, channel: 1, hex("03 01 08 00 00 00 40 00 01 00 00 00")) }
    host.l2cap(.received, channel: 1, hex("03 01 08 00 50 00 40 00 00 00 00 00"))
    host.l2cap(.sent, channel: 1, hex("04 02 08 00 50 00 00 00 01 02 b9 00"))
    host.l2cap(.received, channel: 1, hex("04 03 08 00 40 00 00 00 01 02 a0 00"))
    host.l2cap(.sent, channel: 0x50, hex("10 01 00 ff ff 00 28"))
    host.l2cap(.received, channel: 0x40, hex("11 06 0e 00 13 00 0d 18"))
    host.l2cap(.sent, channel: 0x50, hex("08 0e 00 13 00 03 28"))
    host.l2cap(.received, channel: 0x40, hex("09 07 0f 00 10 10 00 37 2a"))
    host.l2cap(.received, channel: 0x40, hex("1b 10 00 00 3c"), split: [6])
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [60])
    #expect(connection.connected?.isLowEnergy == false && connection.mtu == 160)
  }

  /// A request that speaks of something else leaves the MTU as it was.
  @Test func `BR/EDR: a channel that is configured again`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(there: 0x50)
    host.l2cap(.sent, channel: 1, hex("04 02 08 00 50 00 00 00 01 02 b9 00"))
    host.l2cap(.received, channel: 1, hex("04 03 04 00 40 00 00 00"))
    host.l2cap(.sent, channel: 1, hex("04 04 08 00 50 00 00 00 02 02 ff ff"))
    #expect(try mtus(host).map(\.mtu) == [185, 185])
  }

  @Test func `the peer asks for other parameters, and is answered`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, hex("12 05 08 00 fa 00 90 01 04 00 58 02"))
    host.l2cap(.sent, channel: 5, hex("13 05 02 00 00 00"))
    host.leEvent(0x03, hex("00 40 00 90 01 04 00 58 02"))
    host.l2cap(.received, channel: 5, hex("12 06 08 00 06 00 06 00 00 00 0a 00"))
    host.l2cap(.sent, channel: 5, hex("01 06 02 00 00 00"))
    let events = try Analysis(host.file()).events
    let requests = events.compactMap { event -> ParameterRequestEvent? in
      if case .parameterRequest(let event) = event.content { event } else { nil }
    }
    #expect(requests.map(\.step) == [.asked, .accepted, .asked, .refused])
    #expect(requests.allSatisfy { $0.isFromPeer })
    #expect(requests.map { $0.request?.intervalMaximum } == [400, 400, 6, 6])
    let parameters = events.compactMap { event -> ParametersEvent? in
      if case .parameters(let event) = event.content { event } else { nil }
    }
    #expect(parameters.map(\.parameters.interval) == [400])
  }

  @Test func `malformed PDUs are told with what set their end`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.received(hex("1b 10"))
    host.received([])
    host.l2cap(.received, channel: 5, hex("12 05 08 00 fa 00"))
    host.notified([0, 60])
    let connection = try #require(try Analysis(host.file()).connections.first)
    let messages = connection.malformed.map { event -> String in
      if case .field(let error) = event.problem { error.description } else { "pieces" }
    }
    #expect(
      messages == [
        "Attribute Handle needs 2 octets, 1 left, as the L2CAP length says",
        "Opcode needs 1 octet, none left, as the L2CAP length says",
        "Data needs 8 octets, 2 left, as the L2CAP length says",
      ])
    #expect(connection.measurements.map(\.reading.beatsPerMinute) == [60])
  }
}

@Suite struct `Advertising` {
  private func events(_ build: (inout HostSide) -> Void) throws -> [AdvertisementEvent] {
    var host = HostSide()
    build(&host)
    return try Analysis(host.file()).events.compactMap {
      if case .advertising(let event) = $0.content { event } else { nil }
    }
  }

  private func report(_ data: String, rssi: UInt8 = 0xC4) -> [UInt8] { report(hex(data), rssi: rssi) }

  private func report(_ data: [UInt8], rssi: UInt8 = 0xC4) -> [UInt8] {
    hex("01 00 01 01 11 22 33 44 c5") + [UInt8(data.count)] + data + [rssi]
  }

  @Test func `a heart rate sensor is told when it appears and when it changes`() throws {
    let events = try events {
      $0.leEvent(0x02, report("02 01 06 03 03 0d 18"))
      $0.leEvent(0x02, report("02 01 06 03 03 0d 18", rssi: 0xC5))
      $0.leEvent(0x02, report("05 09 54 49 43 4b"))
      $0.leEvent(0x02, report("05 ff 6b 00 01 02 03 03 0d 18"))
    }
    #expect(events.map(\.name) == [nil, "TICK", "TICK"])
    #expect(events.map(\.company) == [nil, nil, 0x006B])
    #expect(events.allSatisfy { $0.services == [.heartRateService] })
    #expect(events.allSatisfy { "\($0.address)" == "C5:44:33:22:11:01" && $0.rssi == -60 })
  }

  @Test func `others are not told, but known by name when they are connected to`() throws {
    var host = HostSide()
    host.leEvent(0x02, report("05 09 54 49 43 4b"))
    host.connected()
    let analysis = try Analysis(host.file())
    #expect(analysis.events.allSatisfy { $0.content.kind != .advertising })
    #expect(analysis.connections.first?.connected?.peer.name == "TICK")
  }

  /// Where addresses were taken out of a capture, a name may be anyone's.
  @Test func `a name without an address is not the peer's`() throws {
    var host = HostSide()
    host.leEvent(0x02, hex("01 00 01 00 00 00 00 00 00 06 05 09 54 49 43 4b c4"))
    host.leEvent(0x01, hex("00 40 00 00 01 00 00 00 00 00 00 18 00 00 00 48 00 00"))
    #expect(try Analysis(host.file()).connections.first?.connected?.peer.name == nil)
  }

  @Test(
    arguments: [
      // Of these, the response has room for 19 octets.
      ("Sensor With A Long Name", "Sensor With A Long ", "Sensor With A Long Name"),
      ("Sensor With A Long Name", "Sensor With A", "Sensor With A"),
      ("Sensor With A Long Name", "Another With A Name", "Another With A Name"),
      ("Sensor With A Long ", "Sensor With A Long ", "Sensor With A Long "),
      ("Sensor", "Sensor With A Long ", "Sensor With A Long "),
      ("Sensor", "", "Sensor"), ("Sensor", "\0\0", "Sensor"), ("Sensor", " \0 ", "Sensor"), ("", " ", nil),
    ] as [(String, String, String?)])
  func `a name that is read counts, unless it is the beginning of the one advertised`(
    advertised: String, read: String, name: String?
  ) throws {
    var host = HostSide()
    host.leEvent(0x02, report([UInt8(advertised.utf8.count + 1), 0x09] + advertised.utf8))
    host.connected()
    host.discoverHeartRate()
    host.sent([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x2A])
    host.received([0x09, UInt8(read.utf8.count + 2), 0x03, 0x00] + read.utf8)
    #expect(try summary(of: host.file()).connections.first?.peer.name == name)
  }

  @Test func `names of nothing but blanks`() throws {
    let events = try events {
      $0.leEvent(0x02, report("03 03 0d 18 03 09 20 00"))
      $0.leEvent(0x02, report("03 08 54 49"))
      $0.leEvent(0x02, report("05 09 54 49 43 4b"))
      $0.leEvent(0x02, report("01 09"))
      $0.leEvent(0x02, report("03 09 00 00"))
    }
    #expect(events.map(\.name) == [nil, "TI", "TICK"])
  }

  /// What a device is, and is called, by its last word, it was on earlier connections, too, unless it said otherwise there;
  /// its battery was not as full.
  @Test func `what is read on a later connection`() throws {
    var host = HostSide()
    let values: [[(UInt8, String)]] = [[], [(0x00, "Strap"), (0x29, "Acme"), (0x26, "1"), (0x19, "Z")], [(0x26, "2")]]
    host.leEvent(0x02, report([0x03, 0x08] + "St".utf8))
    for told in values {
      host.connected()
      host.discoverHeartRate()
      for (type, value) in told {
        host.sent([0x08, 0x01, 0x00, 0xFF, 0xFF, type, 0x2A])
        host.received([0x09, UInt8(value.utf8.count + 2), type + 0x40, 0x00] + value.utf8)
      }
      host.disconnected()
    }
    let peers = try summary(of: host.file()).connections.map(\.peer)
    #expect(peers.map(\.name) == ["Strap", "Strap", "Strap"])
    #expect(peers.map(\.manufacturer) == ["Acme", "Acme", "Acme"])
    #expect(peers.map(\.firmware) == ["2", "1", "2"])
    #expect(peers.map(\.battery) == [nil, 90, 90])
  }

  @Test func `names filled up with zeros, shortened names`() throws {
    let events = try events {
      $0.leEvent(0x02, report("03 03 0d 18 04 08 54 49 00"))
      $0.leEvent(0x02, report("07 09 54 49 43 4b 00 00"))
      $0.leEvent(0x02, report("04 08 41 42 43"))
    }
    #expect(events.map(\.name) == ["TI", "TICK"])
  }

  @Test func `extended reports`() throws {
    let events = try events {
      $0.leEvent(
        0x0D,
        hex("01 13 00 01 01 11 22 33 44 c5 01 00 ff 7f c4 00 00 00 00 00 00 00 00 00 04 03 03 0d 18"))
    }
    #expect(events.map(\.rssi) == [-60] && events[0].services.contains(.heartRateService))
  }

  @Test func `many passers-by`() throws {
    var host = HostSide()
    for index in 0..<5000 as Range<UInt16> {
      host.leEvent(
        0x02, hex("01 00 01") + index.little + hex("22 33 44 c5 07 03 03 0d 18 02 01 06 c4"))
    }
    #expect(try Analysis(host.file()).events.count { $0.content.kind == .advertising } == 5000)
  }
}
