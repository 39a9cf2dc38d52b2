/// Whether records come as soon as they are captured, as far as their deliveries show: then each brings a few whole ones,
/// and not as many as fill a writer's buffer, of which the last is cut off somewhere.
struct Promptness {
  private var fewInRow = 0

  /// So many records may be captured at once.
  private static let few = 1...3
  private static let enough = 10

  /// - Parameters:
  ///   - records: How many records a delivery made whole.
  ///   - isAll: Whether nothing of another one came with them.
  mutating func noteDelivery(of records: Int, isAll: Bool) {
    fewInRow = isAll && Self.few.contains(records) ? fewInRow + 1 : 0
  }

  /// Whether that has been seen for a while.
  var isShown: Bool { fewInRow >= Self.enough }
}
