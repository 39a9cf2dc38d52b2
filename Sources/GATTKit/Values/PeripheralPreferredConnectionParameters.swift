public import Octets

/// How a peripheral would like to be connected to, characteristic 2A04.
///
///      2                  2                  2         2
///     +------------------+------------------+---------+---------------------+
///     | Interval Minimum | Interval Maximum | Latency | Supervision Timeout |
///     +------------------+------------------+---------+---------------------+
///
/// Core 6.0, Vol 3, Part C, 12.3.
public struct PeripheralPreferredConnectionParameters: Hashable, Sendable {
  /// The shortest connection interval in units of 1.25 ms, 6 to 3200; 0xFFFF for none in particular.
  public var minimumInterval: UInt16
  /// The longest connection interval in units of 1.25 ms, 6 to 3200; 0xFFFF for none in particular.
  public var maximumInterval: UInt16
  /// How many connection events the peripheral may miss in a row, 0 to 499.
  public var latency: UInt16
  /// The supervision timeout in units of 10 ms, 10 to 3200; 0xFFFF for none in particular.
  public var supervisionTimeout: UInt16

  /// Parameters in their units.
  public init(minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
    self.minimumInterval = minimumInterval
    self.maximumInterval = maximumInterval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }

  /// The connection intervals that there are, in units of 1.25 ms. Core 6.0, Vol 6, Part B, 4.5.1.
  package static let intervals: ClosedRange<UInt16> = 6...3200
  /// How many connection events may be missed in a row. Core 6.0, Vol 6, Part B, 4.5.1.
  package static let latencies: ClosedRange<UInt16> = 0...499
  /// The supervision timeouts that there are, in units of 10 ms. Core 6.0, Vol 6, Part B, 4.5.2.
  package static let timeouts: ClosedRange<UInt16> = 10...3200
  /// The shortest connection interval that there is, in seconds.
  package static let shortestInterval = 0.0075

  /// The value that stands for none in particular.
  public static let noSpecificValue: UInt16 = 0xFFFF

  /// The shortest connection interval in milliseconds; nil for none in particular.
  public var minimumIntervalMilliseconds: Double? { Self.milliseconds(minimumInterval, unit: 1.25) }
  /// The longest connection interval in milliseconds; nil for none in particular.
  public var maximumIntervalMilliseconds: Double? { Self.milliseconds(maximumInterval, unit: 1.25) }
  /// The supervision timeout in milliseconds; nil for none in particular.
  public var supervisionTimeoutMilliseconds: Double? { Self.milliseconds(supervisionTimeout, unit: 10) }

  private static func milliseconds(_ value: UInt16, unit: Double) -> Double? {
    value == noSpecificValue ? nil : Double(value) * unit
  }
}

extension PeripheralPreferredConnectionParameters: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Peripheral Preferred Connection Parameters" }

  /// Reads parameters, within their ranges or not.
  /// - Throws: `ParsingError` if there are fewer than eight octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    minimumInterval = try reader.uint16("Connection Interval Minimum")
    maximumInterval = try reader.uint16("Connection Interval Maximum")
    latency = try reader.uint16("Peripheral Latency")
    supervisionTimeout = try reader.uint16("Connection Supervision Timeout")
  }

  /// Appends the parameters as they are sent.
  public func encode(into octets: inout [UInt8]) {
    for value in [minimumInterval, maximumInterval, latency, supervisionTimeout] {
      octets.append(littleEndian: value)
    }
  }

  /// Whether the shortest interval is no longer than the longest, as far as both are given.
  public var hasOrderedIntervals: Bool {
    minimumInterval <= maximumInterval || minimumInterval == Self.noSpecificValue
  }

  /// The parameters in words.
  public var fields: [ValueField] {
    [
      Self.field(
        "Connection Interval Minimum", minimumInterval, Self.intervals, minimumIntervalMilliseconds, decimals: 2,
        remark: hasOrderedIntervals ? nil : "which is above the maximum"),
      Self.field(
        "Connection Interval Maximum", maximumInterval, Self.intervals, maximumIntervalMilliseconds, decimals: 2),
      ValueField("Peripheral Latency", Self.latencies.contains(latency) ? "\(latency)" : "reserved (\(latency))"),
      Self.field(
        "Connection Supervision Timeout", supervisionTimeout, Self.timeouts, supervisionTimeoutMilliseconds, decimals: 0
      ),
    ]
  }

  private static func field(
    _ name: String, _ value: UInt16, _ lawful: ClosedRange<UInt16>, _ milliseconds: Double?, decimals: Int,
    remark: String? = nil
  ) -> ValueField {
    guard let milliseconds else { return ValueField(name, "no specific value") }
    guard lawful.contains(value) else { return ValueField(name, "reserved (\(value))") }
    let number = milliseconds.text(decimals: decimals)
    return remark.map { ValueField(name, "\(number) ms, \($0)") } ?? ValueField(name, number, unit: "ms")
  }
}
