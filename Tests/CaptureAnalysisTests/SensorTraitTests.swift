import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What a sensor was seen to do and to have, and what of that is not usual.
@Suite struct `Traits of sensors` {
  /// A sensor with a GAP service, which every server has, and that of heart rates.
  private func traits(_ values: [[UInt8]] = [], isDiscovered: Bool = true) throws -> SensorTraits {
    var host = HostSide()
    host.connected()
    if isDiscovered {
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 07 00 00 18 0e 00 13 00 0d 18"))
    }
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.write(attribute: 17, [1, 0])
    for value in values {
      host.notified(value)
      host.wait(milliseconds: 990)
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
