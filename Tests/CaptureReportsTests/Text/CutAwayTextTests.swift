import CaptureFiles
import TestSupport
import Testing

/// Measurements of which the capture keeps little more than that they came.
@Suite struct `Measurements that are cut away` {
  /// What is said of a connection whose packets are cut, of a sensor that is known from another one.
  private func text(keeping octets: Int) throws -> Substring {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.disconnected(reason: 0x16)
    host.connected()
    host.keptACLOctets = octets
    host.write(attribute: 17, [1, 0])
    for _ in 0..<20 {
      host.notified([0x16, 60, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    let text = Reporting.analysis([try Reporting.summary("cut", host.file())], width: 120)
    return try #require(text.ranges(of: "Connection 2").last.map { text[$0.lowerBound...] })
  }

  @Test(arguments: [11, 12])
  func `are not said to lack anything`(octets: Int) throws {
    let text = try text(keeping: octets)
    #expect(text.contains("20 measurements, their rates cut away by the capture"))
    #expect(text.contains("– Nothing unusual; the capture kept no heart rates."))
    #expect(!text.contains("none sent"))
    #expect(!text.contains("contact not supported"))
    // The first octet of what is written tells that it subscribes.
    #expect(text.contains("its subscription is not in the capture") == (octets == 11))
    #expect(text.contains("subscribed through 0x0011") == (octets == 12))
    #expect(text.contains("20 intervals counted") == (octets == 12))
    #expect(text.contains("contact held throughout") == (octets == 12))
  }

  /// Of what was cut away, the figures say nothing.
  @Test func `are counted where the rates of others are there`() throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<20 {
      host.notified([0x07, 60, 0])
      if second > 2 { host.cutLast(to: 13) }
      host.wait(milliseconds: 990)
    }
    let text = Reporting.analysis([try Reporting.summary("cut", host.file())], width: 120)
    #expect(text.contains("20 measurements") && text.contains("\n          17 rates cut away by the capture\n"))
    #expect(text.contains("– Nothing unusual, and 1 note; the capture kept 3 of 20 heart rates."))
  }

  /// A connection whose making is there, but not with whom.
  @Test(arguments: [true, false]) func `may be from a sensor whose address is`(isMade: Bool) throws {
    var host = HostSide()
    host.connected()
    if isMade { host.cutLast(to: 10) } else { host = HostSide() }
    host.discoverHeartRate()
    for _ in 0..<20 {
      host.notified([0x16, 60, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    let text = Reporting.analysis([try Reporting.summary("cut", host.file())], width: 120)
    let why = isMade ? "the capture cut it away" : "its beginning is not in the capture"
    #expect(text.contains("address unknown: \(why)"))
  }

  /// The flags are left of them, and tell whether there were any.
  @Test(arguments: [false, true]) func `have their intervals counted in a timeline`(hasInterval: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = 12
    host.notified(hasInterval ? [0x16, 60, 0x00, 0x04] : [0x06, 60])
    let timeline = try Reporting.timeline("cut", host.file(), kinds: ["heart-rate"])
    #expect(timeline.contains("rate cut away  ●") && timeline.contains("  1 RR cut away\n") == hasInterval)
    #expect(timeline.contains("RR") == hasInterval)
  }

  /// A value that cannot be right lacks what its flags promise, and the capture has cut nothing away.
  @Test func `are not those that lack a rate`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x06])
    let timeline = try Reporting.timeline("short", host.file(), kinds: ["heart-rate"])
    #expect(timeline.contains("no heart rate  ●  cannot be right") && !timeline.contains("cut away"))
  }

  /// What was said at first was cut, and nothing behind it: it may have been a discovery.
  @Test func `may be a discovery`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.cutLast(to: 9)
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.cutLast(to: 9)
    for _ in 0..<9 { host.notified([0x16, 72, 0x00, 0x04, 0x00, 0x04]) }
    let databases = Reporting.databases([try Reporting.summary("cut", host.file())], width: 200)
    #expect(databases.contains("packets of ATT were cut, and with them what was discovered, if anything was."))
  }

  /// Only what another connection said was cut: that nothing was discovered has other reasons.
  @Test(arguments: [false, true]) func `are not all that a log cuts`(isSensor: Bool) throws {
    var host = HostSide()
    host.connected()
    host.connectedClassic(0x41, peer: 2)
    host.write(attribute: 17, [1, 0])
    for second in 0..<20 {
      host.notified([0x16, 72, 0x00, 0x04, 0x00, 0x04])
      if isSensor { host.cutLast(to: 14) }
      host.wait(milliseconds: 990)
      if second % 5 == 0 { host.l2cap(on: 0x41, .received, channel: 0x47, Array(repeating: 1, count: 40)) }
      if second % 5 == 0 { host.cutLast(to: 14) }
    }
    let summary = try Reporting.summary("cut", host.file())
    let (text, databases) = (Reporting.analysis([summary], width: 200), Reporting.databases([summary], width: 200))
    #expect(text.contains("This log keeps only the beginning of each packet.") == isSensor)
    #expect(databases.contains("the log keeps only the beginning of each packet") == isSensor)
    #expect(databases.contains("nothing was discovered in this capture") == !isSensor)
  }

  /// Other values are told by what is left of them, and by how long they were.
  @Test(arguments: [(9, 1, "= … (1 octet)"), (9, 2, "= … (2 octets)"), (10, 2, "= 41 … (2 octets)")])
  func `are shown with how much there was of them`(kept: Int, length: Int, words: String) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("0a 03 00"))
    host.received([0x0B] + Array(repeating: 0x41, count: length))
    host.cutLast(to: kept)
    #expect(try Reporting.timeline("cut", host.file()).contains(words + "\n"))
  }
}
