public import BluetoothHost
public import GATTKit
import Octets

/// Takes the events of a capture in order, as they are found.
public protocol EventReceiver {
  /// The events that are wanted.
  var selection: EventSelection { get }

  /// The first packet is there. What comes before it is said of adapters only.
  mutating func begin(_ start: CaptureStart)

  /// Takes an event.
  mutating func note(_ event: Event)

  /// Takes a measurement: the event that there are most of. By default it is put together as any other; whoever takes
  /// measurements here does not see them as events.
  mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int)

  /// Takes a value of another attribute: some hosts read one every second. By default it is put together as any other
  /// event; whoever takes it here does not see it as one.
  mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int)

  /// Takes a signal's strength, in dBm: some hosts ask for it every second. By default it is put together as any other
  /// event; whoever takes it here does not see it as one.
  mutating func note(signalStrength: Int8, _ moment: Moment, connection: Int)
}

extension EventReceiver {
  /// Hardly anyone needs to know.
  public mutating func begin(_ start: CaptureStart) {}

  /// Takes a measurement as any other event.
  public mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    noteAsEvent(measurement, moment, connection: connection)
  }

  /// Puts the event of a measurement together.
  mutating func noteAsEvent(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    let event = measurement.event(keepsOctets: selection.contains(.measurementOctets))
    note(Event(moment: moment, connection: connection, content: .heartRate(event)))
  }

  /// Takes a value as any other event.
  public mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    noteAsEvent(value, as: way, moment, connection: connection)
  }

  /// Puts the event of a value together.
  mutating func noteAsEvent(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    note(value.event(way, moment, connection: connection))
  }

  /// Takes a signal's strength as any other event.
  public mutating func note(signalStrength: Int8, _ moment: Moment, connection: Int) {
    note(Event(moment: moment, connection: connection, content: .rssi(signalStrength)))
  }
}

/// A measurement as it came, borrowed.
public struct HeartRateNotification: ~Escapable, BitwiseCopyable {
  /// The handle it came on.
  public let handle: UInt16
  /// Its octets.
  public let value: CapturedOctets
  /// Who sent it.
  public let server: ServerSide
  /// The number of the bearer it came over among those on dynamic channels; nil for the unenhanced bearer of a Low Energy
  /// link.
  public let bearer: Int?
  /// What it says, if nothing is wrong with it and all of it is there: so it is almost always.
  let sound: HeartRateMeasurement.View?

  @inline(__always) @_lifetime(copy value)
  init(handle: UInt16, value: CapturedOctets, server: ServerSide, bearer: Int?) {
    self.handle = handle
    self.value = value
    self.server = server
    self.bearer = bearer
    sound = value.isCut ? nil : HeartRateMeasurement.View(value.octets)
  }

  /// What it says.
  public var reading: HeartRateMeasurement.Reading {
    @inline(__always) get {
      HeartRateMeasurement.Reading(lax: value.octets, length: value.length, origin: value.origin)
    }
  }

  /// The event of it.
  func event(keepsOctets: Bool) -> HeartRateEvent {
    HeartRateEvent(
      handle: handle, reading: reading, length: value.length,
      octets: keepsOctets ? ContiguousArray(value.octets) : nil, server: server, bearer: bearer)
  }
}

extension HeartRateEvent {
  /// Lends it as it came; to nobody, where its octets were not kept.
  func lend(_ body: (HeartRateNotification) -> Void) {
    guard let octets else { return }
    let value = CapturedOctets(octets.span, length: length, origin: 0)
    body(HeartRateNotification(handle: handle, value: value, server: server, bearer: bearer))
  }
}

/// A value of an attribute as it came, borrowed.
public struct CapturedValue: ~Escapable, BitwiseCopyable {
  /// The attribute.
  public let handle: UInt16
  /// Its type, as far as it is known.
  public let uuid: BluetoothUUID?
  /// Its octets.
  public let octets: CapturedOctets
  /// Whose attribute it is.
  public let server: ServerSide

  /// Lends an event's value.
  @_lifetime(borrow value)
  init(_ value: borrowing ValueEvent) {
    self.init(
      handle: value.handle, uuid: value.uuid,
      octets: CapturedOctets(value.octets.span, length: value.length, origin: 0), server: value.server)
  }

  @_lifetime(copy octets)
  init(handle: UInt16, uuid: BluetoothUUID?, octets: CapturedOctets, server: ServerSide) {
    self.handle = handle
    self.uuid = uuid
    self.octets = octets
    self.server = server
  }

  /// The event of it.
  func event(_ way: ValueWay, _ moment: Moment, connection: Int) -> Event {
    let value = ValueEvent(
      handle: handle, uuid: uuid, octets: ContiguousArray(octets.octets), length: octets.length, server: server)
    let content: EventContent =
      switch way {
      case .read: .read(value)
      case .notification: .notification(value)
      case .indication: .indication(value)
      }
    return Event(moment: moment, connection: connection, content: content)
  }
}

/// How a value came.
public enum ValueWay: Sendable {
  /// It was read.
  case read
  /// It was notified.
  case notification
  /// It was indicated.
  case indication

  /// The kind of the event that tells of it.
  var kind: EventKind {
    switch self {
    case .read: .read
    case .notification: .notification
    case .indication: .indication
    }
  }
}

/// Hands events on to a closure.
public struct EventForwarder: EventReceiver {
  /// The events that are wanted.
  public let selection: EventSelection
  /// Behind a reference: a forwarder as long as a `SummaryBuilder` would let the compiler make one loop of the loops over
  /// records that each of them has for itself, which is slower by a tenth.
  let closures: Closures

  final class Closures {
    let start: ((CaptureStart) -> Void)?
    var body: ((Event) -> Void)?

    init(_ start: ((CaptureStart) -> Void)?, _ body: ((Event) -> Void)?) {
      self.start = start
      self.body = body
    }
  }

  /// Creates a forwarder.
  /// - Parameters:
  ///   - start: Called when the first packet is there; nobody if nil.
  ///   - body: Called with each event; nobody if nil.
  public init(
    selection: EventSelection, start: ((CaptureStart) -> Void)? = nil, _ body: ((Event) -> Void)? = nil
  ) {
    self.selection = selection
    closures = Closures(start, body)
  }

  /// The first packet is there.
  public func begin(_ start: CaptureStart) { closures.start?(start) }

  /// Takes an event.
  public func note(_ event: Event) { closures.body?(event) }

  /// Takes a measurement, if anybody is called.
  public mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    if closures.body != nil { noteAsEvent(measurement, moment, connection: connection) }
  }

  /// Takes a value, if anybody is called.
  public mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    if closures.body != nil { noteAsEvent(value, as: way, moment, connection: connection) }
  }
}
