import CaptureReports
import Testing
import TestSupport

/// Where there are more connections at a time than rules look at, nothing is said to be well that they did not see.
@Suite struct `Connections that no rule looked at` {
  /// So many sensors at a time, each of which is silent for nine seconds.
  private func captured(_ count: UInt16) -> [UInt8] {
    var host = HostSide()
    let handles = 0x40..<(0x40 + count)
    for handle in handles {
      host.connected(handle, peer: UInt8(handle - 0x3F))
      host.discoverHeartRate(on: handle)
      host.write(on: handle, attribute: 17, [1, 0])
    }
    for second in 0..<25 as Range<UInt8> {
      for handle in handles { host.notified(on: handle, [0, 70 + second % 3]) }
      host.wait(milliseconds: second == 20 ? 9000 : 1000)
    }
    for handle in handles { host.disconnected(handle) }
    return host.file()
  }

  @Test(arguments: [(64, 0), (66, 2)] as [(UInt16, Int)])
  func `are not said to be well`(connections: UInt16, unwatched: Int) throws {
    let capture = try Reporting.summary("example", captured(connections))
    let words = "No rule looked at it: too many connections were open."
    let text = Reporting.analysis([capture], width: 200)
    #expect(text.ranges(of: "    ? \(words)\n").count == unwatched)
    let json = Reporting.analysis([capture], as: .json)
    #expect(json.ranges(of: "\"\(words)\"").count == unwatched)
    #expect(!(text + json).contains("Nothing unusual"))
  }
}
