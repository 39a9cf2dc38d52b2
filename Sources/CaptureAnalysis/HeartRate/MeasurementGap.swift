/// When a silence between measurements is a gap: one that people notice.
public enum MeasurementGap {
  /// It is longer than so many of the usual period,
  static let periods = 2.5
  /// and than so many seconds.
  static let leastSeconds = 2.0

  /// The longest silence that is no gap, in seconds.
  /// - Parameter period: What usually lies between two measurements, in seconds.
  public static func limit(period: Double) -> Double { max(leastSeconds, periods * period) }
}
