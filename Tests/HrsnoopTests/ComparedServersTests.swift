import Testing
import TestSupport

/// Sensors that are clients of the phone's server as well, or change their own: what is compared is the sensor's.
@Suite struct `Comparing servers` {
  /// A healthy session, in the middle of which something more is said.
  private func session(_ more: (inout HostSide) -> Void = { _ in }) -> [UInt8] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for place in 0..<12 {
      host.notified([0x00, 70])
      host.wait(milliseconds: 1000)
      if place == 6 { more(&host) }
    }
    host.disconnected()
    return host.file()
  }

  /// The values of the aspects that a capture and a plain one do not have in common.
  private func differences(_ octets: [UInt8]) async throws -> [String: [String]] {
    try await TemporaryFolder.with { folder in
      let paths = [try folder.file("plain", session()), try folder.file("other", octets)]
      let aspects = try await Program.run(["diff", "--format", "json"] + paths).json()["aspects"]?.array
      let values = try #require(aspects).compactMap { aspect -> (String, [String])? in
        let values = aspect["values"]?.array?.compactMap(\.string) ?? []
        return aspect["aspect"]?.string.map { ($0, values) }
      }
      return Dictionary(uniqueKeysWithValues: values).filter { Set($0.value).count > 1 }
    }
  }

  @Test func `what a sensor asks of the phone is not its own`() async throws {
    let octets = session { host in
      host.received(hex("10 01 00 ff ff 00 28"))
      host.sent(hex("11 06 1e 00 20 00 0a 18 28 00 2b 00 0f 18"))
      host.received(hex("08 1e 00 20 00 03 28"))
      host.sent(hex("09 07 1f 00 02 20 00 29 2a"))
      host.received(hex("08 28 00 2b 00 03 28"))
      host.sent(hex("09 07 29 00 12 2a 00 19 2a"))
      host.received(hex("04 2b 00 2b 00"))
      host.sent(hex("05 01 2b 00 02 29"))
      // "Phone", and how full its battery is.
      host.received(hex("0a 20 00"))
      host.sent(hex("0b 50 68 6f 6e 65"))
      host.received(hex("12 2b 00 01 00"))
      host.sent(hex("13"))
    }
    #expect(try await differences(octets) == [:])
  }

  @Test func `what is found anew since the table has changed took no longer to find`() async throws {
    let octets = session { host in
      // Service Changed at 4, indicated, and a service that is new.
      host.received(hex("1d 04 00 14 00 ff ff"))
      host.sent(hex("1e"))
      host.sent(hex("10 14 00 ff ff 00 28"))
      host.received(hex("11 06 14 00 17 00 0f 18"))
    }
    let found = try await differences(octets)
    #expect(found["discovery"] == nil, "\(found)")
  }
}
