import CaptureAnalysis
import CaptureFiles
import TestSupport
import Testing

/// How often something happened is a difference only if chance does not explain it.
@Suite struct `How often counts in comparisons` {
  private func aspect(_ name: String, _ sides: [[UInt8]]) throws -> AspectComparison {
    let sides = try sides.map { octets in try SensorChoice.automatic.side(of: [try comparedCapture("side", octets)]) }
    return try #require(Comparison(sides).aspects.first { $0.name == name })
  }

  /// A measurement a second for ten minutes, in which every so often some do not come.
  private func session(gaps: Int) -> [UInt8] {
    var host = HostSide()
    host.subscribe()
    for part in 0..<30 {
      for second in 0..<20 {
        if part == 0 || part > gaps || second > 5 { host.notified([0, 60 + UInt8(second % 3)]) }
        host.wait(milliseconds: 1000)
      }
    }
    host.disconnected()
    return host.file()
  }

  @Test(arguments: [(24, 1, true), (1, 24, true), (24, 20, false), (2, 1, false), (6, 1, false)])
  func `so many gaps`(first: Int, second: Int, differs: Bool) throws {
    let found = try aspect("findings", [session(gaps: first), session(gaps: second)])
    let words = [first, second].map { "notification-gap: \($0) \($0 == 1 ? "warning" : "warnings")" }
    #expect(found.differs == differs && found.values == words, "\(found.values)")
    #expect(found.parts.map(\.title) == (differs ? ["notification-gap"] : []))
    #expect(found.note?.contains("beyond chance") == true)
  }

  /// Connections with one sensor, of which some end by its timeout.
  private func connections(_ count: Int, lost: Int) -> [UInt8] {
    var host = HostSide()
    for place in 0..<count {
      host.subscribe()
      for second in 0..<20 {
        host.notified([0, 60 + UInt8(second % 3)])
        host.wait(milliseconds: 1000)
      }
      host.disconnected(reason: place < lost ? 0x08 : 0x13)
      // Not so soon that it would be a loop.
      host.wait(milliseconds: 600_000)
    }
    return host.file()
  }

  private static let ended = "Remote User Terminated Connection (0x13)"
  private static let lost = "Connection Timeout (0x08)"

  @Test(
    arguments: [
      (1, 0, 10, "\(lost) in 1 of 10; \(ended) in 9 of 10", false),
      (4, 0, 10, "\(lost) in 4 of 10; \(ended) in 6 of 10", true),
      (3, 0, 3, lost, true), (2, 0, 2, lost, true), (1, 1, 10, "\(lost) in 1 of 10; \(ended) in 9 of 10", false),
    ])
  func `so many connections that were lost`(
    first: Int, second: Int, count: Int, words: String, differs: Bool
  ) throws {
    let sides = [connections(count, lost: first), connections(count, lost: second)]
    let found = try aspect("disconnects", sides)
    #expect(found.differs == differs && found.values[0] == words, "\(found.values)")
    #expect((found.note == nil) == (count < 3))
    let findings = try aspect("findings", sides)
    let told = "supervision-timeout: \(first) \(first == 1 ? "error" : "errors") on \(first) of \(count) connections"
    #expect(findings.differs == differs && findings.values[0]?.contains(told) == true, "\(findings.values)")
  }

  /// Connections that end when the sensor was refused other parameters: for that reason, or perhaps so.
  private func refused(_ count: Int, reason: UInt8) -> [UInt8] {
    var host = HostSide()
    for _ in 0..<count {
      host.subscribe()
      host.notified([0, 60])
      host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
      host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
      host.wait(milliseconds: 10_000)
      host.disconnected(reason: reason)
      host.wait(milliseconds: 600_000)
    }
    return host.file()
  }

  /// As often the same finding, but an error on one side and a warning on the other.
  @Test(arguments: [1, 2, 3, 10]) func `how grave it is counts`(count: Int) throws {
    let found = try aspect("findings", [refused(count, reason: 0x3B), refused(count, reason: 0x13)])
    let part = try #require(found.parts.first { $0.title == "parameter-update-then-lost" })
    #expect(part.values.map { $0?.contains("error") } == [true, false])
    #expect(part.values.map { $0?.contains("warning") } == [false, true])
  }
}
