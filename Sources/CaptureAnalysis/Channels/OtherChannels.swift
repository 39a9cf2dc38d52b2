import BluetoothHost
import CaptureFiles

/// The channels, as far as their numbers were looked at, on which there is nothing to read: what most of all packets are
/// that some phones log is music. It holds until something is agreed upon again.
///
/// These are the first dynamic channels, since hosts give those numbers away first.
struct OtherChannels {
  /// A bit for each number.
  private var numbers = BothDirections(0 as UInt64)

  private static let first: UInt16 = 0x0040

  @inline(__always)
  func contains(_ number: ChannelID, _ direction: Direction) -> Bool {
    let place = number.rawValue &- Self.first
    return place < 64 && numbers[direction] &>> UInt64(place) & 1 != 0
  }

  mutating func insert(_ number: ChannelID, _ direction: Direction) {
    let place = number.rawValue &- Self.first
    guard place < 64 else { return }
    numbers[direction] |= 1 &<< UInt64(place)
  }
}
