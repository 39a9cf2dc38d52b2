/// Whether a connection has RR-Intervals of two or three values only, as a steady heart has where a clock of a few tens of
/// milliseconds tells them: then a list comes again by itself, in turns too, which neighbours that differ do not show.
struct FewValues {
  /// The values in lists that came again.
  private var again: [UInt16] = []
  /// The shortest and the longest interval of all.
  private var extent = (least: Int.max, most: 0)

  private static let most = 3

  /// A list came again.
  mutating func noteAgain(_ intervals: MeasurementIntervals) {
    for interval in intervals where again.count <= Self.most && !again.contains(interval) { again.append(interval) }
  }

  mutating func note(_ block: MeasurementBlock) {
    extent = (min(extent.least, block.intervalLeast), max(extent.most, block.intervalMost))
  }

  /// Whether those that came again are all there are.
  /// - Parameter rest: What has come since the last block.
  func areAll(with rest: MeasurementBlock?) -> Bool {
    var all = self
    if let rest { all.note(rest) }
    guard let least = again.min(), let most = again.max(), again.count <= Self.most else { return false }
    return Int(least) <= all.extent.least && Int(most) >= all.extent.most
  }
}
