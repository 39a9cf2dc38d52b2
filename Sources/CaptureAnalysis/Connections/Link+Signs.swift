import BluetoothHost
import CaptureFiles

// What tells that it is over, or whose it is, besides its own end.

extension Link {
  /// Records are missing in which it may have ended.
  mutating func note(_ hole: Hole) { channels.signs.note(hole) }

  /// What the peer's controller is.
  mutating func note(_ version: RemoteVersionInformation, _ context: inout TrackingContext<some EventReceiver>) {
    channels.signs.note(version, at: context.time, &context.conclusions)
  }

  /// Its peer is elsewhere: nothing of it comes late, and who goes on here is another.
  mutating func endElsewhere() {
    end()
    channels.signs.peerIsElsewhere()
  }

  /// Something comes of a connection with its handle whose making is not in the capture.
  mutating func isFollowed(_ conclusions: inout Conclusions) { channels.signs.isFollowed(&conclusions) }

  /// It is told whose the peer's private address is.
  mutating func identify(_ address: DeviceAddress, _ context: inout TrackingContext<some EventReceiver>) {
    channels.identify(address, &context)
  }
}
