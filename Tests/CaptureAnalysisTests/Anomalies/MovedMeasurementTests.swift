import CaptureAnalysis
import Testing
import TestSupport

/// Heart rates that come from elsewhere than the table has them.
@Suite struct `Moved measurements` {
  /// A bonded client goes on with the table of an earlier connection, and nobody says that it has changed.
  @Test(arguments: [(22, true), (16, false)] as [(UInt16, Bool)])
  func `are told where a table of an earlier connection has none`(handle: UInt16, isElsewhere: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 20_000)
    host.connected()
    host.write(attribute: 17, [1, 0])
    host.stream(attribute: handle, seconds: 30, strap)
    host.disconnected(reason: 0x16)
    let found = try InferredCapture(host).findings
    let message = "heart rates come from 0x0016, where connection 1 has shown no measurement"
    #expect(found.filter { $0.rule == "database-changed" }.map(\.message) == (isElsewhere ? [message] : []), "\(found)")
  }
}
