import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

@Suite struct `A summary says of a sensor` {
  private func read(_ location: BodySensorLocation, at handle: UInt16) -> LocationRead {
    LocationRead(location: location, moment: Moment(frame: 1, time: Timestamp(microseconds: 0)), handle: handle)
  }

  /// Each heart rate service has a location of its own, and is asked for it again.
  @Test func `the location that was asked first, by its last word`() {
    var locations = LocationsRead()
    locations.note(read(.chest, at: 19))
    locations.note(read(.wrist, at: 45))
    locations.note(read(.finger, at: 19))
    #expect(locations.first?.location == .finger && locations.handles == [19, 45])
    // On the next connection, what is asked there comes first.
    locations.becomeEarlier()
    locations.note(read(.wrist, at: 45))
    #expect(locations.handles == [45, 19])
  }

  /// What the peer advertises says nothing of this device, which is the sensor.
  @Test func `no advertisement of its peer's`() throws {
    var host = HostSide()
    host.leEvent(0x02, hex("01 00 01 01 11 22 33 44 c5 04 03 03 0d 18 c4"))
    host.connected(isPeripheral: true)
    host.showHeartRate()
    host.sent(hex("1b 10 00 00 50"))
    let summary = try summary(of: host.file())
    let connection = try #require(summary.connections.first)
    #expect(connection.server == .local && summary.advertisers.count == 1)
    #expect(summary.advertisement(of: connection) == nil)
  }
}
