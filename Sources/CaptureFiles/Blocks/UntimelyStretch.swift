/// A stretch of octets in which no block of the days at hand begins.
struct UntimelyStretch: Hashable, Sendable {
  private var first = 0
  private var end = 0
  /// Where such a block may begin after all, once more octets are there, in order.
  private(set) var doubtful: [Int] = []
  /// Whether there are too many of those.
  private var isOver = false

  private static let mostDoubtful = 64

  /// Begins to look at a place, or goes on where it was looked already.
  /// - Returns: Where to go on.
  mutating func begin(at place: Int) -> Int {
    isOver = false
    if !(first...end).contains(place) { (first, end, doubtful) = (place, place, []) }
    return end
  }

  /// All before a place was looked at in vain.
  mutating func extend(to place: Int) {
    if !isOver { end = place }
  }

  /// What begins at a place, behind all that was looked at, may turn out to be such a block.
  mutating func doubt(_ place: Int) {
    guard !isOver, doubtful.last.map({ $0 < place }) ?? true else { return }
    if doubtful.count < Self.mostDoubtful { doubtful.append(place) } else { (end, isOver) = (place, true) }
  }

  /// So many octets need not be looked at again.
  mutating func drop(_ count: Int) {
    (first, end) = (max(0, first - count), max(0, end - count))
    doubtful = doubtful.compactMap { $0 < count ? nil : $0 - count }
  }
}
