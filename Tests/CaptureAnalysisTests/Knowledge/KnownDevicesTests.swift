import BluetoothHost
import CaptureFiles
import Testing

@testable import CaptureAnalysis

/// What devices have told of themselves is kept for later connections, of so many devices and no more.
@Suite struct `Known devices` {
  private func connected(_ number: Int) -> ConnectedEvent {
    ConnectedEvent(
      handle: 0x40, adapter: 0, isLowEnergy: true, role: .central,
      peer: PeerIdentity(address: DeviceAddress(UInt64(number), .public)), parameters: nil, wasSeen: true)
  }

  /// A connection on which both ends have told their batteries.
  private func connection(_ number: Int, battery: UInt8) -> ConnectionSummary {
    let moment = Moment(frame: 1, time: .unknown)
    let event = Event(moment: moment, connection: 1, content: .connected(connected(number)))
    var connection = ConnectionSummary(event, connected(number))
    (connection.peer.battery, connection.local.battery) = (battery, battery)
    return connection
  }

  @Test func `tell what is new where there is no room for others`() {
    var devices = KnownDevices()
    for number in 1...KnownDevices.most { devices.note(connection(number, battery: 80)) }
    devices.note(connection(1, battery: 79))
    let first = devices.known(connected(1))
    #expect(first.peer?.battery == 79 && first.local?.battery == 79)
    // The host's own server is one of them.
    #expect(devices.known(connected(KnownDevices.most)).peer == nil)
    #expect(devices.known(connected(KnownDevices.most - 1)).peer?.battery == 80)
  }
}
