import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// A capture of pcapng's Simple Packet Blocks has no times: nothing in it was soon or late, or lasted for no time.
@Suite struct `Rules without times` {
  private func findings(_ build: (inout HostSide) -> Void) throws -> [Finding] {
    var host = HostSide()
    build(&host)
    let builder = PCAPNGBuilder()
    let file = host.packets.reduce(into: builder.section + builder.interface(linkType: 201)) { file, packet in
      file += builder.simple(PCAPBuilder.linkHeader(201, packet) + packet.octets)
    }
    return try summary(of: file).findings
  }

  private func messages(_ build: (inout HostSide) -> Void) throws -> [String: String] {
    Dictionary(try findings(build).map { ($0.rule, $0.message) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `no duration is told`() throws {
    let messages = try messages {
      $0.connected()
      $0.discoverHeartRate()
      for value in [[6, 72], [4, 0], [4, 0], [6, 72], [4, 72]] as [[UInt8]] { $0.notified(value) }
      $0.disconnected(reason: 0x13)
    }
    #expect(
      messages["notification-without-subscription"] == "5 measurements came, and nobody switched notifications on"
    )
    #expect(messages["contact-lost"] == "contact lost for 2 measurements")
    #expect(messages["heart-rate-zero"] == "2 heart rates of 0, without skin contact")
    #expect(messages["sensor-hung-up"] == "the sensor ended the connection; it had told that it has no contact")
  }

  @Test func `nor how long the peer was not heard`() throws {
    let message = try messages {
      $0.connected()
      $0.discoverHeartRate()
      $0.disconnected(reason: 0x08)
    }["supervision-timeout"]
    #expect(message?.hasPrefix("the peer was not heard any more, interval ") == true, "\(message ?? "")")
  }

  @Test func `connections did not follow each other soon`() throws {
    let found = try findings {
      for _ in 0..<4 {
        $0.connected()
        $0.discoverHeartRate()
        $0.disconnected(reason: 0x16)
      }
    }
    #expect(!found.contains { $0.rule == "reconnect-loop" })
  }

  @Test func `an answer that is missing may have come in time`() throws {
    let found = try findings {
      $0.connected()
      $0.sent(hex("0a 13 00"))
      $0.sent(hex("0a 10 00"))
      $0.received(hex("0b 01"))
    }
    #expect(!found.contains { $0.rule == "att-parallel-requests" })
  }

  @Test func `what follows a full notification need not be its rest`() throws {
    let found = try findings {
      $0.connected()
      $0.discoverHeartRate()
      $0.write(attribute: 17, [1, 0])
      for _ in 0..<4 {
        $0.notified([0x10, 72] + Array(repeating: [0x55, 0x03], count: 9).joined())
        $0.notified([0x10, 72, 0x55, 0x03])
      }
    }
    #expect(!found.contains { $0.rule == "rr-overflow" })
  }

  @Test func `the same measurement again did not come at once`() throws {
    let found = try findings {
      $0.connected()
      $0.discoverHeartRate()
      $0.write(attribute: 17, [1, 0])
      for interval in [0x00, 0x08, 0x08, 0xF8, 0x04] as [UInt8] { $0.notified([0x10, 72, interval, 0x03]) }
    }
    #expect(found.map(\.rule) == [])
  }
}
