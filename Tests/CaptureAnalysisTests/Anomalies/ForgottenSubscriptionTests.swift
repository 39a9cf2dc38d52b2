import TestSupport
import Testing

@testable import CaptureAnalysis

/// What was switched on when a connection ended, and what the next one makes of it.
@Suite struct `Forgotten subscriptions` {
  private static let encrypted = hex("00 40 00 01")

  /// A sensor that has measured, and was left without a word.
  private func sensor(isEncrypted: Bool = false, answersUnseen: Bool = false) -> HostSide {
    var host = HostSide()
    host.connected(isPeripheral: true)
    if isEncrypted { host.event(0x08, Self.encrypted) }
    host.showHeartRate()
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("13"))
    for _ in 0..<5 { host.sent(hex("1b 10 00 00 48")) }
    if answersUnseen { host.sent(hex("13")) }
    host.disconnected(reason: 0x08)
    host.wait(milliseconds: 5000)
    return host
  }

  /// Whoever never asked for heart rates is not accused.
  @Test(arguments: [(1, 1), (2, 0)] as [(UInt8, Int)])
  func `are missed from whom they were`(peer: UInt8, count: Int) throws {
    var host = sensor()
    host.connected(peer: peer, isPeripheral: true)
    host.received(hex("02 17 00"))
    host.sent(hex("03 17 00"))
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x13)
    let found = try host.findings(of: "never-subscribed")
    #expect(found.map(\.connection) == Array(repeating: 2, count: count), "\(found)")
    #expect(found.allSatisfy { $0.severity == .warning })
  }

  /// An answer whose request is not in the capture may be to the write that switched them off.
  @Test func `are not missed where a write may be missing`() throws {
    var host = sensor(answersUnseen: true)
    host.connected(isPeripheral: true)
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x13)
    #expect(try host.findings(of: "never-subscribed").isEmpty)
  }

  /// A bond keeps them: then measurements ought to come, unless they are switched off now, or were before it.
  @Test(arguments: [
    ([true, true], "", 1), ([true, true], "12 11 00 00 00", 0), ([false, true], "", 0), ([true, true], "1b", 0),
  ])
  func `are missed where a bond keeps them`(isEncrypted: [Bool], course: String, count: Int) throws {
    var host = sensor(isEncrypted: isEncrypted[0])
    host.connected(isPeripheral: true)
    if isEncrypted[1] { host.event(0x08, Self.encrypted) }
    if course.count > 2 {
      host.received(hex(course))
      host.sent(hex("13"))
    } else if !course.isEmpty {
      host.sent(hex("1b 10 00 00 48"))
    }
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x13)
    let found = try host.findings(of: "never-subscribed")
    #expect(found.count == count && found.allSatisfy { $0.severity == .warning && $0.connection == 2 }, "\(found)")
  }

  /// Somebody who wants the battery alone has forgotten nothing; who reads where the sensor is worn wants more.
  @Test(arguments: [(false, false), (true, false), (true, true)], [true, false])
  func `are wanted by whom the sensor's heart rates concern`(course: (Bool, Bool), isKnown: Bool) throws {
    let (wantsBattery, readsLocation) = course
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.discoverBattery()
    if isKnown {
      host.write(attribute: 17, [1, 0])
      host.notified([0x16, 0x48])
      host.disconnected(reason: 0x16)
      host.wait(milliseconds: 60_000)
      host.connected()
    }
    if wantsBattery { host.write(attribute: 23, [1, 0]) }
    host.sent(hex(readsLocation ? "0a 13 00" : "0a 16 00"))
    host.received(hex("0b 01"))
    host.wait(milliseconds: 60_000)
    host.disconnected(reason: 0x16)
    let found = try host.findings(of: "never-subscribed")
    let isBatteryAlone = wantsBattery && !readsLocation
    #expect(found.map(\.severity) == [isBatteryAlone ? .info : .warning])
    let words = "; the client has Battery Level notified, and uses nothing of the heart rate service"
    #expect(found.first?.message.hasSuffix(words) == isBatteryAlone)
  }
}
