import CaptureReports
import Testing
import TestSupport

@Suite struct `Captures of the same measurements` {
  private func report(_ names: [String], measurements: Int) throws -> String {
    var host = HostSide()
    host.subscribe()
    host.notifyRates(measurements)
    return Reporting.analysis(try names.map { try Reporting.summary($0, host.file()) })
  }

  /// Fewer may be so by chance.
  @Test(arguments: [(2, false), (3, true)]) func `are three at least`(measurements: Int, areTold: Bool) throws {
    let text = try report(["a.log", "b.log"], measurements: measurements)
    #expect(text.contains("Both hold the same measurements") == areTold, "\(text)")
  }

  @Test func `are told with the first that holds them`() throws {
    let text = try report(["a.log", "b.log", "c.log"], measurements: 5)
    #expect(text.contains("a.log and c.log both hold the same measurements"), "\(text)")
  }
}
