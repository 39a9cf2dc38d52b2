/// One field of a value, in words.
public struct ValueField: Hashable, Sendable {
  /// The field's name, as its specification has it where that gives it one: "RR-Interval".
  public var name: String
  /// Its value, ready to be read: "1000 (976.563 ms)".
  public var value: String
  /// The unit that belongs behind the value, if it has one: "bpm".
  public var unit: String?

  /// Creates a field.
  public init(_ name: String, _ value: String, unit: String? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

extension ValueField: CustomStringConvertible {
  /// The field as a line: "Heart Rate Measurement Value: 72 bpm".
  public var description: String {
    "\(name): \(value)\(unit.map { " " + $0 } ?? "")"
  }
}
