public import BluetoothHost
import GATTKit

/// What is known of a connection at the moment.
public struct LiveConnection: Sendable {
  /// Its number, in order of appearance.
  public let id: Int
  /// How it began, as far as that is known.
  public private(set) var beginning: ConnectedEvent
  /// Whether it is a Low Energy connection; nil if unknown.
  public private(set) var isLowEnergy: Bool?
  /// When it was first seen.
  public private(set) var opened: Moment
  /// When it ended, and why; nil while it is open.
  public private(set) var closed: (moment: Moment, end: DisconnectedEvent)?
  /// The peer.
  public private(set) var peer: PeerIdentity
  /// What the sensor says of itself.
  public private(set) var sensor = DeviceFacts()
  /// The parameters that hold; nil if they are not known.
  public private(set) var parameters: ConnectionParameters?
  /// The longest ATT PDU that the two sides agreed on; nil if they have not.
  public private(set) var mtu: UInt16?
  /// Whether it is encrypted now.
  public var isEncrypted: Bool { encryption.isOn }
  private var encryption = LinkEncryption()

  /// The handle of the heart rate measurement; nil if none is known yet.
  public private(set) var measurementHandle: UInt16?
  /// Whose server it is on.
  public private(set) var server = ServerSide.peer
  /// Whether it was discovered on this connection.
  public var isDiscovered: Bool { discoveredHandle != nil && inference == nil }
  /// Where it was discovered.
  private var discoveredHandle: UInt16?
  private var inferences: [Inference] = []
  /// Whether it is subscribed to; nil if nothing was seen of that.
  public private(set) var isSubscribed: Bool?
  /// The last measurement, and when it came.
  public private(set) var last: (measurement: HeartRateEvent, moment: Moment)?
  /// How many there were.
  public private(set) var measurements = 0
  /// The least and the most heart rate so far.
  public private(set) var range: ClosedRange<UInt16>?
  /// The heart rate of the last minutes.
  public private(set) var history = RateHistory()
  /// How the last measurements came.
  public private(set) var recent = RecentMeasurements()

  /// No sensor has as many attributes that look like heart rates.
  private static let mostInferences = 16

  /// What the heart rate rests on, if nothing told that it is one.
  public var inference: Inference? {
    measurementHandle == discoveredHandle
      ? nil : inferences.first { $0.handle == measurementHandle && $0.server == server }
  }

  init(_ id: Int, _ event: ConnectedEvent, at moment: Moment) {
    self.id = id
    beginning = event
    isLowEnergy = event.isLowEnergy
    opened = moment
    peer = event.peer
    parameters = event.parameters
  }

  /// How it began comes to light after its first packets.
  mutating func begin(_ event: ConnectedEvent, at moment: Moment) {
    beginning = event
    isLowEnergy = event.isLowEnergy ?? isLowEnergy
    opened = moment
    closed = nil
    peer.add(event.peer)
    parameters = event.parameters ?? parameters
  }

  mutating func note(_ event: Event) {
    switch event.content {
    case .peer(let identity): peer.add(identity)
    case .transport(let isLowEnergy): self.isLowEnergy = isLowEnergy
    case .parameters(let change): if change.status == .success { parameters = change.parameters }
    case .mtu(let agreed): if !agreed.isEnhanced { mtu = agreed.mtu }
    case .encryption(let change): encryption.note(change)
    case .read(let value), .notification(let value):
      if value.server == server { sensor.note(CapturedValue(value), event.moment) }
    case .characteristic(let found): discover(found)
    case .inferred(let inferred):
      inferences.removeAll { $0.isOfAttribute(of: inferred) }
      if inferences.count < Self.mostInferences { inferences.append(inferred) }
    case .subscribed(let subscription):
      if subscription.uuid == .heartRateMeasurement, subscription.server == server { isSubscribed = true }
    case .unsubscribed(let subscription):
      guard subscription.uuid == .heartRateMeasurement, subscription.server == server else { return }
      if subscription.mayBe(of: measurementHandle) { isSubscribed = false }
    case .heartRate(let measurement): note(measurement, at: event.moment)
    case .disconnected(let end): closed = (event.moment, end)
    default: break
    }
  }

  private mutating func discover(_ found: CharacteristicEvent) {
    guard found.characteristic.uuid == .heartRateMeasurement, measurements == 0 || found.server == server else {
      return
    }
    if server != found.server { (sensor, isSubscribed) = (DeviceFacts(), nil) }
    (measurementHandle, server) = (found.characteristic.valueHandle, found.server)
    discoveredHandle = measurementHandle
  }

  private mutating func note(_ measurement: HeartRateEvent, at moment: Moment) {
    if measurements == 0 {
      if server != measurement.server { (server, sensor) = (measurement.server, DeviceFacts()) }
      measurementHandle = measurement.handle
    }
    // Hardly ever are both ends sensors: the first is shown.
    guard measurement.server == server else { return }
    measurements &+= 1
    last = (measurement, moment)
    let reading = measurement.reading
    recent.note(reading, at: moment)
    guard !reading.isMalformed, let rate = reading.beatsPerMinute else { return }
    range = min(range?.lowerBound ?? rate, rate)...max(range?.upperBound ?? rate, rate)
    history.note(rate, at: moment)
  }
}
