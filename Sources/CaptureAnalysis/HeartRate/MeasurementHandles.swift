/// Where the measurements of a session came from: one handle, unless the server has moved its measurement, or has several.
public struct MeasurementHandles: Sendable {
  /// Each handle, in the order of their first measurements.
  public private(set) var all: [UInt16] = []
  /// Whether measurements came from one again after they had come from another: each has its own.
  public private(set) var alternate = false
  /// Where the last one came from.
  private(set) var last: UInt16?

  /// No server has as many.
  private static let most = 8

  /// Measurements come from another handle than the last.
  mutating func note(_ handle: UInt16) {
    last = handle
    if all.contains(handle) {
      alternate = true
    } else if all.count < Self.most {
      all.append(handle)
    }
  }
}
