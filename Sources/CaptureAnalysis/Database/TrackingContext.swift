import BluetoothHost
import CaptureFiles
import Octets

/// What every part of the tracker shares while it looks at one record: where the record stands, the GATT databases, and
/// where events go.
struct TrackingContext {
  var frame = 0
  var time = Timestamp(microseconds: 0)
  /// Which events are wanted, of those that cost something to put together.
  let wantsWrites: Bool
  let wantsNotifications: Bool
  let wantsIndications: Bool
  let wantsSignalStrength: Bool
  let wantsMeasurementOctets: Bool
  /// Events that nobody has taken yet.
  private var events: ContiguousArray<Event> = []
  var databases = DatabaseShelf()

  init(selection: EventSelection) {
    wantsWrites = selection.contains(.write)
    wantsNotifications = selection.contains(.notification)
    wantsIndications = selection.contains(.indication)
    wantsSignalStrength = selection.contains(.rssi)
    wantsMeasurementOctets = selection.contains(.measurementOctets)
  }

  /// Whether there are events that nobody has taken yet.
  var hasEvents: Bool { !events.isEmpty }

  /// Hands over the events that nobody has taken yet. Each is taken off the array's end, since copying it, or leaving
  /// another in its place, costs more than finding it out did.
  mutating func takeEvents(_ body: (Event) -> Void) {
    // Almost always there is one.
    if events.count > 1 { events.reverse() }
    while !events.isEmpty { body(events.removeLast()) }
  }

  /// Tells an event.
  mutating func tell(_ content: consuming EventContent, connection: Int?) {
    events.append(Event(frame: frame, time: time, connection: connection, content: content))
  }

  /// Tells what is wrong with a packet.
  mutating func tell(_ error: ParsingError, _ direction: Direction?, connection: Int?) {
    tell(.malformed(MalformedEvent(problem: .field(error), direction: direction)), connection: connection)
  }
}
