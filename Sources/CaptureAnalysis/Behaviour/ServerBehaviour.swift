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
  private(set) var discovery: ClosedRange<Moment>?
  /// Whether services or descriptors were looked for, found or not.
  private(set) var wasSearched = false
  /// What was looked for last, from a handle on, if the answer to that did not reach its end: what is not known then was not
  /// found yet.
  private var open: AttributeRange?
  /// Whether that is a search for services.
  private var isOfServices = false
  /// Whether the search for services and characteristics broke off.
  var isSearching: Bool { open != nil }
  private var hasChanged = false

  mutating func note(_ subscription: SubscriptionEvent) {
    if subscriptions.count < ConnectionBehaviour.most { subscriptions.append(subscription) }
  }

  mutating func noteFound(at moment: Moment) {
    guard !hasChanged else { return }
    let first = min(discovery?.lowerBound ?? moment, moment)
    discovery = first...max(discovery?.upperBound ?? moment, moment)
  }

  mutating func noteSearch() { wasSearched = true }

  /// Whether all services were looked for, to the end.
  private var hasSearchedAll = false

  /// Services, includes or characteristics are looked for. Once all services are known, to look for one tells nothing new.
  mutating func noteSearch(in range: AttributeRange, ofServices: Bool) {
    if ofServices && hasSearchedAll { return }
    (open, isOfServices) = (range, ofServices)
  }

  /// An answer has come, up to a handle: in the one behind that there is no room for a characteristic.
  mutating func noteAnswer(upTo handle: UInt16) {
    guard let end = open?.end, Int(handle) + 1 >= Int(end) else { return }
    if isOfServices, end == .max { hasSearchedAll = true }
    open = nil
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
