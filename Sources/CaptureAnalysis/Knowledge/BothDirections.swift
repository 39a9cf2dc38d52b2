import CaptureFiles

/// The same thing for each of the two ways that packets go.
struct BothDirections<Value> {
  var sent: Value
  var received: Value

  /// The same value for both.
  init(_ value: Value) { (sent, received) = (value, value) }

  subscript(direction: Direction) -> Value {
    @inline(__always) _read { if direction == .received { yield received } else { yield sent } }
    @inline(__always) _modify { if direction == .received { yield &received } else { yield &sent } }
  }
}
