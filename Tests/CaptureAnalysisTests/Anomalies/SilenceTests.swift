import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// A silence is told with what else happened in it, and with what brought it about, which is not the same.
@Suite struct `Silences` {
  /// A sensor of every second, half a minute of it on either side of a silence of twelve seconds.
  private func findings(
    endsIn reason: UInt8? = nil, _ events: [(after: Int64, what: (inout HostSide) -> Void)]
  ) throws -> [Finding] {
    var host = HostSide()
    host.subscribe()
    func measure() {
      for second in 0..<30 {
        host.notified([0, 60 + UInt8(second % 3)])
        host.wait(milliseconds: 1000)
      }
    }
    measure()
    let begin = host.time - 1_000_000
    for event in events {
      host.time = begin + event.after * 1000
      event.what(&host)
    }
    host.time = begin + 12_000_000
    if let reason { host.disconnected(reason: reason) } else { measure() }
    return try host.findings()
  }

  /// What else the radio did, whatever connection that was for.
  @Test(
    arguments: [
      ((0x200C, "01 00"), nil, "the host began to scan"),
      ((0x2042, "01 00 00 00 00 00"), nil, "the host began to scan"),
      ((0x200C, "00 00"), nil, nil),
      (
        nil, (0x2C, "00 0b 00 66 55 44 33 22 11 02 0c 06 3c 00 3c 00 02"), "a channel for voice was opened, over BR/EDR"
      ),
      (nil, (0x2C, "0d 0b 00 66 55 44 33 22 11 02 0c 06 3c 00 3c 00 02"), nil),
    ] as [((UInt16, String)?, (UInt8, String)?, String?)])
  func `are told with what else the radio did`(
    command: (UInt16, String)?, event: (UInt8, String)?, words: String?
  ) throws {
    let found = try findings([
      (
        3000,
        { host in
          if let (opcode, parameters) = command { host.command(opcode, hex(parameters)) }
          if let (code, parameters) = event { host.event(code, hex(parameters)) }
        }
      )
    ])
    let message = try gap(found).message
    let rest = words.map { "; meanwhile \($0) (#" } ?? ""
    #expect(
      message.hasPrefix("12 s without a measurement, usually 1 s" + rest) && (words != nil || !message.contains(";")))
  }

  /// What changes how measurements come holds on, though it happens right behind one.
  @Test func `are told with a PHY that changed just before`() throws {
    let found = try findings([(50, { $0.leEvent(0x0C, hex("00 40 00 02 02")) })])
    #expect(try gap(found).message.contains("; meanwhile the PHY changed (#"))
  }

  /// A few measurements do not tell how far apart they usually lie.
  @Test(
    arguments: [(1, 59, nil), (1, 61, "after 1 measurement"), (4, 19, nil), (4, 21, "after 4 measurements")]
      as [(Int, Int64, String?)])
  func `behind a few measurements are told where they are long`(count: Int, silence: Int64, words: String?) throws {
    var host = HostSide()
    host.subscribe()
    for place in 0..<count {
      if place > 0 { host.wait(milliseconds: 1000) }
      host.notified([0, 72 + UInt8(place)])
    }
    host.wait(milliseconds: silence * 1000)
    host.disconnected(reason: 0x16)
    let found = try host.findings(of: "notification-gap")
    let message = words.map {
      "the measurements stop for good: none came in the \(silence) s until the host ended the connection, \($0)"
    }
    #expect(found.map(\.message) == [message].compactMap(\.self))
  }

  private func gap(_ findings: [Finding]) throws -> Finding {
    try #require(findings.first { $0.rule == "notification-gap" })
  }

  /// Until the host hangs up, and, where nothing is known of an end, until the capture ends.
  @Test(arguments: [(0x16, "the host ended the connection"), (nil, "the capture ends")] as [(UInt8?, String)])
  func `that nothing ends are told as measurements that stopped for good`(reason: UInt8?, end: String) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 {
      host.notified([0, 60 + UInt8(second % 3)])
      if second < 29 { host.wait(milliseconds: 1000) }
    }
    let last = host.packets.count
    host.wait(milliseconds: 40_000)
    host.sent(hex("0a 13 00"))
    host.received(hex("0b 01"))
    host.wait(milliseconds: 20_000)
    if let reason { host.disconnected(reason: reason) } else { host.event(0x0E, hex("01 14 0c 00")) }
    let gap = try gap(host.findings())
    #expect(gap.frame == last)
    #expect(
      gap.message == "the measurements stop for good: none came in the 60 s until \(end), usually 1 s; meanwhile a "
        + "value was read (#\(last + 2))")
  }

  /// In a capture that began too late for the discovery: a minute of measurements, and what happens then.
  private func hasGap(_ then: (inout HostSide) -> Void) throws -> Bool {
    var host = HostSide()
    Self.measure(&host)
    then(&host)
    host.disconnected(reason: 0x16)
    let summary = try summary(of: host.file(), knowing: InferredCapture(host).knowledge)
    return summary.findings.contains { $0.rule == "notification-gap" }
  }

  private static func measure(_ host: inout HostSide) {
    for second in 0..<40 {
      if second > 0 { host.wait(milliseconds: 1000) }
      let rate = 60 + (second / 3) % 4
      host.notified([0x16, UInt8(rate)] + UInt16(61_440 / rate + second % 5).little)
    }
  }

  /// A write to a handle, and so many milliseconds after the last value.
  @Test(
    arguments: [(17, 100, false), (17, 20_000, true), (18, 100, false), (15, 100, true)] as [(UInt16, Int64, Bool)])
  func `are none where a write seems to have switched measurements off`(
    handle: UInt16, after: Int64, isFound: Bool
  ) throws {
    let hasGap = try hasGap { host in
      host.wait(milliseconds: after)
      host.write(attribute: handle, [0, 0])
      host.wait(milliseconds: 30_000)
    }
    #expect(hasGap == isFound)
  }

  /// In a log that keeps so little that the measurement's type is not known, and a description stands before its
  /// configuration.
  @Test func `are none where the configuration of an inferred measurement switched them off`() throws {
    var host = HostSide()
    host.keptACLOctets = 14
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.sent(hex("04 11 00 12 00"))
    host.received(hex("05 01 11 00 01 29 12 00 02 29"))
    Self.switchOffAndOn(through: 18, &host)
    try expectOffTime(through: 18, in: summary(of: host.file(), knowing: InferredCapture(host).knowledge))
  }

  /// As a table from elsewhere tells it, which does not tell whether something else is between.
  @Test func `are none where a configuration far behind the value switched them off`() throws {
    var table = GATTDatabase()
    table.insertService(14...24, uuid: .heartRateService, isPrimary: true)
    table.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    table.insertAttribute(20, uuid: .clientCharacteristicConfiguration)
    let address = DeviceAddress(0xC544_3322_1101, .random)
    let known = CaptureKnowledge.PeerDatabase(address: address, database: table, origin: .otherConnection)
    var host = HostSide()
    host.connected()
    Self.switchOffAndOn(through: 20, &host)
    try expectOffTime(through: 20, in: summary(of: host.file(), knowing: CaptureKnowledge(databases: [known])))
  }

  private static func switchOffAndOn(through configuration: UInt16, _ host: inout HostSide) {
    host.write(attribute: configuration, [1, 0])
    measure(&host)
    host.write(attribute: configuration, [0, 0])
    host.wait(milliseconds: 8000)
    host.write(attribute: configuration, [1, 0])
    measure(&host)
  }

  private func expectOffTime(through configuration: UInt16, in summary: CaptureSummary) throws {
    #expect(!summary.findings.contains { $0.rule == "notification-gap" })
    let session = try #require(summary.connections.first?.heartRate)
    #expect(session.subscribed != nil && session.configurationHandle == configuration)
    #expect(session.switchedOff?.count == 1 && session.statistics.gaps == 0)
  }

  /// Handles behind the value that are written 0 as measurements stop, and one that is written 1, or none, before they come
  /// back.
  @Test(
    arguments: [([19], 19, false), ([30, 19], 19, false), ([19], 30, true), ([19], nil, true), ([17], nil, false)]
      as [([UInt16], UInt16?, Bool)])
  func `are none where writes seem to have switched measurements off and on`(
    off: [UInt16], on: UInt16?, isFound: Bool
  ) throws {
    let hasGap = try hasGap { host in
      host.wait(milliseconds: 100)
      for handle in off { host.write(attribute: handle, [0, 0]) }
      host.wait(milliseconds: 30_000)
      if let on { host.write(attribute: on, [1, 0]) }
      Self.measure(&host)
    }
    #expect(hasGap == isFound)
  }

  /// Each twice, after one second to two and a half, where the connection's interval is known and where it is not; and with
  /// ten seconds in the middle.
  @Test(arguments: [(true, 0), (false, 0), (true, 10_000)] as [(Bool, Int64)])
  func `are not what lies between measurements that are sent twice`(isMade: Bool, milliseconds: Int64) throws {
    var host = HostSide()
    if isMade { host.connected() }
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for place in 0..<60 {
      for _ in 0..<2 { host.notified([0, UInt8(60 + place / 3)]) }
      host.wait(milliseconds: [1000, 2400, 1100, 1700, 2200, 1300, 2300][place % 7])
      if place == 30 { host.wait(milliseconds: milliseconds) }
    }
    let found = try host.rules()
    let expected = ["notification-repeated"] + (milliseconds > 0 ? ["notification-gap"] : [])
    #expect(found.filter(["notification-repeated", "notification-gap", "notification-burst"].contains) == expected)
  }

  /// At 75 beats a minute, most measurements of each second hold one beat, and others two.
  @Test func `are told with as many as were due, of a strap that sends more beats than measurements`() throws {
    var host = HostSide()
    host.connected()
    host.leEvent(3, hex("00 40 00 40 06 00 00 58 02"))
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    func measure(_ counts: [Int]) {
      for count in counts { host.notified([0x10, 75] + Array(repeating: [0x33, 0x03], count: count).joined()) }
      host.time += 2_000_000 - Int64(counts.count) * 10_000
    }
    for place in 0..<20 { measure(place % 2 == 0 ? [1, 2] : [1, 1]) }
    host.time += 2_000_000
    measure([1, 1, 1])
    for place in 0..<20 { measure(place % 2 == 0 ? [1, 2] : [1, 1]) }
    let bursts = try host.findings(of: "notification-burst")
    let message =
      "3 measurements at once after 4 s of silence, where 4 were due: held back on the air, and one may be lost"
    #expect(bursts.map(\.message) == [message])
  }

  /// The bursts of a sensor of every second.
  /// - Parameters:
  ///   - silence: From the last measurement before the silence to the first of those at once behind it.
  ///   - next: From there to the one behind those.
  ///   - back: How far the clock goes back between those, in microseconds.
  private func bursts(
    of count: Int, after silence: Double, next: Double, withLongTimeout isLong: Bool = true, back: Int64? = nil,
    _ value: (Int) -> [UInt8] = { [0, 60 + UInt8($0 % 3)] }
  ) throws -> [String] {
    var host = HostSide()
    host.subscribe()
    // A timeout of 32 s, or of 720 ms.
    host.event(0x3E, hex(isLong ? "03 00 40 00 18 00 03 00 80 0c" : "03 00 40 00 18 00 03 00 48 00"))
    var last = host.time
    for place in 0..<60 {
      last = host.time
      host.notified(value(place))
      host.wait(milliseconds: 990)
    }
    host.time = last + Int64(silence * 1_000_000)
    for place in 0..<count {
      let time = host.time
      host.notified(value(place))
      if let back { host.time = time - back }
    }
    host.time = last + Int64(next * 1_000_000)
    for place in 0..<20 {
      host.notified(value(place + 1))
      host.wait(milliseconds: 990)
    }
    return try host.findings(of: "notification-burst").map(\.message)
  }

  /// A clock that goes back a little takes no step: what it tells came at once.
  @Test(arguments: [1, 900, 5000] as [Int64]) func `end with a clock that jitters as with one that does not`(
    back: Int64
  ) throws {
    let bursts = try bursts(of: 6, after: 6, next: 7, back: back)
    #expect(
      bursts.count == 1 && bursts[0].hasPrefix("6 measurements at once after 6 s of silence, as many as were due"))
  }

  /// At any rate the sensor leaves out the other beats: as many are due as it sends measurements.
  @Test(arguments: [512, 700, 853, 946] as [UInt16])
  func `are told with as many as were due, of a sensor that sends one beat with each`(interval: UInt16) throws {
    let bursts = try bursts(of: 30, after: 30, next: 31) { place in
      let interval = interval + UInt16(place % 3)
      return [0x10, UInt8(61_440 / UInt32(interval))] + interval.little
    }
    #expect(bursts == ["30 measurements at once after 30 s of silence, as many as were due: held back on the air"])
  }

  /// A link of which nothing is heard ends with its supervision timeout: what was silent for longer was not held back on it.
  @Test(arguments: [(32.0, true), (3, false)] as [(Double, Bool)])
  func `that outlast the supervision timeout are not blamed on the air`(silence: Double, isLong: Bool) throws {
    let bursts = try bursts(of: Int(silence), after: silence, next: silence + 1, withLongTimeout: isLong)
    let timeout = isLong ? "32 s" : "720 ms"
    #expect(
      bursts.first?.hasSuffix("held back, but not on the air (the link outlived its timeout, \(timeout))")
        == !isLong, "\(bursts)")
    #expect(bursts.count == 1)
  }

  /// In a capture that begins amid the connection, nothing tells whether the link could have lived through it.
  @Test func `are not blamed on anything where the supervision timeout is not known`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    for second in 0..<80 as Range<UInt8> {
      if second == 60 { host.wait(milliseconds: 7000) }
      host.notified([0, 60 + second % 3])
      if !(60..<66).contains(second) { host.wait(milliseconds: 990) }
    }
    let bursts = try host.findings(of: "notification-burst")
    let message = try #require(bursts.first).message
    #expect(bursts.count == 1 && message.contains(": held back") && !message.contains("on the air"), "\(message)")
  }

  /// A phone that plays music shares its radio.
  @Test(arguments: [true, false]) func `tell of a connection that was made meanwhile`(isInSilence: Bool) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<60 {
      if second == (isInSilence ? 40 : 20) {
        host.wait(milliseconds: 3000)
        host.connectedClassic(0x41, peer: 2)
      }
      if second == 40 { host.wait(milliseconds: 6000) }
      host.notified([0, 60 + UInt8(second % 3)])
      host.wait(milliseconds: 990)
    }
    let gap = try host.findings(of: "notification-gap").last
    let told = try #require(gap).message.contains("meanwhile connection 2 was made, over BR/EDR")
    #expect(told == isInSilence)
  }

  /// The one that comes next tells whether one more was due: what is a whole second before it is missing.
  @Test(
    arguments: [
      (2, 3, 4, "where 3 were due: held back on the air, and one may be lost"),
      (3, 4, 5, "where 4 were due: held back on the air, and one may be lost"),
      (4, 5, 6, "where 5 were due: held back on the air, and one may be lost"),
      (8, 10, 11, "where 10 were due: held back on the air, and 2 may be lost"),
      (3, 3, 4, "as many as were due: held back on the air"), (2, 2.6, 3, "as many as were due: held back on the air"),
      (2, 2.97, 3.04, "as many as were due: held back on the air"), (10, 30, 31, "where 30 were due: some are lost"),
    ] as [(Int, Double, Double, String)])
  func `are told with how many may be lost`(count: Int, silence: Double, next: Double, words: String) throws {
    let bursts = try bursts(of: count, after: silence, next: next)
    #expect(bursts.count == 1 && bursts.allSatisfy { $0.hasSuffix(" of silence, \(words)") }, "\(bursts)")
  }

  private static let refusal: @Sendable (inout HostSide) -> Void = {
    $0.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    $0.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
  }

  @Test func `of which nothing else is known say no more`() throws {
    #expect(try gap(findings([])).message == "12 s without a measurement, usually 1 s")
  }

  @Test func `tell what else there was, once and in order`() throws {
    let read: (inout HostSide) -> Void = {
      $0.sent(hex("0a 13 00"))
      $0.received(hex("0b 01"))
    }
    let parameters: (inout HostSide) -> Void = { $0.leEvent(3, hex("00 40 00 90 01 00 00 58 02")) }
    let message = try gap(findings([(3000, parameters), (5000, read), (6000, read), (8000, Self.refusal)])).message
    #expect(
      message == "12 s without a measurement, usually 1 s; meanwhile the parameters became interval 500 ms, latency 0, "
        + "timeout 6 s (#40), a value was read (#42), other parameters were asked for (#45)")
  }

  /// A configuration that is written anew while it is on changes nothing, however often an app does so.
  @Test(arguments: [nil, 0x16] as [UInt8?])
  func `in which notifications are switched on once more stay silences`(reason: UInt8?) throws {
    let renew: (inout HostSide) -> Void = {
      $0.sent(hex("12 11 00 01 00"))
      $0.received(hex("13"))
    }
    let findings = try findings(endsIn: reason, [(3000, renew), (8000, renew)])
    let told = reason == nil ? "12 s without a measurement" : "the measurements stop for good"
    let gap = try gap(findings)
    #expect(gap.message.hasPrefix(told) && gap.message.hasSuffix("; meanwhile the host subscribed (#41)"))
    #expect(!findings.contains { $0.rule == "subscription-without-notification" })
  }

  /// What the sensor does then is its own matter: it is said, and no gap.
  @Test func `until the sensor hangs up are told with that`() throws {
    let findings = try findings(endsIn: 0x13, [])
    #expect(!findings.contains { $0.rule == "notification-gap" })
    let end = try #require(findings.first { $0.rule == "sensor-hung-up" })
    #expect(end.message.hasSuffix(", 12 s after its last measurement"))
  }

  /// What it told last of all.
  @Test func `and that it has lost contact only then`() throws {
    var host = HostSide()
    host.subscribe()
    for value in Array(repeating: [0x06, 60], count: 20) + [[0x04, 60]] as [[UInt8]] {
      host.wait(milliseconds: 980)
      host.notified(value)
    }
    host.disconnected()
    let end = try #require(try host.findings(of: "sensor-hung-up").first)
    #expect(end.message.hasSuffix("; it had just told that it has no contact"))
  }

  /// A broken value tells nothing of contact.
  @Test(arguments: [30, 59]) func `and that it lost contact around a broken value`(before: Int) throws {
    var host = HostSide()
    host.subscribe()
    let without = Array(repeating: [0x04, 60] as [UInt8], count: 60)
    let contact = Array(repeating: [0x06, 60] as [UInt8], count: 20)
    for value in contact + without.prefix(before) + [[]] + without.dropFirst(before) + contact {
      host.wait(milliseconds: 990)
      host.notified(value)
    }
    let lost = try host.findings(of: "contact-lost")
    #expect(lost.map(\.message) == ["contact lost for 61 s (60 measurements)"])
  }

  /// Contact was lost, and was back so many seconds before.
  @Test(arguments: [(3, true), (30, false)])
  func `are not explained by what was long over`(before: Int, isCause: Bool) throws {
    var host = HostSide()
    host.subscribe()
    for value in Array(repeating: [0x06, 60], count: 20) + Array(repeating: [0x04, 60], count: 4)
      + Array(repeating: [0x06, 60], count: before) as [[UInt8]]
    {
      host.notified(value)
      host.wait(milliseconds: 1000)
    }
    host.wait(milliseconds: 12_000)
    host.notified([0x06, 60])
    let findings = try host.findings()
    #expect(try gap(findings).causes.map { findings[$0].rule } == (isCause ? ["contact-lost"] : []))
    let lost = try #require(findings.first { $0.rule == "contact-lost" })
    #expect(lost.message == "contact lost for 4 s (4 measurements)")
  }

  /// Who is refused falls silent, but not before.
  @Test(arguments: [(500, true), (3000, true), (10_000, false)] as [(Int64, Bool)])
  func `are explained by what came before or at their beginning`(after: Int64, isCause: Bool) throws {
    let findings = try findings([(after, Self.refusal)])
    let causes = try gap(findings).causes.map { findings[$0].rule }
    #expect(causes == (isCause ? ["parameter-update-rejected"] : []))
  }

  /// On a BR/EDR link nothing is due once the one channel is closed; a silence before it is told until then.
  @Test(arguments: [(0, Direction.sent, nil), (8, .sent, "8.1 s"), (8, .received, nil)])
  func `a channel over BR/EDR that is closed long before its link ends`(
    silence: Int64, asker: Direction, length: String?
  ) throws {
    var host = HostSide()
    host.connectedClassic()
    func open() {
      host.openClassicATT(there: 0x41)
    }
    func measure() {
      for second in 0..<30 {
        host.wait(milliseconds: 990)
        host.l2cap(.received, channel: 0x40, hex("1b 10 00 06") + [60 + UInt8(second % 3)])
      }
    }
    open()
    host.l2cap(.sent, channel: 0x41, hex("08 01 00 ff ff 03 28"))
    host.l2cap(.received, channel: 0x40, hex("09 07 0f 00 10 10 00 37 2a"))
    measure()
    host.wait(milliseconds: 50 + silence * 1000)
    let ends = hex(asker == .sent ? "04 00 41 00 40 00" : "04 00 40 00 41 00")
    host.l2cap(asker, channel: 1, [0x06, 0x02] + ends)
    host.l2cap(asker.opposite, channel: 1, [0x07, 0x02] + ends)
    host.wait(milliseconds: 60_000)
    open()
    measure()
    host.disconnected(reason: 0x16)
    let gaps = try host.findings(of: "notification-gap")
    #expect(
      gaps.map(\.message)
        == (length.map { ["\($0) without a measurement until the host closed their channel, usually 1 s"] } ?? []))
  }
}
