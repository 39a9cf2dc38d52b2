import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Testing
import TestSupport

/// What goes over ATT bearers, as rules see it; and that they say nothing of what a capture has lost.
@Suite struct `Dialogues` {
  @Test func `are told PDU by PDU, without notifications and commands`() throws {
    var host = Self.healthy
    host.sent(hex("52 13 00 07"))
    host.sent(hex("52 11 00 01 00"))
    let pdus = try Analysis(host.file(), selection: EventSelection(.dialogue)).events.compactMap(\.dialoguePDU)
    #expect(
      pdus.compactMap(\.opcode?.rawValue) == [
        0x02, 0x03, 0x10, 0x11, 0x08, 0x09, 0x04, 0x05, 0x12, 0x13, 0x0A, 0x0B, 0x1D, 0x1E, 0x52,
      ])
    let write = try #require(pdus.first { $0.opcode == .writeRequest })
    #expect(write.direction == .sent && write.bearer == nil && !write.isCut)
    #expect(write.attribute?.handle == 17 && write.attribute?.uuid == .clientCharacteristicConfiguration)
    #expect(write.attribute?.characteristic == .heartRateMeasurement && write.attribute?.properties == .notify)
  }

  @Test func `are not even put together where nobody wants them`() throws {
    let selection = EventSelection(EventKind.allCases.filter { $0 != .dialogue })
    #expect(try Analysis(Self.healthy.file(), selection: selection).events.allSatisfy { $0.dialoguePDU == nil })
  }

  @Test func `say when something was lost`() throws {
    let events = try Analysis(Self.healthy.file(without: 8), selection: EventSelection(.dialogue)).events
    #expect(events.contains { if case .dialogue(.lost) = $0.content { true } else { false } })
  }

  @Test func `of a healthy sensor show no fault`() throws {
    #expect(try Self.findings(in: Self.healthy.file()) == [])
  }

  /// Whichever record is lost, nobody is blamed for it.
  @Test func `with any one record lost show none either`() throws {
    for record in 2...Self.healthy.packets.count {
      let findings = try Self.findings(in: Self.healthy.file(without: record))
      #expect(findings.filter { $0 != "octets-skipped" && $0 != "notification-gap" } == [], "without \(record)")
    }
  }

  /// Of an answer that is missing without a note, the client's going on tells. What it asked last is not that sure.
  @Test func `in which any one answer is missing show none either`() throws {
    let host = Self.unhurried
    let answers = host.packets.indices.filter { host.packets[$0].isResponse }
    #expect(answers.count == 9)
    for answer in answers.dropLast() {
      let summary = try summary(of: host.file(leavingOut: answer))
      let findings = summary.findings
      let faults = findings.filter { $0.severity > .info && $0.rule != "subscription-without-notification" }
      #expect(faults.isEmpty, "without \(answer): \(faults)")
      let missing = findings.filter { $0.rule == "att-timeout" }
      #expect(missing.count == 1 && missing[0].severity == .info && missing[0].frame == answer, "\(findings)")
      // Without the declarations, nobody knows what is written; it is, even if its own answer is missing.
      let isKnown = summary.connections.first?.heartRate?.subscribed != nil
      #expect(isKnown == (answer != answers[2]), "without \(answer)")
    }
  }

  /// Where one answer is missing, another one's request may be, too.
  @Test func `in which an answer and a request are missing show none either`() throws {
    let host = Self.unhurried
    let answers = host.packets.indices.filter { host.packets[$0].isResponse }
    let sure = try summary(of: host.file(leavingOut: answers[6] - 1)).findings.filter { $0.severity > .info }
    #expect(sure.map(\.rule).contains("att-response-mismatch"))
    for request in answers[2...5].map({ $0 - 1 }) {
      let findings = try summary(of: host.file(leavingOut: answers[0], request)).findings
      let faults = findings.filter { $0.severity > .info && $0.rule != "subscription-without-notification" }
      #expect(faults.isEmpty, "without \(request): \(faults)")
      #expect(findings.contains { $0.rule == "att-response-mismatch" && $0.message.contains("lacks answers") })
    }
  }

  @Test func `in which the request is missing that switches notifications on blame nobody for them`() throws {
    let host = Self.healthy
    let write = try #require(host.packets.indices.first { host.packets[$0].isResponse(0x13) }) - 1
    let findings = try summary(of: host.file(leavingOut: write)).findings.filter { $0.severity > .info }
    #expect(!findings.map(\.rule).contains("notification-without-subscription"), "\(findings)")
  }

  @Test(arguments: [(1, "one measurement came"), (2, "2 measurements came within 1 s")])
  func `in which nobody switches notifications on count what comes`(count: Int, words: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.stream(seconds: count) { _ in [0x00, 72] }
    host.disconnected()
    let found = try host.findings(of: "notification-without-subscription")
    #expect(found.map(\.message) == ["\(words), and nobody switched notifications on"])
  }

  @Test func `in which somebody switches them on later count what came before that`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.stream(seconds: 2) { _ in [0x00, 72] }
    let request = host.packets.count + 1
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20) { _ in [0x00, 72] }
    let found = try host.findings(of: "notification-without-subscription")
    #expect(found.map(\.message) == ["2 measurements came within 1 s, before anybody asked for them (#\(request))"])
  }

  @Test(arguments: [(1, ""), (2, ", and once more after that"), (4, ", and 3 times more after that")])
  func `in which an ATT_MTU is asked for again count how often`(count: Int, words: String) throws {
    var host = HostSide()
    host.connected()
    for mtu in [UInt8](repeating: 100, count: count + 1) {
      host.sent([0x02, mtu, 0])
      host.received([0x03, 100, 0])
    }
    let found = try host.findings(of: "mtu-exchanged-twice")
    #expect(
      found.map(\.message) == ["the local host, which has asked for an ATT_MTU of 100, asks once more, for 100\(words)"]
    )
  }

  /// Each answer is to the request that it fits, whichever comes first.
  @Test func `of a client that does not wait are not taken for a server's disorder`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("04 11 00 11 00"))
    host.sent(hex("04 14 00 14 00"))
    host.received(hex("05 01 14 00 02 29"))
    host.received(hex("05 01 11 00 02 29"))
    host.wait(milliseconds: 1000)
    host.disconnected()
    let faults = try host.findings().filter { $0.severity > .info }
    #expect(faults.map(\.rule) == ["att-parallel-requests"], "\(faults)")
  }

  @Test func `cut to any length show none either`() throws {
    for kept in 0...40 {
      var host = Self.healthy
      host.keepOnly(kept)
      let findings = try Self.findings(in: host.file())
      #expect(findings.filter { $0 != "packets-truncated" } == [], "\(kept) octets kept")
    }
  }

  /// Octets in the wrong order ask for nothing: whoever writes them has not subscribed.
  @Test func `with a configuration that asks for nothing subscribe to nothing`() throws {
    for isPrepared in [false, true] {
      var host = HostSide()
      host.connected()
      host.discoverHeartRate()
      if isPrepared {
        host.sent(hex("16 11 00 00 00 00 01"))
        host.received(hex("17 11 00 00 00 00 01"))
        host.sent(hex("18 01"))
        host.received(hex("19"))
      } else {
        host.write(attribute: 17, [0, 1])
      }
      host.wait(milliseconds: 20_000)
      host.disconnected()
      let summary = try summary(of: host.file())
      let faults = summary.findings.filter { $0.severity > .info }
      #expect(Set(faults.map(\.rule)) == ["cccd-invalid", "never-subscribed"], "\(faults)")
      #expect(summary.connections.first?.heartRate?.subscribed == nil)
    }
  }

  /// What follows a time-out on the same bearer is part of it.
  @Test func `that go on after a time-out are told as one`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("0a 13 00"))
    host.wait(milliseconds: 31_000)
    for _ in 0..<20 {
      host.sent(hex("0a 13 00"))
      host.wait(milliseconds: 2000)
    }
    host.disconnected()
    let findings = try host.findings().filter { $0.rule.hasPrefix("att-") }
    #expect(findings.map(\.rule) == ["att-timeout"])
    #expect(findings.first?.message.contains("20 more were sent") ?? false, "\(findings)")
  }

  /// A request goes with its bearer, and whoever waits for the answer does not know; or who waited in vain closes it.
  @Test(arguments: [
    (2000, "went over a bearer that was closed 2 s later (#"), (31_000, "in the 31 s until its bearer was closed"),
    (nil, "has no answer in the 66 s that follow"),
  ])
  func `on a bearer that is closed are told with it`(closedAfter wait: Int?, words: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    host.l2cap(.sent, channel: 0x50, hex("05 00 12 17 00 01 00"))
    host.wait(milliseconds: Int64(wait ?? 35_000))
    host.l2cap(.received, channel: 5, hex("06 02 04 00 40 00 50 00"))
    if wait != nil { host.l2cap(.sent, channel: 5, hex("07 02 04 00 40 00 50 00")) }
    host.wait(milliseconds: 31_000)
    host.disconnected()
    let findings = try host.findings().filter { $0.rule.hasPrefix("att-") }
    #expect(findings.map(\.rule) == ["att-timeout"])
    #expect(findings.first?.message.contains(words) ?? false, "\(findings)")
  }

  /// On a link that is encrypted it is no encryption that is missing.
  @Test(arguments: [false, true]) func `that are refused say what is missing`(isEncrypted: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    if isEncrypted { host.event(0x08, hex("00 40 00 01")) }
    host.sent(hex("12 11 00 01 00"))
    host.received(hex("01 12 11 00 05"))
    host.wait(milliseconds: 5000)
    host.disconnected()
    let finding = try #require(try host.findings(of: "access-refused").first)
    #expect(finding.message.contains("no encryption followed") != isEncrypted)
    #expect(finding.message.contains("although the link is encrypted") == isEncrypted)
  }

  /// A client that asks many things of a sensor, and waits for each answer as long as a link makes it wait.
  private static var unhurried: HostSide {
    let exchanges = [
      ("02 f7 00", "03 f7 00"), ("10 01 00 ff ff 00 28", "11 06 01 00 13 00 0d 18"),
      ("08 01 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a"), ("04 11 00 11 00", "05 01 11 00 02 29"),
      ("04 12 00 13 00", "05 01 12 00 03 28 13 00 38 2a"), ("12 11 00 01 00", "13"), ("0a 13 00", "0b 01"),
      ("0a 13 00", "0b 01"), ("0a 13 00", "0b 01"),
    ]
    var host = HostSide()
    host.connected()
    for (request, answer) in exchanges {
      host.sent(hex(request))
      host.wait(milliseconds: 90)
      host.received(hex(answer))
    }
    host.wait(milliseconds: 40_000)
    host.disconnected()
    return host
  }

  /// All that a client does with a sensor, and half a minute of measurements.
  private static var healthy: HostSide {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 f7 00"))
    host.received(hex("03 f7 00"))
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.sent(hex("0a 13 00"))
    host.received(hex("0b 01"))
    host.received(hex("1d 30 00 01"))
    host.sent(hex("1e"))
    for rate in 0..<30 as Range<UInt8> {
      host.notified([0x16, 70 + rate % 3, 0x50 + rate * 7 % 32, 0x03])
      host.wait(milliseconds: 990)
    }
    host.disconnected()
    return host
  }

  private static func findings(in octets: [UInt8]) throws -> [String] {
    try summary(of: octets).findings.filter { $0.severity > .info }.map(\.rule)
  }
}

extension CapturedPacket {
  /// Whether it is an ATT response on the bearer that each link has.
  fileprivate var isResponse: Bool { octets.count > 8 && octets[6] == 4 && ATTOpcode(rawValue: octets[8]).isResponse }

  fileprivate func isResponse(_ opcode: UInt8) -> Bool { isResponse && octets[8] == opcode }
}

extension HostSide {
  /// A btsnoop file that lacks packets, and does not tell.
  fileprivate func file(leavingOut places: Int...) -> [UInt8] {
    Container.btsnoopH4.file(packets.indices.filter { !places.contains($0) }.map { packets[$0] })
  }

  /// A btsnoop file in which the header of a record is overwritten.
  fileprivate func file(without record: Int) throws -> [UInt8] {
    var octets = file()
    // The record's header takes 24 octets, and the packet's type one.
    let start = try ReadCapture(octets).records.first { $0.number == record }.map { $0.offset - 25 } ?? 0
    for place in start..<start + 8 { octets[place] = 0xFF }
    return octets
  }
}

extension Event {
  fileprivate var dialoguePDU: ATTDialoguePDU? {
    if case .dialogue(.pdu(let pdu)) = content { pdu } else { nil }
  }
}
