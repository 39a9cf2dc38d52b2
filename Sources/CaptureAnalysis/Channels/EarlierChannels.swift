import BluetoothHost
import CaptureFiles

/// Looks for channels of ATT whose opening is not in the capture, as where they are older than it, or where the record of it
/// is missing, with a word or without: those of Enhanced ATT, and on BR/EDR links its one bearer. A link of which that is not
/// known may be of either kind.
struct EarlierChannels {
  private var enhanced = ChannelSearch(isCreditBased: true)
  private var basic: ChannelSearch?

  /// - Parameter isLowEnergy: Whether the link is a Low Energy one; nil if that is not known.
  init(isLowEnergy: Bool?) {
    if isLowEnergy != true { basic = ChannelSearch(isCreditBased: false) }
  }

  /// The link turns out to be a Low Energy one: it has no channels but credit-based ones. Core 6.0, Vol 3, Part A, 2.4.
  mutating func isOverLowEnergy() { basic = nil }

  /// A channel is closed.
  mutating func forget(_ ends: ChannelPair) {
    enhanced.forget(ends)
    basic?.forget(ends)
  }

  /// Whether there is nothing to look for on a channel any more.
  func isVain(_ number: ChannelID, _ direction: Direction) -> Bool {
    enhanced.isDismissed(number, direction) && basic?.isDismissed(number, direction) ?? true
  }

  /// Looks at a frame of a channel that is not known.
  /// - Parameter isKnown: Whether a PDU would be a value of an attribute that is known to notify, in K-frames or without.
  /// - Returns: The channel, once enough speaks for ATT.
  mutating func look(
    at frame: CapturedOctets, on number: ChannelID, _ direction: Direction, isKnown: (enhanced: Bool, basic: Bool)
  ) -> EarlierChannel? {
    enhanced.look(at: frame, on: number, direction, isKnown: isKnown.enhanced)
      ?? basic?.look(at: frame, on: number, direction, isKnown: isKnown.basic)
  }

  /// Looks at a frame of a channel of which only this end was known: it may answer what went to the other.
  /// - Returns: The channel, if it does.
  mutating func complete(
    _ number: ChannelID, _ direction: Direction, with frame: CapturedOctets, isCreditBased: Bool
  ) -> EarlierChannel? {
    isCreditBased
      ? enhanced.complete(number, direction, with: frame) : basic?.complete(number, direction, with: frame)
  }
}
