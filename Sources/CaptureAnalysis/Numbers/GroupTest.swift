/// How it is told from chance on how many of their connections groups differ.
enum GroupTest {
  /// What it is called in a note.
  static let note = "of three connections a side or more, on how many: Fisher's exact test"

  /// Of fewer connections nothing can be told from chance: then it counts whether there is any.
  private static let leastConnections = 3
  /// Three of three against none of three, which chance makes in one of ten, is told.
  private static let significance = 0.11

  /// Whether two sides have connections enough.
  static func isApplied(_ first: Int, _ second: Int) -> Bool { min(first, second) >= leastConnections }

  /// Whether some of all connections of a side are another part of them than of the other side's; nil for too few.
  static func differ(_ first: (some: Int, all: Int), _ second: (some: Int, all: Int)) -> Bool? {
    guard isApplied(first.all, second.all) else { return nil }
    return CountStatistics.fisher(first, second) <= significance
  }
}
