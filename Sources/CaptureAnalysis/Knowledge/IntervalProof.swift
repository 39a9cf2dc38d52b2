/// How well the RR-Intervals among values bear out that they are measurements: nothing else has as many as its rates make
/// beats.
enum IntervalProof: Int, Comparable {
  /// They contradict the rates.
  case contradicted
  /// There are none, or too few to tell.
  case none
  /// There are as many as beats, where the capture cut them away.
  case counted
  /// They fit the rates, value for value.
  case fitted

  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
