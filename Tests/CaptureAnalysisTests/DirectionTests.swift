import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Link type 187 has no direction: what is said tells which way it went.
@Suite struct `Captures without directions` {
  private func bpm(_ connection: AnalyzedConnection?) -> [UInt16?] {
    connection?.measurements.map(\.reading.beatsPerMinute) ?? []
  }

  /// Without a direction, a continuation belongs to what is unfinished, whatever began and ended in between.
  @Test func `fragments of one direction between those of the other, without directions`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.fragment(.received, hex("08 00 04 00 1b 10 00 16 48"))
    host.sent(hex("52 20 00 01"))
    host.fragment(.received, isContinuation: true, hex("00 03 10"))
    // Both ends have something unfinished: a piece is of the one that it finishes, or else of the one with room for it.
    host.fragment(.received, hex("07 00 04 00 1b 10 00"))
    host.fragment(.sent, hex("0b 00 04 00 12 20 00 01 02"))
    host.fragment(.received, isContinuation: true, hex("16 49 e8 03"))
    host.fragment(.received, hex("05 00 04 00 1b 10 00"))
    host.fragment(.sent, isContinuation: true, hex("03 04 05"))
    host.fragment(.sent, isContinuation: true, hex("06 07 08"))
    host.fragment(.received, isContinuation: true, hex("06 4a"))
    let directed = try Analysis(host.file()).connections
    let connections = try Analysis(host.file(.pcapH4)).connections
    #expect(connections.map { bpm($0) } == [[72, 73, 74]] && directed.map { bpm($0) } == [[72, 73, 74]])
    #expect(connections.allSatisfy { $0.malformed.isEmpty })
  }
}
