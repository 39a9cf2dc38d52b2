import Testing
import TestSupport

@testable import CaptureReports

@Suite struct `Tables of connections` {
  /// That a connection ends where no key is found is a consequence: both places name the rule that explains it.
  @Test func `name what is told first of each`() throws {
    var host = HostSide()
    for _ in 0..<ConnectionTable.leastConnections {
      host.subscribe()
      host.notified([0, 72])
      host.event(0x08, hex("06 40 00 00"))
      host.disconnected(reason: 0x05)
      host.wait(milliseconds: 60_000)
    }
    let text = Reporting.analysis([try Reporting.summary("bond", host.file())], width: 200)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("  ✗ ") }
    #expect(rows.count == ConnectionTable.leastConnections, "\(text)")
    #expect(rows.allSatisfy { $0.hasSuffix("  encryption-failed, 1 more") }, "\(text)")
    #expect(text.contains("    ✗ The encryption of the link failed with PIN or Key Missing (0x06)"), "\(text)")
  }
}
