import CaptureFiles
import CaptureReports
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What is no fault, and tells why no heart rate comes, is told first.
@Suite struct `Why no heart rate comes` {
  private func head(_ host: HostSide) throws -> Substring? {
    let text = Reporting.analysis([try Reporting.summary("none", host.file())], width: 400)
    return text.split(separator: "\n").first { $0.hasPrefix("    – ") }?.dropFirst(6)
  }

  @Test func `is told where the measurements were switched off`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<20 {
      host.notified([0x01, 72, 0])
      host.wait(milliseconds: 990)
    }
    host.sent(hex("12 11 00 00 00"))
    host.received(hex("13"))
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x16)
    let head = try head(host)
    #expect(
      head?.firstMatch(
        of:
          #/^Nothing unusual, but the local host switched .+ in the 30 s that follow \(#\d+ → #\d+\), and 1 more note\.$/#
      )
        != nil, "\(head ?? "")")
  }

  /// However often they were, once.
  @Test(
    arguments: [
      ([45], "off, and on again 45 s later"), ([45, 3], "off, and on again 45 s later"),
      ([45, 73], "off twice, and on again after 45 s to 73 s"), ([60, 60, 61], "off 3 times, and on again after 61 s"),
    ] as [([Int64], String)])
  func `is told where the measurements were off for a while`(pauses: [Int64], words: String) throws {
    var host = HostSide()
    host.subscribe()
    func measure() {
      for place in 0..<20 {
        host.notified([0x00, 72 + UInt8(place % 4)])
        host.wait(milliseconds: 990)
      }
    }
    measure()
    for pause in pauses {
      host.write(attribute: 17, [0, 0])
      host.wait(milliseconds: pause * 1000)
      host.write(attribute: 17, [1, 0])
      measure()
    }
    host.disconnected(reason: 0x16)
    let head = try head(host)
    #expect(
      head?.hasPrefix("Nothing unusual, but the local host switched the measurements \(words) (#") == true,
      "\(head ?? "")")
  }

  /// Several come at once, since the sensor leaves out most of the connection's events: whoever looks at them sees them late.
  @Test func `is not told late where it comes late`() throws {
    var host = HostSide()
    host.subscribe()
    host.leEvent(0x03, [0] + hex("40 00 90 01 09 00 b0 04"))
    for _ in 0..<8 {
      for place in 0..<5 { host.notified([0x00, 72 + UInt8(place)]) }
      host.wait(milliseconds: 4950)
    }
    host.disconnected(reason: 0x16)
    let words =
      "Nothing unusual, but an interval of 500 ms, of which the sensor leaves out 9 at a time, for a measurement"
    let head = try head(host)
    #expect(head?.hasPrefix(words) == true, "\(head ?? "")")
  }

  /// A connection to a sensor that sends none is listed with those that have nothing to do with heart rates.
  @Test(arguments: [
    (false, "of this connection nothing was written to it"), (true, "has not kept its notifications on"),
  ])
  func `is told where nobody asked a sensor`(isEncrypted: Bool, end: String) throws {
    var host = HostSide()
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [7] + hex("02 01 06 03 03 0d 18") + [0xC4])
    host.connected()
    if isEncrypted { host.event(0x08, hex("00 40 00 01")) }
    host.sent(hex("0a 03 00"))
    host.received(hex("0b 54"))
    host.wait(milliseconds: 40_000)
    host.disconnected(reason: 0x16)
    let head = try head(host)
    #expect(
      head?.hasPrefix("Nothing unusual, but the peer advertises Heart Rate, and sends none: in the 40") == true
        && head?.contains("\(end) (#") == true, "\(head ?? "")")
  }

  /// What happened to the capture is told of the connection that was open then, and of no other.
  @Test func `is told where the clock leapt meanwhile`() throws {
    var host = HostSide()
    for leaps in [false, true, false] {
      host.subscribe()
      for count in 0..<30 {
        host.notified([0x00, 72])
        host.wait(milliseconds: leaps && count == 15 ? -3_600_000 : 990)
      }
      host.disconnected(reason: 0x16)
    }
    let text = Reporting.analysis([try Reporting.summary("clock", host.file())], width: 400)
    let heads = text.split(separator: "\n").compactMap { $0.firstMatch(of: #/^    [–✓] (Nothing unusual.*)$/#)?.1 }
    try #require(heads.count == 3, "\(text)")
    #expect(heads[0] == "Nothing unusual." && heads[2] == "Nothing unusual.")
    #expect(
      heads[1].contains(#/^Nothing unusual, but the clock leaps back by 1 h 00 min.+ \(#\d+\)\.$/#), "\(heads[1])")
  }
}
