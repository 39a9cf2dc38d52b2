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
    return try host.findings()
  }

  /// Time that falls behind all the while proves nothing of a few.
  @Test(arguments: [850, 1000] as [Int64]) func `are not proven by a clock that is slow`(milliseconds: Int64) throws {
    let rules = try findings(milliseconds: milliseconds).map(\.rule)
    #expect(!rules.contains("rr-repeated"))
    #expect(rules.contains("rr-sum-mismatch") == (milliseconds < 1000))
  }

  /// No host hears of two packets within a tenth of a millisecond each time.
  @Test(
    arguments: [
      (0, "the log holds each twice, within 0.1 ms"), (40, "the log holds each twice, within 0.1 ms"),
      (400, "each is sent twice"),
    ] as [(Int64, String)])
  func `are the log's where they come too soon for a link`(microseconds: Int64, words: String) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<60 {
      let value: [UInt8] = [0x10, 72] + UInt16(840 + second * 7 % 13).little
      host.notified(value)
      host.time -= 10_000 - microseconds
      host.notified(value)
      host.wait(milliseconds: 980)
    }
    let found = try host.findings(of: "notification-repeated")
    #expect(found.map(\.message) == ["60 of 120 measurements have the same octets as the one before: \(words)"])
  }
}
