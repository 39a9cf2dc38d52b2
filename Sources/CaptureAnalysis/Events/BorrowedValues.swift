public import BluetoothHost
public import GATTKit

// Values as they came, borrowed: what there is most of, before it is put together as an event.

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
