import CaptureAnalysis
import TestSupport
import Testing

/// What comes again, and what only seems to.
@Suite struct `Values that come again` {
  /// 132 beats a minute, each second's in a notification: of so steady a heart two are often those before by chance.
  private func findings(milliseconds: Int64) throws -> [Finding] {
    var host = HostSide()
    host.subscribe()
    var state: UInt64 = 1
    for second in 0..<300 {
      let intervals = (0..<(second % 5 == 4 ? 3 : 2)).flatMap { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt16(462 + (state >> 61)).little
      }
      host.notified([0x10, 132 + UInt8(second % 2)] + intervals)
      host.wait(milliseconds: milliseconds - 10)
    }
    return try summary(of: host.file()).findings
  }

  /// Time that falls behind all the while proves nothing of a few.
  @Test(arguments: [850, 1000] as [Int64]) func `are not proven by a clock that is slow`(milliseconds: Int64) throws {
    let rules = try findings(milliseconds: milliseconds).map(\.rule)
    #expect(!rules.contains("rr-repeated"))
    #expect(rules.contains("rr-sum-mismatch") == (milliseconds < 1000))
  }
}
