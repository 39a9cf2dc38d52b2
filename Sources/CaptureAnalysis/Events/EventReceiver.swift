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
