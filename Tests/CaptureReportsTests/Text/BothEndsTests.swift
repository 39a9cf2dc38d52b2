import CaptureReports
import Testing
import TestSupport

/// A watch that passes heart rates on may listen to a strap: both ends are sensors then.
@Suite struct `Sensors at both ends` {
  private let file: [UInt8] = {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.received(hex("08 01 00 ff ff 03 28"))
    host.sent(hex("09 07 23 00 10 24 00 37 2a"))
    host.notified([0, 60])
    host.sent(hex("1b 24 00 00 61"))
    host.notified([0, 62])
    return host.file()
  }()

  @Test func `none is lost`() throws {
    let summary = try Reporting.summary("both", file)
    let text = Reporting.analysis([summary], width: 120)
    #expect(text.contains("this device sends heart rates too: 1 measurement   handle 0x0024   97 bpm"))
    let json = Reporting.analysis([summary], as: .json).split(separator: "\n")
    let other = try #require(json.firstIndex { $0.contains("\"other_heart_rate\": {") })
    #expect(json[..<other].count { $0.contains("\"raw\": \"003c\"") || $0.contains("\"raw\": \"003e\"") } == 2)
    #expect(json[other...].count { $0.contains("\"raw\": \"0061\"") } == 1)
    #expect(json[other + 1].contains("\"server\": \"local\""))
  }

  @Test func `a timeline tells who sent`() throws {
    let lines = try Reporting.timeline("both", file, kinds: ["heart-rate"]).split(separator: "\n").dropFirst()
    #expect(lines.map { $0.hasSuffix("from this device") } == [false, true, false])
    let json = try Reporting.timeline("both", file, kinds: ["heart-rate"], as: .ndjson).split(separator: "\n")
    #expect(json.map { $0.contains("\"server\": \"local\"") } == [false, true, false])
  }

  @Test func `a timeline tells whose an attribute is`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.sent(hex("0a 13 00"))
    host.received(hex("0b 01"))
    host.showHeartRate()
    host.received(hex("04 11 00 11 00"))
    host.sent(hex("05 01 11 00 02 29"))
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("13"))
    host.received(hex("0a 13 00"))
    host.sent(hex("0b 01"))
    let kinds: [String: String] = [
      "service": "of", "characteristic": "of", "subscribed": "of", "write": "to", "read": "from",
    ]
    for (kind, way) in kinds {
      let lines = try Reporting.timeline("both", host.file(), kinds: [kind]).split(separator: "\n").dropFirst()
      let areLocal = lines.map { $0.hasSuffix("  \(way) this device") }
      #expect(areLocal == (kind == "characteristic" ? [false, false, true, true] : [false, true]), "\(lines)")
    }
  }

  @Test func `one alone has no other`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 60])
    let summary = try Reporting.summary("one", host.file())
    #expect(!Reporting.analysis([summary], as: .json).contains("other_heart_rate"))
    #expect(!Reporting.analysis([summary]).contains("heart rates too"))
  }
}
