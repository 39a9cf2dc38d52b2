import CaptureFiles
import CaptureReports
import Testing
import TestSupport

/// Connections that ended with their adapter: that is in the capture, and is told.
@Suite struct `Ends of adapters in words` {
  static let ends: [(@Sendable (inout HostSide) -> Void, String, key: String)] = [
    ({ $0.event(0x0E, hex("01 03 0c 00")) }, "over when the local host reset its controller", "reset"),
    ({ $0.add(.closeIndex, .sent, []) }, "over when the local adapter was switched off", "switched-off"),
    ({ $0.add(.deleteIndex, .sent, []) }, "over when the local adapter was taken away", "removed"),
  ]

  @Test func `stand in reports and timelines`() throws {
    for (end, words, key) in Self.ends {
      var host = HostSide()
      host.connected()
      host.notified([0x16, 0x48, 0xE8, 0x03])
      end(&host)
      let octets = host.file(.btsnoopMonitor)
      let report = try Reporting.analysis([Reporting.summary("adapter", octets)], width: 120)
      #expect(report.contains("\(words) #3"))
      #expect(try Reporting.timeline("adapter", octets, width: 120).contains(words))
      let json = try Reporting.analysis([Reporting.summary("adapter", octets)], as: .json)
      #expect(json.contains(#""reason": null, "reason_name": null, "ended_by": "\#(key)""#))
    }
  }
}
