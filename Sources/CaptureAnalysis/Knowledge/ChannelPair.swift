import BluetoothHost
import CaptureFiles

/// A dynamic channel: its numbers at both ends, of which each gives it one. That of an end that was not heard is 0, which is
/// no dynamic channel's.
struct ChannelPair: Hashable, Sendable {
  let local: ChannelID
  let remote: ChannelID
}

extension ChannelPair {
  /// - Parameters:
  ///   - own: The number that an end has given the channel.
  ///   - sender: The way of what that end sends.
  ///   - other: The number that the other end has given it.
  init(_ own: ChannelID, ofSender sender: Direction, other: ChannelID) {
    self = sender == .sent ? ChannelPair(local: own, remote: other) : ChannelPair(local: other, remote: own)
  }

  /// The number of the end that sends what goes this way: the one it names itself by in commands.
  func number(ofSender direction: Direction) -> ChannelID { direction == .sent ? local : remote }

  /// The number of the end that receives what goes this way: the one that a PDU carries.
  func number(ofReceiver direction: Direction) -> ChannelID { number(ofSender: direction.opposite) }

  /// The channel, once the number of the end is known that receives what goes this way.
  func completed(by number: ChannelID, ofReceiver direction: Direction) -> ChannelPair {
    ChannelPair(number, ofSender: direction.opposite, other: self.number(ofReceiver: direction.opposite))
  }

  /// Whether it is a channel of which both ends are known, as far as its own are.
  func mayBe(_ other: ChannelPair) -> Bool {
    (local == other.local || local == .unheard) && (remote == other.remote || remote == .unheard)
  }

  /// Whether a number is that of one of its ends.
  func names(_ number: ChannelID) -> Bool { local == number || remote == number }
}

/// A dynamic channel that is known to carry ATT, though its opening is not in the capture.
struct KnownChannel: Hashable, Sendable {
  let ends: ChannelPair
  /// Whether it is an enhanced bearer's; otherwise it is that of a BR/EDR link.
  let isCreditBased: Bool
}

extension ChannelID {
  /// No dynamic channel's number.
  static var unheard: ChannelID { ChannelID(rawValue: 0) }
}
