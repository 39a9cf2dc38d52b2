import CaptureFiles
import Octets
import TestSupport
import Testing

/// Which times a btsnoop file's headers may tell, so that damage is told from records by them.
@Suite struct `Times of btsnoop` {
  private static let packets = Traffic.notifications(40)

  /// Records whose times are those of their packets, or seconds from where the file's own clock begins.
  private func records(_ container: Container, from beginning: UInt64?) -> [[UInt8]] {
    Self.packets.enumerated().map { index, packet in
      var record = container.record(packet)
      if let beginning { record.replaceSubrange(16..<24, with: (beginning + UInt64(index) * 1_000_000).big) }
      return record
    }
  }

  private func lost(_ read: ReadCapture) -> Int {
    let octets = read.packets
    return Self.packets.count { !octets.contains($0.octets) }
  }

  /// The first record's length is damaged, so that the second is not found behind it, and another one's later on.
  @Test(arguments: [Container.btsnoopH4, .btsnoopH1, .btsnoopMonitor], [[UInt8(0)], [0x0D, 0x0A], [0, 0, 0]])
  func `damage in the first header hides none behind it`(container: Container, inserted: [UInt8]) throws {
    var records = records(container, from: nil)
    for index in [0, 20] { records[index].insert(contentsOf: inserted, at: 4) }
    for delivery in [.whole, .pieces(7)] as [Delivery] {
      let read = try ReadCapture(container.header + records.joined(), delivery)
      #expect(lost(read) <= 2)
      #expect(read.progress.skippedOctets < 200 && read.progress.damageCount == 2)
    }
  }

  /// From the year 0, from a device's start, or in microseconds since 1970; and without an end.
  @Test(
    arguments: [Container.btsnoopH4, .btsnoopH1, .btsnoopMonitor],
    [0, 77_000_000, 1_700_000_000_000_000, UInt64.max - 400_000_000])
  func `a clock that counts from elsewhere tells damage, too`(container: Container, beginning: UInt64) throws {
    var records = records(container, from: beginning)
    let whole = try ReadCapture(container.header + records.joined())
    #expect(lost(whole) == 0 && whole.progress.isComplete)
    records[20].insert(0, at: 4)
    let read = try ReadCapture(container.header + records.joined())
    #expect(lost(read) <= 1)
    #expect(read.progress.skippedOctets < 100 && read.progress.damageCount == 1)
  }

  /// A monitor's records may be empty, but not among zeros alone.
  @Test func `zeros are no records`() throws {
    let read = try ReadCapture(Container.btsnoopMonitor.header + Array(repeating: 0, count: 10_000))
    #expect(read.records.isEmpty && read.progress.skippedOctets == 10_000)
  }
}
