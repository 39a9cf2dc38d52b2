import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// The ATT_MTU, where the capture does not hold all of the exchange: what is not known is not made up.
@Suite struct `Lost exchanges of the MTU` {
  /// What is missing, and whether the capture says so.
  enum Lost: CaseIterable { case nothing, request, response, both, late }

  /// What a capture comes to that lacks a part of the exchange.
  private func summary(without lost: Lost, isCounted: Bool, serverMTU: UInt8 = 0xB9) throws -> CaptureSummary {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 05 02"))
    // The answer comes with the next connection event.
    host.wait(milliseconds: 30)
    host.received([0x03, serverMTU, 0])
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.sent(hex("0a 13 00"))
    host.received([0x0B] + Array(repeating: 0x41, count: 40))
    host.notified([0, 60])
    host.disconnected(reason: 0x16)
    let places: [Int] =
      switch lost {
      case .nothing: []
      case .request: [1]
      case .response: [2]
      case .both: [1, 2]
      case .late: [host.packets.count - 2]
      }
    var file = BTSnoopBuilder.header(dataLink: 1002)
    var drops: UInt8 = 0
    for (place, packet) in host.packets.enumerated() {
      if places.contains(place) {
        drops += isCounted ? 1 : 0
        continue
      }
      var record = BTSnoopBuilder.h4(packet)
      record[15] = drops
      file += record
    }
    return try TestSupport.summary(of: file)
  }

  @Test(arguments: Lost.allCases, [false, true])
  func `are unknown as far as anything shows`(lost: Lost, isCounted: Bool) throws {
    let summary = try summary(without: lost, isCounted: isCounted)
    // Where both halves are gone without a trace, there seems to have been none.
    let expected: UInt16? =
      switch lost {
      case .nothing, .late: 185
      case .both: isCounted ? nil : 23
      case .request, .response: nil
      }
    #expect(summary.connections.map(\.mtu) == [expected])
    let accused = summary.findings.filter { ["pdu-exceeds-mtu", "att-parallel-requests"].contains($0.rule) }
    #expect(accused.isEmpty || lost == .both && !isCounted, "\(accused)")
  }

  /// Two ends agree on what the shorter takes, and none takes less than 23.
  @Test func `are known where the server takes no more than the least`() throws {
    #expect(try summary(without: .request, isCounted: true, serverMTU: 23).connections.map(\.mtu) == [23])
    #expect(try summary(without: .response, isCounted: true, serverMTU: 23).connections.map(\.mtu) == [nil])
  }

  /// What a connection without an exchange begins with may have been exchanged in a hole, but not behind measurements.
  @Test(arguments: [(nil, 23), (2, nil), (1, 23)] as [(Int?, UInt16?)])
  func `may be in any hole before measurements`(fromEnd: Int?, mtu: UInt16?) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 60])
    host.notified([0, 61])
    var file = host.file()
    let places = BTSnoopBuilder.recordPlaces(of: file)
    for place in places.suffix(fromEnd ?? 0) { file[place + 15] = 2 }
    #expect(try TestSupport.summary(of: file).connections.map(\.mtu) == [mtu])
  }

  /// The capture keeps so little of each packet that the exchange is cut.
  @Test(arguments: [(11, 185), (10, nil), (9, nil)] as [(Int, UInt16?)])
  func `are unknown where the capture cuts them`(kept: Int, mtu: UInt16?) throws {
    var host = HostSide()
    host.keptACLOctets = kept
    host.connected()
    host.sent(hex("02 05 02"))
    host.received(hex("03 b9 00"))
    #expect(try TestSupport.summary(of: host.file()).connections.map(\.mtu) == [mtu])
  }
}
