import BluetoothHost
import CaptureFiles
import GATTKit

/// What was asked of one of the two servers of a connection, and what it told.
struct ServerBehaviour: Sendable {
  /// What was subscribed to, in order.
  private(set) var subscriptions: [SubscriptionEvent] = []
  /// What its Device Information says, by characteristic.
  private(set) var information: [BluetoothUUID: String] = [:]
  /// When the first and the last service or characteristic was found; what is found anew, since its table has changed, is
  /// no part of that.
  private(set) var discovery: ClosedRange<Timestamp>?
  /// Whether services or descriptors were looked for, found or not.
  private(set) var wasSearched = false
  /// What was looked for last, from a handle on, if the answer to that did not reach its end: what is not known then was not
  /// found yet.
  private var open: AttributeRange?
  /// Whether the search for services and characteristics broke off.
  var isSearching: Bool { open != nil }
  private var hasChanged = false

  mutating func note(_ subscription: SubscriptionEvent) {
    if subscriptions.count < ConnectionBehaviour.most { subscriptions.append(subscription) }
  }

  mutating func noteFound(at time: Timestamp) {
    guard !hasChanged else { return }
    let first = min(discovery?.lowerBound ?? time, time)
    discovery = first...max(discovery?.upperBound ?? time, time)
  }

  mutating func noteSearch() { wasSearched = true }

  /// Services, includes or characteristics are looked for.
  mutating func noteSearch(in range: AttributeRange) { open = range }

  /// An answer has come, up to a handle: in the one behind that there is no room for a characteristic.
  mutating func noteAnswer(upTo handle: UInt16) {
    if let end = open?.end, Int(handle) + 1 >= Int(end) { open = nil }
  }

  /// The client goes on to something else: it has found what it looked for.
  mutating func noteUse() { open = nil }

  mutating func noteChange() { hasChanged = discovery != nil }

  mutating func note(_ value: ValueEvent) {
    guard let uuid = value.uuid, ConnectionBehaviour.informationTypes.contains(uuid), value.octets.count == value.length
    else { return }
    information[uuid] =
      uuid == .pnpID
      ? (try? PnPID(value.octets.span)).map {
        "\(handleWords($0.vendorID)):\(handleWords($0.productID)) \($0.versionText)"
      }
      : (try? DeviceInformationString(value.octets.span))?.text
  }
}
