import BluetoothHost
import CaptureAnalysis
import Foundation
import GATTKit
import Testing
import TestSupport

@testable import hrsnoop

@Suite struct `What the system knows` {
  private let attributes = """
    [General]
    Name=HRTest

    [Attributes]
    000b=2800:0012:0000180d-0000-1000-8000-00805f9b34fb
    000c=2803:000d:10:00002a37-0000-1000-8000-00805f9b34fb
    000e=00002902-0000-1000-8000-00805f9b34fb

    """

  /// As BlueZ lays out /var/lib/bluetooth. Only what the cache holds of a device counts.
  @Test func `is read from BlueZ's cache`() async throws {
    try await TemporaryFolder.with { folder in
      let octets = Array(attributes.utf8)
      try folder.file("00:AA:01:01:00:01/cache/C5:44:33:22:11:01", octets)
      try folder.file("00:AA:01:01:00:01/cache/C5:44:33:22:11:02", Array("[General]\nName=Mouse\n".utf8))
      try folder.file("00:AA:01:01:00:01/cache/notes", octets)
      try folder.file("00:AA:01:01:00:01/C5:44:33:22:11:03/info", octets)
      try folder.file("00:AA:01:01:00:01/settings", octets)
      let known = SystemKnowledge(of: "bluetooth-monitor", cache: folder.path)
      #expect(known.databases.map { $0.address?.number } == [0xC544_3322_1101])
      #expect(known.databases.first?.database.type(of: 0x000D) == .heartRateMeasurement)
      #expect(known.sentence?.hasSuffix("BlueZ knows the GATT database of 1 device") == true)
    }
  }

  @Test func `may be nothing`() {
    #expect(SystemKnowledge(of: "bluetooth9", cache: "/no/such/folder").databases.isEmpty)
  }
}
