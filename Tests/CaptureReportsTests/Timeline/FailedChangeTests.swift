import CaptureReports
import Foundation
import TestSupport
import Testing

@Suite struct `Changes of a link that failed` {
  private func lines(status: UInt8) throws -> [Substring] {
    var host = HostSide()
    host.connected()
    host.leEvent(0x03, [status] + hex("40 00 50 00 01 00 58 02"))
    host.leEvent(0x0C, [status] + hex("40 00 02 01"))
    let text = try Reporting.timeline("capture", host.file(), kinds: ["parameters", "phy"], as: .ndjson)
    return text.split(separator: "\n").compactMap { line in
      line.range(of: "\"status\"").map { line[$0.lowerBound...] }
    }
  }

  @Test func `tell what came of those that did not`() throws {
    #expect(
      try lines(status: 0) == [
        #""status": 0, "interval_ms": 100.00, "latency": 1, "supervision_timeout_ms": 6000}"#,
        #""status": 0, "sent_phy": 2, "received_phy": 1}"#,
      ])
  }

  /// The numbers beside an error are of no meaning: nothing has changed.
  @Test func `tell of no values`() throws {
    #expect(
      try lines(status: 0x3B) == [
        #""status": 59, "interval_ms": null, "latency": null, "supervision_timeout_ms": null}"#,
        #""status": 59, "sent_phy": null, "received_phy": null}"#,
      ])
  }
}
