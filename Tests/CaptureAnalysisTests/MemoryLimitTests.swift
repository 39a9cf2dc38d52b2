import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Captures that are made to take memory, and sensors that must be found in them all the same.
@Suite struct `Limits of memory` {
  private func summary(_ octets: [UInt8]) throws -> CaptureSummary {
    try TestSupport.summary(of: octets, listsMeasurements: true)
  }

  /// A measurement of a sensor that is discovered, and then another.
  private func addSensor(_ host: inout HostSide, on handle: UInt16 = 0x40, peer: UInt8 = 99) {
    host.connected(handle, peer: peer)
    host.discoverHeartRate(on: handle)
    host.write(on: handle, attribute: 17, [1, 0])
    host.notified(on: handle, [0x00, 70])
    host.notified(on: handle, [0x00, 71])
  }

  @Test func `a sensor behind ten thousand connections without one is listed`() throws {
    var host = HostSide()
    for peer in 0..<10_050 {
      host.connected(peer: UInt8(peer % 90))
      host.disconnected()
      host.wait(milliseconds: 1500)
    }
    addSensor(&host)
    // The same value of energy twice, less the second time: rules look at it too.
    host.notified([0x08, 70, 9, 0])
    host.notified([0x08, 70, 7, 0])
    let summary = try summary(host.file())
    let sensors = summary.connections.filter { $0.heartRate != nil }
    #expect(sensors.map(\.id) == [10_051])
    #expect(sensors.first?.heartRate?.statistics.measurements == 4)
    #expect(summary.connections.count + summary.unlistedConnections == 10_051)
    #expect(summary.findings.contains { $0.rule == "energy-decreased" && $0.connection == 10_051 })
  }

  /// More with a sensor than are listed: they are counted, and cost no more than others.
  @Test func `of ten thousand sensors and more, those beyond are counted`() throws {
    var host = HostSide()
    for peer in 0..<10_020 {
      host.connected(peer: UInt8(peer % 200))
      if peer < 200 { host.discoverHeartRate() }
      host.notified([0x00, 70])
      host.disconnected()
      host.wait(milliseconds: 1500)
    }
    let summary = try summary(host.file())
    #expect(summary.connections.count == 10_000 && summary.unlistedConnections == 20)
    #expect(summary.connections.allSatisfy { $0.heartRate?.statistics.measurements == 1 })
  }

  /// Each on a handle of its own, as some controllers number them; their ends are not in the capture.
  @Test(arguments: [true, false])
  func `more connections than can be open at once make room for others`(areEnded: Bool) throws {
    var host = HostSide()
    for number in 0..<5000 {
      host.adapter = UInt16(number / 3000)
      host.connected(UInt16(number % 3000), peer: 1)
      if areEnded { host.disconnected(UInt16(number % 3000)) }
      host.wait(milliseconds: 1200)
    }
    host.adapter = 0
    addSensor(&host, on: 0xC00)
    let analysis = try Analysis(host.file(.btsnoopMonitor))
    #expect(analysis.facts.unfollowedConnections == 0)
    #expect(analysis.measurements.map(\.reading.beatsPerMinute) == [70, 71])
    #expect(analysis.events.filter { $0.content.kind == .connected }.count == 5001)
  }

  /// They would have 13 MB; the sensor's own, which began before them, is given up with them.
  @Test func `what is unfinished on two hundred connections is given up`() throws {
    var host = HostSide()
    addSensor(&host)
    let last = UInt16(6).little + UInt16(4).little + [0x1B, 16, 0] + [0x00, 80, 0]
    host.fragment(.received, Array(last.prefix(7)))
    for handle in 0x100..<0x100 + 200 as Range<UInt16> {
      // Each of another, and none of the sensor.
      host.connected(handle, peer: UInt8(handle - 0x100) + (handle < 0x100 + 99 ? 0 : 1))
      host.fragment(on: handle, .received, UInt16.max.little + UInt16(4).little + Array(repeating: 0, count: 65_000))
    }
    let first = host.file()
    host.fragment(.received, isContinuation: true, Array(last.dropFirst(7)))
    host.notified([0x00, 81])
    let whole = host.file()
    // In pieces, as files are read: memory is looked at between them.
    var rates: [UInt16?] = []
    let forwarder = EventForwarder(selection: [.all, .measurementOctets], start: nil) {
      if let measurement = $0.content.heartRate { rates.append(measurement.reading.beatsPerMinute) }
    }
    var analyzer = Analyzer(into: forwarder)
    var start = 0
    while start < first.count {
      let end = min(start + 200_000, first.count)
      let consumed = try analyzer.read(whole[start..<end].span, isLast: false)
      guard consumed > 0 else { break }
      start += consumed
    }
    let rest = whole[start...]
    _ = try analyzer.read(rest.span, isLast: true)
    #expect(rates == [70, 71, 81])
  }

  /// 200,000 attributes are kept; what the first peers have told is forgotten, what the last one has is not.
  @Test func `the tables of peers that are gone make room for others`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.disconnected()
    for peer in 2..<9 as Range<UInt8> {
      host.wait(milliseconds: 2000)
      host.connected(peer: peer)
      for first in stride(from: 1, to: 40_000, by: 60) {
        let types = (first..<first + 60).map { UInt16($0).little + hex("08 29") }.joined()
        host.sent([0x04] + UInt16(first).little + [0xFF, 0xFF])
        host.received([0x05, 0x01] + types)
      }
      host.disconnected()
    }
    host.wait(milliseconds: 2000)
    host.connected(peer: 9)
    host.discoverHeartRate()
    host.disconnected()
    for peer in [1, 9] as [UInt8] {
      host.wait(milliseconds: 2000)
      host.connected(peer: peer)
      host.notified([0x00, UInt8(60 + peer)])
      host.disconnected()
    }
    #expect(try Analysis(host.file()).measurements.map(\.reading.beatsPerMinute) == [69])
  }

  /// Five peers that are all there at once, with more services than are kept: what was told of the sensor is forgotten,
  /// and told anew when it is discovered anew.
  @Test func `what was told of attributes without end is forgotten`() throws {
    var host = HostSide()
    addSensor(&host)
    for peer in 1...5 as ClosedRange<UInt8> {
      let handle = 0x100 + UInt16(peer)
      host.connected(handle, peer: peer)
      for first in stride(from: 1, to: 48_000, by: 20) {
        let services = (first..<first + 20).map { UInt16($0).little + UInt16($0).little + hex("0f 18") }.joined()
        host.sent(on: handle, [0x10] + UInt16(first).little + hex("ff ff 00 28"))
        host.received(on: handle, [0x11, 0x06] + services)
      }
    }
    host.discoverHeartRate()
    host.notified([0x00, 72])
    let analysis = try Analysis(host.file(), .pieces(100_000))
    let told = analysis.events.filter { $0.connection == 1 && $0.content.kind == .service }
    #expect(told.count == 2)
    #expect(analysis.measurements.map(\.reading.beatsPerMinute) == [70, 71, 72])
  }
}
