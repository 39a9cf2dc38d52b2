import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// Measurements as statistics compare them.
@Suite struct `Samples of measurements` {
  /// Whichever way a clock leaps, five seconds begin anew.
  @Test(arguments: [(0, 8), (60, 9), (-60, 9)] as [(Int64, Int)])
  func `are means of five seconds`(leap: Int64, count: Int) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<40 {
      if second == 22 { host.wait(milliseconds: 1000 * leap) }
      host.notified([0, 60 + UInt8(second % 3)])
      host.wait(milliseconds: 990)
    }
    let connections = try summary(of: host.file(), listsMeasurements: true).connections
    #expect(MeasurementSample(connections.compactMap(\.heartRate)).rates.count == count)
  }
}
