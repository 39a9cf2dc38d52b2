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
    note(
      Event(
        frame: moment.frame, member: moment.member, time: moment.time, connection: connection,
        content: .heartRate(event)))
  }

  /// Takes a signal's strength as any other event.
  public mutating func note(signalStrength: Int8, _ moment: Moment, connection: Int) {
    note(
      Event(
        frame: moment.frame, member: moment.member, time: moment.time, connection: connection,
        content: .rssi(signalStrength)))
  }
}

/// A measurement as it came, borrowed.
public struct HeartRateNotification: ~Escapable {
  /// The handle it came on.
  public let handle: UInt16
  /// Its octets.
  public let value: CapturedOctets
  /// Who sent it.
  public let server: ServerSide

  @_lifetime(copy value)
  init(handle: UInt16, value: CapturedOctets, server: ServerSide) {
    self.handle = handle
    self.value = value
    self.server = server
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
      octets: keepsOctets ? ContiguousArray(value.octets) : nil, server: server)
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
}
