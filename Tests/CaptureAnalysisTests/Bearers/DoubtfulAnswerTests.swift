import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// Answers that may be to another request than the one that waits: what they say is nobody's, rather than the wrong one's.
@Suite struct `Answers that fit several requests` {
  /// The location is 19, and the battery's level is 24.
  private var host: HostSide = {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("08 14 00 ff ff 03 28"))
    host.received(hex("09 07 17 00 12 18 00 19 2a"))
    return host
  }()

  /// What a capture tells to be read: each handle, and its value.
  private func reads(_ file: [UInt8]) throws -> [String] {
    try Analysis(file).events.compactMap { event in
      if case .read(let value) = event.content { "\(value.handle) \(value.octets.hexadecimal)" } else { nil }
    }
  }

  /// Of two that were sent at once, what is answered last can be no other than the second.
  @Test(arguments: [3, 20] as [Int64], [false, true])
  func `as a client sends them that does not wait`(apart: Int64, isBehindFault: Bool) throws {
    var host = host
    if isBehindFault { host.fragment(.received, isContinuation: true, hex("0a 00 04 00 09 08")) }
    for _ in 0..<2 {
      host.wait(milliseconds: 1000)
      host.sent(hex("0a 18 00"))
      host.time += (apart - 10) * 1000
      host.sent(hex("0a 13 00"))
      host.wait(milliseconds: 45)
      host.received(hex("0b 5a"))
      host.received(hex("0b 01"))
    }
    #expect(try reads(host.file()) == (apart == 3 ? ["19 01", "19 01"] : []))
  }

  /// An answer and the next request may be among two lost records, and are not where one is lost.
  @Test(arguments: [(1, ["24 5a"]), (2, [])] as [(UInt8, [String])])
  func `behind lost records`(lost: UInt8, told: [String]) throws {
    var host = host
    host.sent(hex("0a 18 00"))
    let before = host.packets.count
    host.received(hex("0b 5a"))
    host.notified([0, 60])
    var file = host.file()
    for place in BTSnoopBuilder.recordPlaces(of: file)[before...] { file[place + 15] = lost }
    #expect(try reads(file) == told)
  }
}
