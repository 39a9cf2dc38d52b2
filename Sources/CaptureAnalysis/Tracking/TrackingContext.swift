import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// What every part of the tracker shares while it looks at one record: where the record stands, the GATT databases, and
/// where events go.
struct TrackingContext<Receiver: EventReceiver> {
  var frame = 0
  /// The file of the capture, where there are several.
  var member: Int?
  var time = Timestamp(microseconds: 0)
  /// Which events are wanted, of those that cost something to put together.
  let wantsWrites: Bool
  let wantsNotifications: Bool
  let wantsIndications: Bool
  let wantsSignalStrength: Bool
  let wantsTraffic: Bool
  let wantsAdvertisingTimes: Bool
  let wantsDialogue: Bool
  /// Payloads that the logging device replaced.
  private(set) var replacedPayloads = 0
  /// Whether the capture did not keep all of what was said over ATT bearers on dynamic channels.
  var cutsDynamicBearers = false
  /// Measurements whose RR-Intervals the capture did not keep.
  private(set) var cutIntervals = 0
  /// Measurements whose heart rates it did not keep.
  private(set) var cutRates = 0
  /// Where events go.
  var receiver: Receiver
  var databases = DatabaseShelf()
  var identities: KnownIdentities

  /// What is known beforehand.
  let knowledge: CaptureKnowledge
  /// What is made of attributes without discovery.
  var conclusions = Conclusions()

  /// When the record at hand came, and where it stands.
  @inline(__always)
  var moment: Moment {
    get { Moment(frame: frame, time: time, member: member) }
    set { (frame, time, member) = (newValue.frame, newValue.time, newValue.member) }
  }

  /// Which record is at hand.
  var place: RecordPlace { moment.place }

  init(_ receiver: Receiver, _ knowledge: CaptureKnowledge) {
    self.receiver = receiver
    self.knowledge = knowledge
    identities = KnownIdentities(knowledge.identities)
    let selection = receiver.selection
    wantsWrites = selection.contains(.write)
    wantsNotifications = selection.contains(.notification)
    wantsIndications = selection.contains(.indication)
    wantsSignalStrength = selection.contains(.rssi)
    wantsTraffic = selection.contains(.traffic)
    wantsAdvertisingTimes = selection.contains(.advertised)
    wantsDialogue = selection.contains(.dialogue)
  }

  /// Looks at a payload of no further interest. Android's filtered log writes a word behind the headers of what it
  /// hides, and shortens the packet to fit.
  @inline(__always)
  mutating func note(otherPayload payload: CapturedOctets) {
    let octets = payload.octets
    guard octets.count > 0, octets[octets.count - 1] == UInt8(ascii: "D") else { return }
    noteReplacement(octets)
  }

  /// Looks closer at a payload that ends as that word does.
  @inline(never)
  private mutating func noteReplacement(_ octets: Span<UInt8>) {
    let word = ContiguousArray("PROHIBITED".utf8)
    let start = octets.count - word.count
    guard start >= 0 else { return }
    if word.indices.allSatisfy({ octets[start + $0] == word[$0] }) { replacedPayloads += 1 }
  }

  /// Looks at a measurement of which not all is there.
  @inline(never)
  mutating func note(cutMeasurement value: CapturedOctets) {
    let reading = HeartRateMeasurement.Reading(lax: value.octets, length: value.length, origin: value.origin)
    if !reading.hasAllRRIntervals { cutIntervals += 1 }
    if reading.beatsPerMinute == nil { cutRates += 1 }
  }

  /// Tells an event.
  @inline(never)
  mutating func tell(_ content: EventContent, connection: Int?) {
    tell(content, connection: connection, at: moment)
  }

  /// Tells an event that was kept back, with its own moment.
  mutating func tell(_ content: EventContent, connection: Int?, at moment: Moment) {
    receiver.note(Event(moment: moment, connection: connection, content: content))
  }

  /// Tells the event that there are most of.
  @inline(__always)
  mutating func tell(_ measurement: HeartRateNotification, connection: Int) {
    receiver.note(measurement, moment, connection: connection)
  }

  /// Tells a value of any other attribute, and how it came.
  @inline(never)
  mutating func tell(_ value: CapturedValue, as way: ValueWay, connection: Int) {
    receiver.note(value, as: way, moment, connection: connection)
  }

  /// Tells how strong a signal is, in dBm.
  mutating func tell(signalStrength: Int8, connection: Int) {
    receiver.note(signalStrength: signalStrength, moment, connection: connection)
  }

  /// Tells what is wrong with a packet.
  mutating func tell(_ error: ParsingError, _ direction: Direction?, connection: Int?) {
    tell(.malformed(MalformedEvent(problem: .field(error), direction: direction)), connection: connection)
  }

  /// A device's key becomes known: what was learned under its private addresses is its own, if it has a lasting one.
  mutating func learn(_ key: IdentityResolvingKey, of address: DeviceAddress, adapter: UInt16) {
    guard address.isOfADevice, identities.learn(key, of: address, adapter: adapter) else { return }
    databases.identify(address, adapter: adapter) { key.resolves($0) }
  }

  /// A controller says whose a private address is.
  mutating func learn(_ address: DeviceAddress, asOf identity: DeviceAddress, adapter: UInt16) {
    guard identity.isOfADevice, identities.learn(address, asOf: identity) else { return }
    databases.identify(identity, adapter: adapter) { $0 == address }
  }
}
