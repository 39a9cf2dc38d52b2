import GATTKit

// Which subscriptions are to the measurements that are looked at: those of one server and, where it has several, of one
// service.

extension MeasurementSeries {
  /// Whether measurements of a server are these, or may be as none has come.
  func isOf(_ server: ServerSide) -> Bool { self.server.map { $0 == server } ?? true }
}

/// What had switched the measurement's notifications on when a connection ended.
struct LeftSubscription {
  let subscription: SubscriptionEvent
  /// Whether the link was encrypted, so that a bond may keep it.
  let isEncrypted: Bool
}

extension RuleScene {
  /// What the connection leaves of its subscription, if it ends now; nil where nobody knows.
  var leavingSubscription: LeftSubscription? {
    if hasLost { return nil }
    if let subscription { return LeftSubscription(subscription: subscription, isEncrypted: encryption.isOn) }
    return wasSeen ? left : nil
  }

  /// Whether a subscription brings the measurements that are looked at, as far as is known.
  func maySwitchOn(_ subscription: SubscriptionEvent) -> Bool {
    (subscription.uuid ?? .heartRateMeasurement) == .heartRateMeasurement && series.isOf(subscription.server)
  }

  /// Whether these end with a subscription, as far as is known: what comes on another handle goes on.
  func maySwitchOff(_ subscription: SubscriptionEvent) -> Bool {
    maySwitchOn(subscription) && subscription.mayBe(of: series.handle)
  }

  /// Whether a subscription brings the measurements that are looked at.
  func switchesOn(_ subscription: SubscriptionEvent) -> Bool {
    subscription.uuid == .heartRateMeasurement && maySwitchOn(subscription)
  }

  /// Whether these end with a subscription.
  func switchesOff(_ subscription: SubscriptionEvent) -> Bool {
    subscription.uuid == .heartRateMeasurement && maySwitchOff(subscription)
  }

  /// Whether the notifications of the measurements that are looked at were off before what is at hand.
  var areOff: Bool { switchedOff.map { $0 < moment && !series.hasMoved(since: $0) } ?? false }

  /// Whether they are on before what is at hand, so that what switches them on changes nothing: measurements have come, and
  /// since then nothing may have switched them off.
  var areOn: Bool {
    guard !areOff, let last = series.current, !hasLost(since: last.moment), !areLikelyOff(since: last) else {
      return false
    }
    return series.server.flatMap { lastTableChange[$0] }.map { $0 < last.moment } ?? true
  }

  /// Whether no more of them can come when a bearer is closed: on a BR/EDR link, which has no other.
  func endsMeasurements(_ bearer: Int) -> Bool { isLowEnergy == false && bearer == series.bearer }

  /// Whether measurements stopped with one of them, right where a write seems to have switched them off.
  func areLikelyOff(since last: ObservedMeasurement) -> Bool {
    guard let likelyOff, likelyOff.moment > last.moment else { return false }
    let longest = MeasurementGap.limit(period: series.usualPeriod ?? 1) + (longestWait ?? 0)
    return seconds(from: last.moment, to: likelyOff.moment) <= longest
  }
}
