import TestSupport
import Testing

@Suite struct `A request that was refused` {
  /// The ATT_MTU is about no attribute; 0x0000 may be one that was asked for.
  @Test(arguments: [
    ("02 f7 00", "01 02 00 00 06", "Exchange MTU Request refused: Request Not Supported (0x06)"),
    ("0a 00 00", "01 0a 00 00 01", "Read Request refused: Invalid Handle (0x01), unknown attribute 0x0000"),
  ])
  func `tells of which attribute`(request: String, response: String, words: String) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex(request))
    host.received(hex(response))
    let lines = try Reporting.timeline("capture", host.file(), kinds: ["att-error"]).split(separator: "\n")
    #expect(lines.last?.hasSuffix("  \(words)") == true, "\(lines)")
  }
}
