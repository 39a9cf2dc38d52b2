import CaptureAnalysis
import Testing
import TestSupport

/// Connections that end again and again in the same way, and are made again at once.
@Suite struct `Reconnections` {
  /// Connections of so many seconds, one after another.
  private func found(_ reason: UInt8, _ lengths: [Int64], pause: Int64) throws -> [String] {
    var host = HostSide()
    for length in lengths {
      host.connected()
      host.wait(milliseconds: length * 1000 - 10)
      host.disconnected(reason: reason)
      host.wait(milliseconds: pause * 1000 - 10)
    }
    return try host.findings(of: "reconnect-loop")
      .map { "\($0.severity) \($0.connection ?? 0) \($0.count) \($0.message)" }
  }

  @Test(arguments: [
    (0x13, 301, "the peer C5:44:33:22:11:01 ended 3 connections, each after about 5 min 01 s"),
    (0x16, 62, "the local host ended 3 connections to C5:44:33:22:11:01, each after about 62 s"),
    (0x08, 41, "3 connections to C5:44:33:22:11:01 ended with Connection Timeout (0x08), each after about 41 s"),
  ])
  func `are told once, with what they have in common`(reason: UInt8, length: Int64, words: String) throws {
    #expect(
      try found(reason, [length, length, length + 1], pause: 3) == [
        "warning 1 3 \(words), and the next one began within 3 s each time"
      ])
  }

  /// A sensor may be a tenth late; a program that ends them is not, and begins again at once.
  @Test(
    arguments: [
      (0x13, [300, 325, 280], 50, 3), (0x13, [300, 335, 280], 50, nil), (0x13, [300, 300, 300], 65, nil),
      (0x13, [300, 300], 3, nil), (0x16, [60, 61, 59], 9, 3), (0x16, [60, 63, 60], 9, nil),
      (0x16, [60, 60, 60], 20, nil),
      (0x13, [40, 40, 40], 45, nil),
    ] as [(UInt8, [Int64], Int64, Int?)])
  func `are of about one length, and close to each other`(
    reason: UInt8, lengths: [Int64], pause: Int64, count: Int?
  ) throws {
    #expect(try found(reason, lengths, pause: pause).count == (count == nil ? 0 : 1))
  }

  /// What went on before or behind is no part of it; what comes again later is told again.
  @Test func `begin and end where lengths change`() throws {
    let lengths: [Int64] = [900, 300, 301, 302, 900, 120, 121, 120, 122]
    let counts = try found(0x13, lengths, pause: 3).map { $0.split(separator: " ")[1...2].joined(separator: " ") }
    #expect(counts == ["2 3", "6 4"])
  }
}
