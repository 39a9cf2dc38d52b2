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
