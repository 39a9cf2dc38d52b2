import CaptureAnalysis
import CaptureFiles
import GATTKit
import TestSupport
import Testing

/// What is another's, and what only looks so: tables, names, channels and ends.
@Suite struct `What is another's` {
  private func measurements(_ octets: [UInt8]) throws -> [[UInt16]] {
    let analysis = try Analysis(octets)
    return analysis.connections.map { connection in
      analysis.events.compactMap { event in
        event.connection == connection.id ? event.content.heartRate?.reading.beatsPerMinute : nil
      }
    }
  }

  /// The making of one connection is reported behind its first data: its peer's table is no other's all the same.
  @Test func `two tables, where a making is reported late`() throws {
    var host = HostSide()
    host.create(peer: 1)
    host.sent(hex("02 05 02"))
    host.connected(peer: 1)
    host.connected(0x41, peer: 2)
    host.discoverHeartRate(first: 14)
    host.discoverHeartRate(on: 0x41, first: 40)
    for rate in [60, 61] as [UInt8] {
      host.notified(attribute: 16, [0, rate])
      host.notified(on: 0x41, attribute: 42, [0, rate + 30])
    }
    // Where the other one's value would be, this one has something else.
    host.notified(attribute: 42, [0, 99])
    #expect(try measurements(host.file()) == [[60, 61], [90, 91]])
  }

  /// It was expected to be another device's.
  @Test func `a table, where another peer was asked for`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate(first: 14)
    host.disconnected()
    host.create(peer: 1)
    host.sent(hex("02 05 02"))
    host.connected(peer: 2)
    host.notified(attribute: 16, [0, 60])
    #expect(try measurements(host.file()) == [[], []])
  }

  private static let name = "小米智能心率胸带运动版"

  /// At the least ATT_MTU, 22 octets come of it: they end amid a character.
  private func readName(_ host: inout HostSide, _ name: some Sequence<UInt8>) {
    host.sent(hex("0a 03 00"))
    host.received([0x0B] + Array(name))
  }

  private func discoverName(_ host: inout HostSide) {
    host.sent(hex("08 01 00 05 00 03 28"))
    host.received(hex("09 07 02 00 0a 03 00 00 2a"))
  }

  /// A file of which forty records were lost before the last few.
  private func file(_ host: HostSide, lostBefore last: Int) -> [UInt8] {
    host.file(dropping: 40, before: host.packets.count - last)
  }

  @Test func `no name that was cut amid a character`() throws {
    var host = HostSide()
    host.connected()
    discoverName(&host)
    readName(&host, Self.name.utf8.prefix(22))
    host.discoverHeartRate()
    host.notified([0, 60])
    host.wait(milliseconds: 4000)
    readName(&host, Self.name.utf8)
    host.notified([0, 61])
    let summary = try summary(of: file(host, lostBefore: 3))
    #expect(summary.connections.map { $0.device(.peer).name } == [Self.name])
  }

  @Test func `no name that the host has given`() throws {
    var host = HostSide()
    host.connected()
    discoverName(&host)
    readName(&host, "HRM 1234".utf8)
    host.discoverHeartRate()
    host.notified([0, 60])
    host.wait(milliseconds: 4000)
    host.write(attribute: 3, Array("Rudi".utf8))
    readName(&host, "Rudi".utf8)
    host.notified([0, 61])
    #expect(try summary(of: file(host, lostBefore: 5)).connections.map { $0.device(.peer).name } == ["Rudi"])
  }

  /// The server says that its table has changed, in one of three ways: it is the same server, and has one heart rate service.
  @Test(arguments: [
    [("0a 20 00", "01 0a 20 00 12")],
    [("0a 0a 00", "0b 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f")],
  ])
  func `no table that has changed`(exchange: [(String, String)]) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 08 00 0b 00 03 28"))
    host.received(hex("09 07 09 00 02 0a 00 2a 2b"))
    host.sent(hex("0a 0a 00"))
    host.received(hex("0b ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"))
    host.discoverHeartRate(first: 14)
    host.notified([0, 60])
    host.wait(milliseconds: 4000)
    let behind = host.packets.count
    for (request, response) in exchange {
      host.sent(hex(request))
      host.received(hex(response))
    }
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 12 00 0f 18 20 00 25 00 0d 18"))
    host.sent(hex("08 20 00 25 00 03 28"))
    host.received(hex("09 07 21 00 10 22 00 37 2a"))
    host.notified(attribute: 34, [0, 61])
    let file = file(host, lostBefore: host.packets.count - behind)
    #expect(try InferredCapture(file).measurements == [16: 1, 34: 1])
    let summary = try summary(of: file)
    #expect(summary.connections.count == 1)
    #expect(!summary.findings.map(\.rule).contains("several-heart-rate-services"))
  }

  /// A logger may write a record twice.
  @Test func `no channel whose opening is told twice`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    host.l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 00 00 50 00 51 00"))
    host.l2cap(.received, channel: 0x41, hex("05 00 1b 10 00 00 3c"))
    #expect(try measurements(host.file()) == [[60]])
  }

  /// The host may have asked for it: then it is known who is the central, though no event tells that.
  @Test(arguments: [false, true])
  func `no connection over BR/EDR whose making is told twice`(isAsked: Bool) throws {
    var host = HostSide()
    if isAsked {
      host.command(0x0405, HostSide.address(1) + hex("18 cc 01 00 00 00 01"))
      host.event(0x0F, hex("00 01 05 04"))
    }
    for _ in 0..<2 { host.connectedClassic() }
    host.openClassicATT(there: 0x41)
    #expect(try Analysis(host.file()).connections.count == 1)
  }

  /// The end of one connection is reported behind the making of the next on its handle, by a clock that runs backwards.
  @Test(arguments: [1, -2] as [Int64]) func `the end of the connection before`(milliseconds: Int64) throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0, 60])
    host.wait(milliseconds: 3000)
    host.connected(peer: 2)
    host.wait(milliseconds: milliseconds - 10)
    host.disconnected(reason: 0x08)
    host.discoverHeartRate()
    host.notified([0, 90])
    #expect(try measurements(host.file()) == [[60], [90]])
  }

  /// The host's own directed advertising, that nobody has answered, while it attempts another connection.
  @Test func `no attempt of the host's`() throws {
    var host = HostSide()
    host.create(peer: 1)
    host.connected(peer: 2, status: 0x3C, isPeripheral: true)
    host.wait(milliseconds: 500)
    host.connected(peer: 1)
    #expect(try !host.rules().contains("connection-not-established"))
  }
}
