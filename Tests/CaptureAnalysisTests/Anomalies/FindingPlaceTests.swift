import CaptureAnalysis
import Testing
import TestSupport

/// A finding begins at the record that shows the fault, not at the one that gives it away.
@Suite struct `Findings stand` {
  /// A strap that has said so much, and the frames of what it says then.
  private func findings(_ values: [[UInt8]], every period: Int64 = 1000) throws -> (found: [Finding], first: Int) {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    let first = host.packets.count + 1
    for value in values {
      host.notified(value)
      host.wait(milliseconds: period - 10)
    }
    var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: false))
    let octets = ContiguousArray(host.file())
    _ = try analyzer.read(octets.span, isLast: true)
    return (analyzer.receiver.summary(path: "example", facts: analyzer.facts).findings, first)
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
}
