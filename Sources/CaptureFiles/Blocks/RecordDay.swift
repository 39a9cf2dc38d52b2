/// The day that records are of: what chance makes look like one hardly ever is.
///
/// Times are seconds since 1970; 0 stands for none.
struct RecordDay: Sendable {
  /// The time of the last record that lay within a day of another.
  private var last: UInt32 = 0
  /// The time of a record that did not.
  private var other: UInt32 = 0

  /// 1999, the year of Bluetooth 1.0.
  static let firstYear: UInt32 = 915_148_800

  /// Whether any is known.
  var isKnown: Bool { last != 0 }

  /// Whether what lies on it is told from others by that. A clock that was never set counts from 1970, and of the days
  /// behind that is any small number, such as packets are full of.
  var isTelling: Bool { last >= Self.firstYear }

  /// Whether a time is within a day of the last; false where none is known.
  @inline(__always)
  func holds(_ seconds: UInt32) -> Bool { isKnown && Self.areOne(seconds, last) }

  /// Whether a time is within a day of the last, as far as that is known.
  @inline(__always)
  func mayHold(_ seconds: UInt32) -> Bool { !isKnown || holds(seconds) }

  /// Takes the time of a record that was read.
  @inline(__always)
  mutating func note(_ seconds: UInt32) {
    if Self.areOne(seconds, last) { last = seconds } else { noteOther(seconds) }
  }

  /// One record of another time may be damaged; two of them are a clock that was set.
  @inline(never)
  private mutating func noteOther(_ seconds: UInt32) {
    if !isKnown || Self.areOne(seconds, other) { last = seconds } else { other = seconds }
  }

  /// Whether two times are within a day. As many seconds more make one comparison of two: what would be less than 0 is huge.
  @inline(__always)
  static func areOne(_ seconds: UInt32, _ others: UInt32) -> Bool { seconds &- others &+ 86_399 <= 2 * 86_399 }
}
