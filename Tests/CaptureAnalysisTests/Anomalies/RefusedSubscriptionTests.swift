import TestSupport
import Testing

@testable import CaptureAnalysis

/// Whoever writes the measurement's configuration by a handle that it remembers, and is refused.
@Suite struct `Refused subscriptions` {
  /// The capture tells only on the next connection what the handle is. One that no attribute has is none then either.
  @Test(
    arguments: [
      (0x03, ["never-subscribed"]), (0x05, ["access-refused"]), (0x11, ["never-subscribed"]), (0x01, ["cccd-invalid"]),
    ] as [(UInt8, [String])])
  func `are told where the table is discovered later`(error: UInt8, rules: [String]) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("12 11 00 01 00"))
    host.received(hex("01 12 11 00") + [error])
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 20_000)
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    host.disconnected(reason: 0x16)
    let found = try InferredCapture(host).findings
    #expect(found.filter { $0.connection == 1 }.map(\.rule) == rules, "\(found)")
  }

  /// In the sensor's own log it is the sensor that refuses.
  @Test func `are told where this device is the sensor`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.showHeartRate()
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("13"))
    for _ in 0..<5 { host.sent(hex("1b 10 00 00 48")) }
    host.disconnected(reason: 0x13)
    host.wait(milliseconds: 20_000)
    host.connected(isPeripheral: true)
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("01 12 11 00 11"))
    host.wait(milliseconds: 2000)
    host.disconnected(reason: 0x13)
    let found = try InferredCapture(host).findings
    #expect(
      found.map(\.message) == [
        "the notifications of the measurement 0x0010 of the local host were never switched on: the Write Request for the "
          + "measurement's configuration (0x0011) was refused with Insufficient Resources (0x11)"
      ], "\(found)")
  }

  /// Where the server has told what each handle behind the value is, and none is a configuration, it is the sensor's fault.
  @Test(
    arguments: [
      // The next declaration stands right behind the value.
      ("09 07 0f 00 10 10 00 37 2a 11 00 02 12 00 38 2a", nil, true),
      // A description does, and then a declaration.
      ("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a", "05 01 11 00 01 29", true),
      ("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a", "05 01 11 00 02 29", false),
      // Nobody has asked.
      ("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a", nil, false),
    ] as [(String, String?, Bool)])
  func `are not to be had where there is no configuration`(
    declarations: String, descriptors: String?, isWithout: Bool
  ) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex(declarations))
    if let descriptors {
      host.sent(hex("04 11 00 11 00"))
      host.received(hex(descriptors))
    }
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    let found = try host.findings()
    let message =
      "the measurement 0x0010 has no Client Characteristic Configuration (0x2902): nobody can switch its notifications on"
    #expect(found.map(\.rule) == ["never-subscribed"])
    #expect(found.map { $0.message == message } == [isWithout] && found.map { $0.severity == .error } == [isWithout])
  }

  /// Whoever reads the measurement has not understood how it comes.
  @Test(
    arguments: [
      ([0x02], "; it was read instead, once, and refused with Read Not Permitted (0x02)"),
      ([0x02, 0x02, 0x02], "; it was read instead, 3 times, and refused with Read Not Permitted (0x02)"),
      ([0x02, 0x80], "; it was read instead, twice, and refused"), ([], ""),
    ] as [([UInt8], String)])
  func `are not tried where the measurement is read instead`(errors: [UInt8], words: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("0a 13 00"))
    host.received(hex("01 0a 13 00 02"))
    for error in errors {
      host.sent(hex("0a 10 00"))
      host.received(hex("01 0a 10 00") + [error])
    }
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    let found = try InferredCapture(host).findings.filter { $0.rule == "never-subscribed" }
    #expect(found.count == 1)
    #expect(found.first?.message.hasSuffix("nobody switched its notifications on\(words)") == true, "\(found)")
  }
}
