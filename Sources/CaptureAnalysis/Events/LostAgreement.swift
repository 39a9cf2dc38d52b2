/// Whether the two sides may have agreed on an ATT_MTU where the capture lacks something: then what every connection
/// begins with is not known to hold.
struct LostAgreement: Sendable {
  private(set) var isPossible = false
  private var isKnown = false

  /// They have agreed, for the unenhanced bearer.
  mutating func note(_ agreed: MTUEvent) {
    guard !agreed.isEnhanced else { return }
    isKnown = agreed.mtu != nil
    isPossible = !isKnown
  }

  /// Records were lost. Once measurements come, what precedes them is past.
  mutating func noteLoss(hasMeasurements: Bool) {
    if !isKnown, !hasMeasurements { isPossible = true }
  }
}
