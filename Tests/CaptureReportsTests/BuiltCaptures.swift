import CaptureFiles
import TestSupport
import Testing

/// A capture made for a report.
struct BuiltCapture: CustomTestStringConvertible, Sendable {
  let name: String
  let octets: @Sendable () throws -> [UInt8]

  var testDescription: String { name }

  static let all = [
    BuiltCapture(name: "empty") { BTSnoopBuilder.header() },
    BuiltCapture(name: "cut-off") { Array(try Sample.named("polar-h7.btsnoop").octets.dropLast(5)) },
    BuiltCapture(name: "damaged", octets: damaged), BuiltCapture(name: "began-before") { beganBefore.file() },
    BuiltCapture(name: "fourteen-octets") { fourteenOctets.file() },
    BuiltCapture(name: "no-heart-rate") { noHeartRate.file() },
    BuiltCapture(name: "odd-links") { oddLinks.file(.btsnoopMonitor) },
    BuiltCapture(name: "hostile-name") { hostileName.file() },
    BuiltCapture(name: "contact-lost") { contactLost.file() },
    BuiltCapture(name: "many-findings") { manyFindings.file() },
    BuiltCapture(name: "many-connections") { manyConnections.file() },
    BuiltCapture(name: "dropped") {
      BTSnoopBuilder.header() + BTSnoopBuilder.record([4, 0x0F, 0], drops: 3)
        + BTSnoopBuilder.record([4, 0x0F, 0], drops: 7)
    },
  ]

  /// The header of record 200 is overwritten, and that of record 230.
  private static func damaged() throws -> [UInt8] {
    var octets = try Sample.named("polar-h7.btsnoop").octets
    for record in [200, 230] {
      let start = try ReadCapture(octets).records.first { $0.number == record }.map { $0.offset - 25 } ?? 0
      for place in start..<start + 8 { octets[place] = 0xFF }
    }
    return octets
  }

  /// Known by nothing but its traffic; then another connection gets its handle.
  private static var beganBefore: HostSide {
    var host = HostSide()
    host.sent([0x0A, 0x03, 0x00])
    host.received([0x0B] + Array("Polar H7".utf8))
    host.discoverHeartRate()
    for rate in [70, 71, 72, 73] as [UInt8] {
      host.notified([0x16, rate, 0x50, 0x03])
      host.wait(milliseconds: 990)
    }
    host.connected(peer: 2)
    return host
  }

  /// As Android's default log: every ACL packet cut to 14 octets.
  private static var fourteenOctets: HostSide {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = 14
    for index in 0..<90 as Range<UInt8> {
      host.notified([0x16, 60 + index / 3, 0x50, 0x03, 0x60, 0x03])
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: 0x08)
    return host
  }

  /// Headphones that stay connected, and a heart rate sensor that only advertises.
  private static var noHeartRate: HostSide {
    var host = HostSide()
    host.connectedClassic(0x0B, peer: 9)
    let data = hex("02 01 06 03 03 0d 18 05 09") + Array("HRM1".utf8) + hex("05 ff 6b 00 01 02")
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(5) + [UInt8(data.count)] + data + [0xC4])
    host.connected(0x41, peer: 3)
    host.sent(on: 0x41, hex("10 01 00 ff ff 00 28"))
    host.received(on: 0x41, hex("11 06 01 00 05 00 0f 18"))
    host.disconnected(0x41, reason: 0x13)
    host.connected(0x42, peer: 4, status: 0x3E)
    return host
  }

  /// Two adapters, whose peers share handles; requests for parameters refused; MTU agreed; values refused.
  private static var oddLinks: HostSide {
    var host = HostSide()
    for adapter in [0, 1] as [UInt16] {
      host.adapter = adapter
      host.connected(peer: UInt8(adapter) + 1)
      host.discoverHeartRate(first: adapter == 0 ? 14 : 30)
    }
    for index in 0..<20 as Range<UInt8> {
      host.adapter = 0
      host.notified([0x06, 60 + index])
      host.adapter = 1
      host.notified(attribute: 32, [0x00, 120 - index])
      host.wait(milliseconds: 980)
    }
    host.adapter = 0
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    host.sent(hex("02 f7 00"))
    host.received(hex("03 9e 00"))
    host.sent([0x0A, 0x10, 0x00])
    host.received(hex("01 0a 10 00 02"))
    host.received(hex("1b 10"))
    host.fragment(.received, isContinuation: true, [1, 2, 3])
    host.disconnected(reason: 0x3B)
    return host
  }

  private static var hostileName: HostSide {
    var host = HostSide()
    host.connected()
    host.readName("\u{1B}[31mPolar\n\u{202E}心拍計 ❤️")
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.notified([0x06, 72])
    return host
  }

  /// Energy falls and the rate leaps again and again, then there is a gap. Of six updates of the connection, five
  /// change something.
  private static var manyFindings: HostSide {
    var host = HostSide()
    host.subscribe()
    let updates = [
      "18 00 00 00 48 00", "18 00 00 00 48 00", "30 00 04 00 48 00", "30 00 04 00 f4 01", "18 00 00 00 f4 01",
      "06 00 00 00 f4 01",
    ]
    for parameters in updates {
      host.leEvent(0x03, hex("00 40 00") + hex(parameters))
    }
    for index in 0..<160 as Range<UInt8> {
      let energy: UInt8 = index % 4 == 3 ? 10 : 20
      host.notified([0x0E, index % 8 < 4 ? 70 : 110, energy, 0])
      host.wait(milliseconds: index == 155 ? 30_000 : 990)
    }
    host.disconnected(reason: 0x08)
    return host
  }

  /// One sensor, five times: well, with a gap, without a measurement, cut off by the timeout, and still there.
  private static var manyConnections: HostSide {
    var host = HostSide()
    for connection in 0..<5 {
      host.connected()
      if connection == 0 { host.discoverHeartRate() }
      host.write(attribute: 17, [1, 0])
      for second in 0..<(connection == 2 ? 0 : 12 * (connection + 1)) {
        host.notified([0x06, UInt8(60 + 10 * connection + second % 7)])
        host.wait(milliseconds: connection == 1 && second == 15 ? 9_000 : 990)
      }
      if connection < 4 { host.disconnected(reason: connection == 3 ? 0x08 : 0x13) }
      host.wait(milliseconds: 200_000)
    }
    return host
  }

  /// Contact comes and goes, energy is told, and for half a minute nothing comes.
  private static var contactLost: HostSide {
    var host = HostSide()
    host.subscribe()
    for index in 0..<60 as Range<UInt8> {
      let flags: UInt8 = index % 10 < 3 ? 0x04 : 0x06
      host.notified(index % 10 == 0 ? [flags | 8, 100 + index, index, 0] : [flags, 100 + index])
      host.wait(milliseconds: index == 30 ? 30_000 : 990)
    }
    return host
  }
}
