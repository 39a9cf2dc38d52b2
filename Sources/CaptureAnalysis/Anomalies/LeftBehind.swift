/// What a connection leaves to the next one with the same peer.
struct LeftBehind {
  /// Nil where nobody knows.
  let subscription: LeftSubscription?
  /// Nil where they could not be known again.
  let intervals: FormerIntervals?
}

extension RuleScene {
  /// What the connection leaves to the next one with the same peer, if it ends now; nil where there is nothing.
  var leaving: LeftBehind? {
    let remains = LeftBehind(subscription: leavingSubscription, intervals: series.leavingIntervals)
    return remains.subscription == nil && remains.intervals == nil ? nil : remains
  }

  /// Takes what the connection before has left. Its making may be reported after its first packets.
  mutating func take(_ remains: LeftBehind?) {
    left = remains?.subscription
    if series.count == 0 { series.former = remains?.intervals }
  }
}
