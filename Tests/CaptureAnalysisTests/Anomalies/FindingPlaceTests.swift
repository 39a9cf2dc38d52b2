import CaptureAnalysis
import Testing
import TestSupport

/// A finding begins at the record that shows the fault, not at the one that gives it away.
@Suite struct `Findings stand` {
  /// A strap that has said so much, and the frames of what it says then.
  private func findings(_ values: [[UInt8]], every period: Int64 = 1000) throws -> (found: [Finding], first: Int) {
    var host = HostSide()
    host.subscribe()
    let first = host.packets.count + 1
    for value in values {
      host.notified(value)
      host.wait(milliseconds: period - 10)
    }
    return (try host.findings(), first)
  }

  @Test func `on the interval that is twice as long, not on the one behind it`() throws {
    let usual: [UInt8] = [0x10, 60, 0x00, 0x04]
    let (found, first) = try findings([usual, usual, usual, [0x10, 60, 0x04, 0x08], usual, usual, usual])
    let missed = try #require(found.first { $0.rule == "rr-missed-beat" })
    #expect(missed.frame == first + 3 && missed.lastFrame == first + 3)
  }

  @Test func `on the pieces of one interval`() throws {
    let usual: [UInt8] = [0x10, 60, 0x00, 0x04]
    let (found, first) = try findings([usual, usual, usual, [0x10, 60, 0x80, 0x01, 0x80, 0x02], usual, usual])
    let extra = try #require(found.first { $0.rule == "rr-missed-beat" })
    #expect(extra.frame == first + 3 && extra.lastFrame == first + 3)
  }

  @Test func `where intervals in milliseconds begin and end`() throws {
    // 90 beats a minute, in 1/1024 s and in milliseconds.
    let right: [[UInt8]] = [[0x10, 90, 0xAB, 0x02], [0x10, 90, 0xAB, 0x02, 0xAA, 0x02]]
    let short: [[UInt8]] = [[0x10, 90, 0x9B, 0x02], [0x10, 90, 0x9B, 0x02, 0x9A, 0x02]]
    let many = Array(repeating: right, count: 50).flatMap(\.self)
    let (found, first) = try findings(many + Array(repeating: short, count: 60).flatMap(\.self) + many)
    let stretch = try #require(found.first { $0.rule == "rr-in-milliseconds" })
    // To ten seconds.
    #expect(abs(try #require(stretch.frame) - (first + 100)) <= 10)
    #expect(abs(try #require(stretch.lastFrame) - (first + 219)) <= 10)
  }

  @Test func `on the first list that comes again, though time tells later`() throws {
    let usual: [[UInt8]] = [
      [0x10, 95, 0x80, 0x02, 0x88, 0x02], [0x10, 95, 0x7A, 0x02], [0x10, 95, 0x8F, 0x02, 0x83, 0x02],
      [0x10, 95, 0x85, 0x02], [0x10, 95, 0x7D, 0x02, 0x91, 0x02],
    ]
    let many = Array(repeating: usual, count: 8).flatMap(\.self)
    // The last list of those, five times more: two beats in a second that has one and a half.
    let (found, first) = try findings(many + Array(repeating: usual[4], count: 5) + many)
    let again = found.filter { $0.rule == "rr-repeated" }
    #expect(again.map(\.frame) == [first + 40] && again.map(\.lastFrame) == [first + 44])
    #expect(again.first?.message.hasPrefix("10 RR-Intervals were sent again") == true)
  }
}
