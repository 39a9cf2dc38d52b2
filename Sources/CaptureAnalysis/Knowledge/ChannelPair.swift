import BluetoothHost

/// A dynamic channel: its numbers at both ends.
struct ChannelPair: Hashable, Sendable {
  let local: ChannelID
  let remote: ChannelID
}
