public import Octets

// The flags and the length as sent tell what is wrong with a value, whatever its fields hold.

extension HeartRateMeasurement.Reading {
  /// Whether something is wrong with the value as sent: the same as `error != nil`, and quicker.
  @inlinable public var isMalformed: Bool {
    if kept == 0 { return length == 0 }
    let left = Int(length) &- measurement.bits.fixedLength
    return measurement.bits.contains(.rrIntervals) ? left <= 0 || left & 1 != 0 : left != 0
  }

  /// What is wrong with the value as sent, if anything is: it is shorter or longer than its flags say.
  public var error: ParsingError? {
    guard isMalformed else { return nil }
    let flags = measurement.bits
    var walk = FieldWalk(length: Int(length), origin: origin)
    if let error = walk.step("Flags", 1) { return error }
    if let error = walk.step("Heart Rate Measurement Value", flags.contains(.uint16Format) ? 2 : 1) { return error }
    if flags.contains(.energyExpended), let error = walk.step("Energy Expended", 2) { return error }
    guard flags.contains(.rrIntervals) else { return walk.end() }
    return walk.steps("RR-Interval", 2)
  }
}

/// A walk over the fields of a value of which only the length is known.
private struct FieldWalk {
  /// How many octets were sent.
  private let length: Int
  /// Where the value begins, in octets from the start of the input.
  private let origin: Int
  private var field: StaticString = ""
  private var next = 0

  init(length: Int, origin: Int) {
    self.length = length
    self.origin = origin
  }

  private var left: Int { length - next }

  /// Passes a field: an error if there is no room for it.
  mutating func step(_ field: StaticString, _ size: Int) -> ParsingError? {
    self.field = field
    guard size <= left else { return error(.tooShort(needed: size, available: left)) }
    next += size
    return nil
  }

  /// Passes a field that is there once or more, up to the end.
  mutating func steps(_ field: StaticString, _ size: Int) -> ParsingError? {
    repeat {
      if let error = step(field, size) { return error }
    } while left > 0
    return nil
  }

  /// Ends the walk: an error if octets are left.
  func end() -> ParsingError? { left > 0 ? error(.leftOver(count: left)) : nil }

  private func error(_ problem: ParsingError.Problem) -> ParsingError {
    ParsingError(
      layer: HeartRateMeasurement.name.description, field: field.description, problem: problem, offset: origin &+ next)
  }
}
