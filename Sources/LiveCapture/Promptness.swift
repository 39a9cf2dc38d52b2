/// Whether records come as soon as they are captured, as far as their deliveries show: then each brings a few whole ones,
/// and not as many as fill a writer's buffer, of which the last is cut off somewhere.
struct Promptness {
  /// Whether a source is known to pass them on so.
  private let isGiven: Bool
  private var hasRecords = false
  private var fewInRow = 0

  /// So many records may be captured at once.
  private static let few = 1...3
  private static let enough = 10

  /// Before anything has come.
  init(isGiven: Bool) { self.isGiven = isGiven }

  /// Another capture begins, of the same source.
  mutating func beginAgain() { self = Promptness(isGiven: isGiven) }

  /// - Parameters:
  ///   - records: How many records a delivery made whole.
  ///   - isAll: Whether nothing of another one came with them.
  mutating func noteDelivery(of records: Int, isAll: Bool) {
    hasRecords = hasRecords || records > 0
    fewInRow = isAll && Self.few.contains(records) ? fewInRow + 1 : 0
  }

  /// Whether that is known, or has been seen for a while; never before the first record: what came before that is unknown.
  var isShown: Bool { isGiven ? hasRecords : fewInRow >= Self.enough }
}
