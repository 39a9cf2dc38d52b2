import CaptureAnalysis
import Testing
import TestSupport

/// What a healthy sensor measures waits for the next connection event, and comes with what was measured meanwhile.
@Suite struct `Healthy sensors on long connection intervals` {
  /// In units of 1.25 ms: 30 ms to 4 s.
  static let intervals: [UInt16] = [24, 400, 880, 1200, 1600, 3200]

  @Test(arguments: intervals, intervals)
  func `give no warning when it changes, and changes again`(first: UInt16, second: UInt16) throws {
    // How much of an interval after the change the first event of the new one is, in quarters.
    for quarters in 0...3 as ClosedRange<Int64> {
      let summary = try summary(of: session([(40, first), (80, second)], quarters).file())
      let grave = summary.findings.filter { $0.severity > .info }
      #expect(summary.connections.first?.heartRate?.statistics.measurements ?? 0 > 100)
      #expect(grave.isEmpty, "\(quarters)/4: \(grave.prefix(3).map { "\($0.rule) #\($0.frame ?? 0): \($0.message)" })")
    }
  }

  /// Two minutes of a sensor that measures each second.
  private func session(_ changes: [(second: Int64, interval: UInt16)], _ quarters: Int64) -> HostSide {
    var host = HostSide()
    host.subscribe()
    let begin = host.time
    var (connectionEvent, interval) = (begin, Self.microseconds(24))
    var changes = changes[...]
    var measured: Int64 = 0
    while connectionEvent < begin + 120_000_000 {
      host.time = connectionEvent
      if let change = changes.first, connectionEvent >= begin + change.second * 1_000_000 {
        changes.removeFirst()
        host.leEvent(
          0x03, [0] + UInt16(0x40).little + change.interval.little + UInt16(0).little + UInt16(1000).little)
        interval = Self.microseconds(change.interval)
        connectionEvent += interval * quarters / 4 + 10_000
        continue
      }
      while begin + measured * 1_000_000 < connectionEvent {
        host.notified([0, UInt8(60 + measured * 7 % 5)])
        measured += 1
      }
      connectionEvent += interval
    }
    host.disconnected()
    return host
  }

  private static func microseconds(_ interval: UInt16) -> Int64 { Int64(interval) * 1250 }
}
