import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// What is lost on a credit-based channel costs the SDU it is in, never the next one.
@Suite struct `Lost frames of Enhanced ATT` {
  /// A sensor with two enhanced channels, 40 and 41.
  private static var sensor: HostSide {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.openEnhancedBearers()
    return host
  }

  /// The first of two frames, with 11 octets missing.
  private static func begin(_ host: inout HostSide, on channel: UInt16 = 0x40) {
    host.l2cap(.received, channel: channel, hex("13 00 1b 10 00 16 50 01 02 03"))
  }

  private static func notify(_ host: inout HostSide, _ rates: ClosedRange<UInt8>, on channel: UInt16 = 0x40) {
    for rate in rates { host.l2cap(.received, channel: channel, hex("05 00 1b 10 00 06") + [rate]) }
  }

  private func bpm(_ file: [UInt8]) throws -> [UInt16?] {
    try Analysis(file).measurements.map(\.reading.beatsPerMinute)
  }

  @Test func `a frame that was not finished`() throws {
    var host = Self.sensor
    Self.begin(&host)
    // The other channel's is whole.
    Self.begin(&host, on: 0x41)
    host.fragment(.received, hex("0b 00 40 00 04 05 06"))
    Self.notify(&host, 70...72)
    host.l2cap(.received, channel: 0x41, hex("04 03 05 03 06 03 07 03 08 03 09"))
    Self.notify(&host, 73...73, on: 0x41)
    #expect(try bpm(host.file()) == [70, 71, 72, 80, 73])
    #expect(try Analysis(host.file()).connections.first?.malformed.map(\.problem) == [.pieces(.startInsideUnfinished)])
  }

  @Test func `the start of a frame is missing`() throws {
    var host = Self.sensor
    Self.begin(&host)
    host.fragment(.received, isContinuation: true, hex("04 05 06"))
    Self.notify(&host, 70...72)
    #expect(try bpm(host.file()) == [70, 71, 72])
  }

  @Test func `a frame in a damaged stretch`() throws {
    var host = Self.sensor
    Self.begin(&host)
    let before = host.file()
    var after = HostSide()
    Self.notify(&after, 70...72)
    let file = before + Array(repeating: 0xFF, count: 57) + after.packets.flatMap { Container.btsnoopH4.record($0) }
    #expect(try bpm(file) == [70, 71, 72])
  }

  /// The capture counts what it lost. Whether a frame was among it nobody can tell.
  @Test(arguments: [false, true]) func `frames that the capture dropped`(isItself: Bool) throws {
    var host = Self.sensor
    Self.begin(&host)
    let dropped = host.packets.count
    if !isItself { host.l2cap(.received, channel: 0x40, hex("04 03 05 03 06 03 07 03 08 03 09")) }
    Self.notify(&host, 70...72)
    #expect(try bpm(host.file(dropping: 1, before: dropped)) == (isItself ? [70, 71, 72] : [80, 70, 71, 72]))
  }

  /// Of one the end is missing, and of a later one the beginning: together they would be just what none of them was.
  @Test func `halves of two that the capture dropped`() throws {
    var host = Self.sensor
    Self.begin(&host)
    let dropped = host.packets.count
    host.wait(milliseconds: 900)
    host.l2cap(.received, channel: 0x40, hex("04 03 05 03 06 03 07 03 08 03 09"))
    Self.notify(&host, 70...72)
    #expect(try bpm(host.file(dropping: 1, before: dropped)) == [70, 71, 72])
  }

  @Test func `a frame of which nothing tells that it is missing`() throws {
    var host = Self.sensor
    Self.begin(&host)
    Self.notify(&host, 70...72)
    host.l2cap(.received, channel: 0x40, hex("48 00 4a"))
    Self.notify(&host, 73...75)
    #expect(try bpm(host.file()) == [70, 71, 72, 73, 74, 75])
  }

  /// Nothing is missing: a sender need not fill its frames, and the second begins with the attribute handle, 10, which is
  /// its length less 2.
  @Test func `frames that are not full`() throws {
    var host = Self.sensor
    host.l2cap(.received, channel: 0x40, hex("15 00 23"))
    host.l2cap(.received, channel: 0x40, hex("10 00 0a 00 10 46 20 03 21 03 22 03 23 03 10 00 02 00"))
    host.l2cap(.received, channel: 0x40, hex("06 48"))
    #expect(try bpm(host.file()) == [70, 72])
    #expect(try Analysis(host.file()).connections.first?.malformed.isEmpty == true)
  }

  /// Nobody can tell on which channel it was; what is whole is right all the same.
  @Test(arguments: [
    ["0d 00 23 10 00 02 00 06 46 10 00", "02 00 06 4b"], ["0d 00", "23 10 00 02 00 06 46 10 00 02 00 06 4b"],
  ])
  func `frames behind a continuation without a start`(frames: [String]) throws {
    var host = Self.sensor
    host.fragment(.received, isContinuation: true, hex("07 00 04 00 1b"))
    for frame in frames { host.l2cap(.received, channel: 0x40, hex(frame)) }
    Self.notify(&host, 72...72)
    #expect(try bpm(host.file()) == [70, 75, 72])
  }

  @Test func `a frame whose SDU length the capture cut away`() throws {
    var host = Self.sensor
    host.keptACLOctets = 9
    Self.notify(&host, 69...69)
    host.keptACLOctets = nil
    Self.notify(&host, 70...72)
    #expect(try bpm(host.file()) == [70, 71, 72])
  }
}
