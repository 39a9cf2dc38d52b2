import CaptureAnalysis
import Testing
import TestSupport

/// Where records are missing, what seems not to have happened may have: rules say nothing of it.
@Suite struct `Missing records` {
  /// A strap for a minute, of which ten seconds in the middle cannot be read.
  @Test func `are no gap`() throws {
    var octets = strap
    let records = try ReadCapture(octets).records
    let damaged = (records[40].offset - 25)..<(records[50].offset - 25)
    #expect(try rules(octets).isEmpty)
    for index in damaged { octets[index] = 0xFF }
    let found = try rules(octets)
    #expect(found == ["octets-skipped"], "\(found)")
    // The same records left out without a trace are one.
    let whole = strap
    let without = Array(whole[..<(records[40].offset - 25)] + whole[(records[50].offset - 25)...])
    #expect(try rules(without) == ["notification-gap"])
  }

  /// A strap for a minute.
  fileprivate var strap: [UInt8] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for second in 0..<60 {
      host.notified([0x10, 60, UInt8(second % 9), 0x04])
      host.wait(milliseconds: 990)
    }
    return host.file()
  }

  fileprivate func rules(_ octets: [UInt8]) throws -> [String] {
    var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: false))
    let octets = ContiguousArray(octets)
    _ = try analyzer.read(octets.span, isLast: true)
    return analyzer.receiver.summary(path: "damaged", facts: analyzer.facts).findings.map(\.rule)
  }
}

extension `Missing records` {
  /// btsnoop counts, in every record, how many were lost before it.
  @Test func `that the capture counts are no gap either`() throws {
    let whole = strap
    let records = try ReadCapture(whole).records
    var octets = Array(whole[..<(records[40].offset - 25)] + whole[(records[50].offset - 25)...])
    for record in try ReadCapture(octets).records.dropFirst(40) { octets[record.offset - 25 + 15] = 10 }
    #expect(try rules(octets) == ["packets-dropped"])
  }
}
