import CaptureReports
import Testing
import TestSupport

/// Reports are looked at before they are parsed.
@Suite struct `Text in JSON` {
  @Test(arguments: ["\u{7F}", "\u{1B}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar])
  func `holds nothing that drives a terminal`(scalar: Unicode.Scalar) throws {
    var host = HostSide()
    host.connected()
    host.readName("A\(Character(scalar))B")
    let json = Reporting.analysis([try Reporting.summary("a.log", host.file())], as: .json)
    let digits = String(scalar.value, radix: 16)
    let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    #expect(json.lowercased().contains("\"a\(escape)b\""))
    #expect(!json.unicodeScalars.contains(scalar))
  }
}
