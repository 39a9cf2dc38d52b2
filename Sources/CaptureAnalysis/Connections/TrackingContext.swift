import BluetoothHost
import CaptureFiles
import Octets

/// What every part of the tracker shares while it looks at one record: where the record stands, the GATT databases, and
/// where events go.
struct TrackingContext {
  var frame = 0
  var time = Timestamp(microseconds: 0)
  /// Which events are wanted.
  let selection: EventSelection
  /// Events that nobody has taken yet.
  var events: [Event] = []
  var databases = DatabaseShelf()

  init(selection: EventSelection) {
    self.selection = selection
  }

  /// Tells an event, unless nobody wants its kind.
  mutating func tell(_ content: EventContent, connection: Int?) {
    events.append(Event(frame: frame, time: time, connection: connection, content: content))
  }

  /// Tells what is wrong with a packet.
  mutating func tell(_ error: ParsingError, _ direction: Direction?, connection: Int?) {
    tell(.malformed(MalformedEvent(problem: .field(error), direction: direction)), connection: connection)
  }
}
