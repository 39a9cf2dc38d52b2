import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What is said of a sensor of which the capture tells only that it advertises, or what it sent before.
@Suite struct `Missing heart rates` {
  /// A client that discovers nothing writes what it knows from before, and is answered.
  private static func subscribe(_ host: inout HostSide, _ answer: String = "13") {
    host.sent(hex("12 11 00 01 00"))
    host.received(hex(answer))
  }

  /// What is found once it is known which attributes are measurements.
  private static func findings(_ host: HostSide) throws -> [Finding] {
    try summary(of: host.file(), knowing: InferredCapture(host).knowledge).findings
  }

  /// The attribute was taken for a measurement by its values on the connection before.
  @Test(arguments: [
    ("13", "none in the 30 s behind"), ("01 12 11 00 03", "was refused with Write Not Permitted (0x03)"),
  ])
  func `are missed where they came before`(answer: String, message: String) throws {
    var host = HostSide()
    host.connected()
    Self.subscribe(&host)
    for beat in 0..<20 as Range<UInt8> {
      host.wait(milliseconds: 1000)
      host.notified([0x16, 0x48 + beat % 3, UInt8(0x54 - beat % 3 * 4), 0x03])
    }
    host.disconnected(reason: 0x08)
    host.wait(milliseconds: 5000)
    host.connected()
    Self.subscribe(&host, answer)
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x16)
    let found = try Self.findings(host).filter { $0.rule == "heart-rate-missing" }
    #expect(found.map(\.connection) == [2])
    #expect(found.first?.message.contains("sent heart rates before") == true, "\(found.map(\.message))")
    #expect(found.first?.message.contains(message) == true, "\(found.map(\.message))")
    #expect(found.first?.message.contains("had switched its measurement on before") == true)
  }
}
