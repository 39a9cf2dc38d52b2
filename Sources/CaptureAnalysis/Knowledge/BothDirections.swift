import CaptureFiles

/// The same thing for each of the two ways that packets go.
struct BothDirections<Value> {
  var sent: Value
  var received: Value

  /// The same value for both.
  init(_ value: Value) { (sent, received) = (value, value) }

  /// Reading and replacing are inlined, which changing in place is not: it yields at two places.
  subscript(direction: Direction) -> Value {
    @inline(__always) get { direction == .received ? received : sent }
    @inline(__always) set { if direction == .received { received = newValue } else { sent = newValue } }
    _modify { if direction == .received { yield &received } else { yield &sent } }
  }
}

extension BothDirections: Sendable where Value: Sendable {}
extension BothDirections: Equatable where Value: Equatable {}
extension BothDirections: Hashable where Value: Hashable {}
