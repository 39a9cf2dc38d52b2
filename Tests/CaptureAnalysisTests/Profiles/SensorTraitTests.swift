import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What a sensor was seen to do and to have, and what of that is not usual.
@Suite struct `Traits of sensors` {
  /// A sensor with a GAP service, which every server has, and that of heart rates.
  private func traits(
    _ values: [[UInt8]] = [], isDiscovered: Bool = true, wait: (Int) -> Int64 = { _ in 990 }
  ) throws -> SensorTraits {
    var host = HostSide()
    host.connected()
    if isDiscovered {
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 07 00 00 18 0e 00 13 00 0d 18"))
    }
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.write(attribute: 17, [1, 0])
    for (place, value) in values.enumerated() {
      host.notified(value)
      host.wait(milliseconds: wait(place))
    }
    let connection = try #require(try summary(of: host.file()).connections.first)
    return SensorTraits(connection, of: connection.sensor, advertisement: nil)
  }

  /// Energy Expended comes in one of ten measurements, or of sixty.
  @Test func `energy is none where many measurements have none`() throws {
    let (without, with): ([UInt8], [UInt8]) = ([0x00, 72], [0x08, 72, 0x10, 0x00])
    #expect(try traits(Array(repeating: without, count: 59)).sendsEnergy == nil)
    #expect(try traits(Array(repeating: without, count: 60)).sendsEnergy == false)
    #expect(try traits(Array(repeating: without, count: 9) + [with]).sendsEnergy == true)
  }

  /// A strap on the table says nothing of what it does on a heart.
  @Test func `intervals are none only where there are beats`() throws {
    for beatless in [[0x04, 0], [0x04, 72], [0x06, 0]] as [[UInt8]] {
      #expect(try traits(Array(repeating: beatless, count: 40)).sendsRRIntervals == nil, "\(beatless)")
    }
    #expect(try traits(Array(repeating: [0x06, 72], count: 40)).sendsRRIntervals == false)
    #expect(try traits(Array(repeating: [0x04, 0], count: 40) + [[0x16, 72, 0x55, 3]]).sendsRRIntervals == true)
  }

  /// Five come at once every five seconds.
  @Test func `those that come together are measured apart`() throws {
    let bundles = try traits(Array(repeating: [0x06, 72], count: 60)) { $0 % 5 == 4 ? 4950 : 2 }
    #expect(try (0.9...1.1).contains(#require(bundles.period)))
  }

  @Test func `a service that it has, or lacks, is told where all are known`() throws {
    let known = try traits()
    #expect(SensorTrait.service(.heartRateService, true).contradiction(in: known) == nil)
    #expect(SensorTrait.service(.heartRateService, false).contradiction(in: known) == "has the service Heart Rate")
    #expect(SensorTrait.service(.batteryService, false).contradiction(in: known) == nil)
    #expect(SensorTrait.service(.batteryService, true).contradiction(in: known) == "lacks the service Battery Service")
    let unknown = try traits(isDiscovered: false)
    for usual in [true, false] {
      #expect(SensorTrait.service(.batteryService, usual).contradiction(in: unknown) == nil)
    }
  }
}
