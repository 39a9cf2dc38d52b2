import CaptureFiles
import CaptureReports
import TestSupport
import Testing

/// A controller may use one in so many of a connection's events: whoever looks for a gap has to see that.
@Suite struct `Connections that use some of their events` {
  /// A heart rate comes over one, and then its parameters change.
  private func text(as format: AnalysisFormat = .text, _ changes: (inout HostSide) -> Void) throws -> String {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    changes(&host)
    return Reporting.analysis([try Reporting.summary("subrated", host.file())], width: 200, as: format)
  }

  @Test func `say which, and the interval that makes`() throws {
    let text = try text {
      $0.leEvent(0x23, hex("00 40 00 14 00 00 00 00 00 58 02"))
      $0.leEvent(0x23, hex("00 40 00 01 00 00 00 00 00 58 02"))
    }
    let changes = "→ 600 ms (one in 20 connection events), latency 0, timeout 6 s #9   → 30 ms #10   "
    #expect(text.contains(changes), "\(text)")
  }

  @Test func `say so to programs`() throws {
    let json = try text(as: .json) {
      $0.leEvent(0x23, hex("00 40 00 14 00 00 00 00 00 58 02"))
      $0.leEvent(0x23, hex("00 40 00 01 00 00 00 00 00 58 02"))
    }
    #expect(
      json.contains(#""interval_ms": 600.00, "latency": 0, "supervision_timeout_ms": 6000, "subrate_factor": 20}"#))
    #expect(json.contains(#""interval_ms": 30.00, "latency": 0, "supervision_timeout_ms": 6000}"#))
  }

  /// Another interval, of which all events are used, may be just as long.
  @Test func `say so where the interval stays`() throws {
    let text = try text {
      $0.leEvent(0x23, hex("00 40 00 14 00 00 00 00 00 58 02"))
      $0.leEvent(0x03, hex("00 40 00 e0 01 00 00 58 02"))
    }
    let changes = "→ 600 ms (one in 20 connection events), latency 0, timeout 6 s #9   → 600 ms #10   "
    #expect(text.contains(changes), "\(text)")
  }
}
