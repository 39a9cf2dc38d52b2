import BluetoothHost
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A log that was taken, and taken again when it had gone on: the second begins within the first.
@Suite struct `Captures that hold the same records` {
  private typealias Packets = ArraySlice<CapturedPacket>

  /// Two minutes of a connection that is seen to begin, in times that nobody has rounded.
  private func host(peer: UInt8 = 1, from microseconds: Int64 = 0, rounding: Int64 = 1) -> HostSide {
    var host = HostSide()
    host.time += microseconds
    host.connected(peer: peer)
    host.discoverHeartRate()
    host.notifyRates(120, rounding: rounding)
    return host
  }

  /// Reads captures one after another, each knowing what those before it told.
  private func read(_ captures: [Packets]) throws -> [InferredCapture] {
    var (told, read) = (Conclusions(), [InferredCapture]())
    for packets in captures {
      var knowledge = CaptureKnowledge()
      knowledge.remember(told)
      read.append(try InferredCapture(Container.btsnoopH4.file(Array(packets)), knowledge))
      told.add(read[read.count - 1].conclusions)
    }
    return read
  }

  /// The last octet of each connection's peer; nil where that is not known.
  private func peers(_ capture: InferredCapture) -> [UInt64?] {
    let connected = capture.events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }
    return connected.map { event in event.peer.address.map { $0.number & 0xFF } }
  }

  /// The last one goes on for a while; it has the first one's last seconds only, or nearly all of it.
  @Test(arguments: [20, 60, 110]) func `tell with whom a connection is`(begin: Int) throws {
    let packets = host().packets
    let captures = try read([packets[..<(packets.count - 5)], packets[begin...]])
    #expect(peers(captures[1]) == [1] && captures[1].measurements[16] ?? 0 > 5)
    // Such a capture alone knows neither.
    #expect(peers(try read([packets[begin...]])[0]) == [nil])
  }

  /// Too little for being sure.
  @Test func `not with three of them`() throws {
    let packets = host().packets
    let captures = try read([packets[..<(packets.count - 5)], packets[(packets.count - 8)...]])
    #expect(peers(captures[1]) == [nil])
  }

  /// Another phone with the same handle and the same values, a few microseconds later; or one whose log has rounded times.
  @Test(arguments: [(3, 1), (0, 1000)] as [(Int64, Int64)])
  func `not if another host's may be the same`(later: Int64, rounding: Int64) throws {
    let one = host(rounding: rounding).packets
    let other = host(peer: 2, from: later, rounding: rounding).packets
    #expect(peers(try read([one[...], other[30...]])[1]) == [nil])
  }

  /// One record that the first does not have is one too many, and so is one of another connection.
  @Test func `not if the first lacks some of them`() throws {
    var packets = host().packets
    let second = packets[30...]
    packets.remove(at: 60)
    #expect(peers(try read([packets[...], second])[1]) == [nil])
  }

  /// What the controllers say of themselves tells the hosts apart, whatever their connections have in common.
  @Test(arguments: [1, 2] as [UInt8]) func `not if another controller says what it is`(other: UInt8) throws {
    func told(_ number: UInt8, by packets: Packets) -> Packets {
      var host = HostSide()
      host.time = packets.last?.time ?? 0
      host.event(0x0E, hex("01 09 10 00") + [number] + hex("5e 10 32 21 40"))
      return packets + host.packets
    }
    let packets = host().packets
    let captures = try read([told(1, by: packets[..<(packets.count - 5)]), told(other, by: packets[60...])])
    #expect(peers(captures[1]) == [other == 1 ? 1 : nil])
  }

  /// What ends in both, and is another one's behind that.
  @Test func `only up to its end`() throws {
    var host = host()
    host.disconnected()
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 71])
    let packets = host.packets
    let captures = try read([packets[...], packets[60...]])
    #expect(peers(captures[1]) == [1, 2])
    #expect(
      captures[1].measurements == [
        16: packets[60...].count { $0.octets.count == 13 && $0.octets[8...].starts(with: [0x1B, 16]) }, 32: 1,
      ])
  }

  /// However long it is, some of an hour's values are known.
  @Test func `of a long log`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notifyRates(40_000)
    let packets = host.packets
    let captures = try read([packets[..<(packets.count - 100)], packets[(packets.count - 3700)...]])
    #expect(peers(captures[1]) == [1])
    let sample = try #require(captures[0].conclusions.span).sampled.sample
    #expect((256...1024).contains(sample.marks.count))
  }
}
