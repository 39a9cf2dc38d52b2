/// What hearts do: what lies beyond comes from a sensor.
enum HeartLimits {
  /// Rates, in beats a minute.
  static var rates: ClosedRange<Int> { 25...240 }
  /// What lies between two beats, in units of 1/1024 s: 200 ms to 3 s.
  static var intervals: ClosedRange<Int> { 205...3072 }
}
