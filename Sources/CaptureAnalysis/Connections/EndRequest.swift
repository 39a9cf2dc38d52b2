import BluetoothHost

/// Whether a host has asked its controller to end a connection.
struct EndRequest {
  private(set) var isAsked = false
  /// Why, as far as that is known.
  private(set) var reason: HCIErrorCode?
  /// Whether the controller has begun with it: asked once more meanwhile, it refuses.
  private(set) var isBegun = false

  mutating func ask(_ reason: HCIErrorCode?) {
    if !isAsked { self.reason = reason }
    isAsked = true
  }

  mutating func begin() { (isAsked, isBegun) = (true, true) }
}
