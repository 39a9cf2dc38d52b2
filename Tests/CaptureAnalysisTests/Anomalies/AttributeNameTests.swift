import Testing
import TestSupport

@testable import CaptureAnalysis

/// A handle says nothing to who has no table beside him: messages say what it is of.
@Suite struct `Attributes in messages` {
  /// Heart rate: measurement 16, its configuration 17, location 19. Battery: level 22, its configuration 23.
  private static var discovered: HostSide {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.discoverBattery()
    return host
  }

  private func messages(_ host: HostSide, of rule: String) throws -> [String] {
    try host.findings(of: rule).map(\.message)
  }

  @Test(
    arguments: [
      ("0a 16 00", "Read Request for Battery Level (0x0016)"),
      ("0a 13 00", "Read Request for the Body Sensor Location (0x0013)"),
      ("12 11 00 01 00", "Write Request for the measurement's configuration (0x0011)"),
      ("12 17 00 01 00", "Write Request for the configuration of Battery Level (0x0017)"),
      ("0a 15 00", "Read Request for the declaration of Battery Level (0x0015)"),
      ("0a 30 00", "Read Request for 0x0030"),
    ])
  func `are named where they are asked for`(request: String, words: String) throws {
    var host = Self.discovered
    host.sent(hex(request))
    host.wait(milliseconds: 35_000)
    host.disconnected(reason: 0x16)
    #expect(
      try messages(host, of: "att-timeout") == ["the local host's \(words) has no answer in the 35 s that follow"])
  }

  @Test(
    arguments: [
      ("12 11 00 01", "the measurement's configuration (0x0011) is written with 1 octet, not 2"),
      ("12 17 00 01", "the configuration of Battery Level (0x0017) is written with 1 octet, not 2"),
      (
        "12 11 00 02 00",
        "the measurement's configuration (0x0011) asks for indications, which the measurement's properties lack"
      ),
      (
        "12 11 00 00 01",
        "the measurement's configuration (0x0011) is written with swapped octets, 00 01 where 01 00 was meant: that "
          + "switches nothing on"
      ),
      (
        "12 10 00 01 00",
        "a configuration is written to the measurement itself (0x0010), and not to the descriptor 0x2902"
      ),
      (
        "12 0f 00 01 00",
        "a configuration is written to the declaration of Heart Rate Measurement (0x000f), and not to the descriptor "
          + "0x2902"
      ),
      (
        "12 13 00 01 00",
        "a configuration is written to the Body Sensor Location (0x0013), and not to the descriptor 0x2902"
      ),
    ])
  func `are named where a configuration is wrong`(write: String, message: String) throws {
    var host = Self.discovered
    host.sent(hex(write))
    host.received(hex("13"))
    #expect(try messages(host, of: "cccd-invalid") == [message])
  }

  @Test(
    arguments: [
      ([1, 0], "measurements were switched on through their configuration (0x0011)"),
      ([2, 0], "indications of the measurement were asked for through its configuration (0x0011)"),
    ] as [([UInt8], String)])
  func `are named where nothing comes`(configuration: [UInt8], words: String) throws {
    var host = Self.discovered
    host.write(attribute: 17, configuration)
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x16)
    #expect(try messages(host, of: "subscription-without-notification") == ["\(words), and none came within 30 s"])
  }
}
