import CaptureReports
import Testing
import TestSupport

/// Reports are looked at before they are parsed.
@Suite struct `Text in JSON` {
  @Test(arguments: ["\u{7F}", "\u{1B}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar])
  func `holds nothing that drives a terminal`(scalar: Unicode.Scalar) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 02 00 02 03 00 00 2a"))
    host.sent([0x0A, 0x03, 0x00])
    host.received([0x0B] + Array("A\(Character(scalar))B".utf8))
    let json = Reporting.analysis([try Reporting.summary("a.log", host.file())], as: .json)
    let digits = String(scalar.value, radix: 16)
    let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    #expect(json.lowercased().contains("\"a\(escape)b\""))
    #expect(!json.unicodeScalars.contains(scalar))
  }
}
