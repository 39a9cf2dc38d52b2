import BluetoothHost

/// Whether a link is encrypted, and how far that is known.
struct LinkEncryption {
  /// Whether it is.
  private(set) var isOn = false
  /// Whether it was at any time.
  private(set) var wasOn = false
  /// Whether the host has asked for it, and what came of that is not told.
  private(set) var isAwaited = false
  /// Whether the controller has begun with it: asked once more meanwhile, it refuses.
  private var isBegun = false
  /// Why it could not be switched on when that was tried last; nil if it was not tried, or could.
  private(set) var failure: HCIErrorCode?

  /// Whether it may be: what tells that may not be in the capture.
  var mayBeOn: Bool { isOn || isAwaited }

  /// It was switched on or off, or could not be.
  mutating func note(_ change: EncryptionChange) {
    (isAwaited, isBegun) = (false, false)
    failure = change.status == .success ? nil : change.status
    guard change.status == .success else { return }
    isOn = change.isEncrypted
    wasOn = wasOn || isOn
  }

  /// The host asks for something, or its controller answers.
  mutating func note(_ command: CommandEvent) {
    guard command.wish == .encryption else { return }
    if command.step == .begun { isBegun = true }
    if case .refused = command.step { isAwaited = isBegun } else { isAwaited = true }
  }
}
