/// The handles among which a server has told all that there is of a kind, most often all declarations of characteristics: who
/// knows no characteristic of a type there knows that there is none.
public struct SearchedHandles: Hashable, Sendable {
  /// In order, with others between them.
  private var ranges: [ClosedRange<UInt16>] = []

  /// More than any client asks for apart from each other.
  private static let most = 64

  /// None.
  init() {}

  /// Adds handles.
  mutating func insert(_ handles: ClosedRange<UInt16>) {
    var (first, last) = (handles.lowerBound, handles.upperBound)
    var others: [ClosedRange<UInt16>] = []
    for range in ranges {
      if Int(range.upperBound) + 1 < Int(first) || Int(last) + 1 < Int(range.lowerBound) {
        others.append(range)
      } else {
        (first, last) = (min(first, range.lowerBound), max(last, range.upperBound))
      }
    }
    guard others.count < Self.most else { return }
    ranges = (others + [first...last]).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Takes handles away.
  mutating func remove(_ handles: ClosedRange<UInt16>) {
    let (first, last) = (handles.lowerBound, handles.upperBound)
    var others: [ClosedRange<UInt16>] = []
    for range in ranges {
      if range.lowerBound < first { others.append(range.lowerBound...min(range.upperBound, first - 1)) }
      if last < range.upperBound { others.append(max(range.lowerBound, last + 1)...range.upperBound) }
    }
    ranges = Array(others.prefix(Self.most))
  }

  /// Whether all of some handles are among them.
  func covers(_ handles: ClosedRange<UInt16>) -> Bool {
    ranges.contains { $0.lowerBound <= handles.lowerBound && handles.upperBound <= $0.upperBound }
  }
}
