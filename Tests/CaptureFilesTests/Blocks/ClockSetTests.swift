import CaptureFiles
import Octets
import Testing
import TestSupport

/// A computer without a clock of its own counts from 1970 until it is told what time it is: the first packet of the right
/// day holds small numbers, as all packets do, which read as times of the day before it.
@Suite struct `A clock that is set once` {
  /// What Read Local Supported Commands gives: in it stands what reads as a record of 168 seconds after 1970 in pcap.
  private static let commands = hex(
    """
    0e 44 01 02 10 00 20 00 80 03 00 c0 00 00 00 00 e4 00 00 00 a8 22 00 00 00 00 00 00 04 00 00 f7 ff ff 7f 00 00 00 30 \
    f0 f9 ff 01 00 80 04 00 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    """)
  /// LE Create Connection: its longest interval, its latency and its timeout read as a record of 72 seconds after 1970 in
  /// PacketLogger.
  private static let connect = hex(
    "0d 20 19 60 00 30 00 00 01 1d 5a 2c 1a 9e e0 00 06 00 0c 00 00 00 48 00 00 00 00 00")

  @Test(arguments: Container.allCases, [3, 36])
  func `loses nothing`(container: Container, before: Int) throws {
    let odd = [CapturedPacket(.event, .received, Self.commands), CapturedPacket(.command, .sent, Self.connect)]
    for first in [odd[0], odd[1]] {
      var packets = Traffic.notifications(before + 1 + 60)
      packets[before] = CapturedPacket(first.content, first.direction, first.octets, time: packets[before].time)
      packets.insert(CapturedPacket(.command, .sent, hex("01 10 00"), time: packets[before].time), at: before + 1)
      for index in 0..<before { packets[index].time = 100_017_000 }
      for delivery in [.whole, .pieces(7)] as [Delivery] {
        let read = try ReadCapture(container.file(packets), delivery)
        #expect(read.packets == packets.map(\.octets) && read.records.map(\.time) == packets.map(\.time))
        #expect(read.progress.damageCount == 0 && read.progress.isComplete)
      }
    }
  }

  /// Where it was never set, damage costs no more than where it was.
  @Test(arguments: Container.allCases)
  func `or never, loses what is damaged`(container: Container) throws {
    var packets = Traffic.notifications(20)
    for index in packets.indices { packets[index].time -= CapturedPacket.start - 100_000_000 }
    let before = container.file(Array(packets.prefix(10)))
    let behind = packets.dropFirst(10).flatMap(container.record)
    for damage in [Array(repeating: 0xFF, count: 20), Array(repeating: 0, count: 100), Array("damaged".utf8)] {
      let read = try ReadCapture(before + damage + behind)
      #expect(read.packets == packets.map(\.octets) && read.progress.skippedOctets == damage.count)
    }
  }
}
