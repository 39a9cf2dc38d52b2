import Testing

@testable import CaptureAnalysis

/// What a connection's figures rest on must be the same when they have been put away.
@Suite struct `Counts of numbers` {
  private func all(_ counts: Counts) -> [Int: UInt32] {
    var found: [Int: UInt32] = [:]
    var last = -1
    counts.forEach { number, count in
      #expect(number > last && found[number] == nil)
      (found[number], last) = (count, number)
      return true
    }
    return found
  }

  @Test func `stay when they are put away, and go on`() {
    var counts = Counts(size: 10)
    #expect(all(counts) == [:] && counts.total == 0)
    counts.settle()
    for number in [3, 3, 9, 10, 400, 0] { counts.note(number) }
    #expect(all(counts) == [0: 1, 3: 2, 9: 3] && counts.total == 6)
    counts.settle()
    #expect(all(counts) == [0: 1, 3: 2, 9: 3] && counts.total == 6)
    counts.settle()
    for number in [3, 4, .max] { counts.note(number) }
    #expect(all(counts) == [0: 1, 3: 3, 4: 1, 9: 4] && counts.total == 9)
  }

  @Test(arguments: [false, true]) func `end where asked to`(isSettled: Bool) {
    var counts = Counts(size: 10)
    for number in [1, 5, 7] { counts.note(number) }
    if isSettled { counts.settle() }
    var seen: [Int] = []
    counts.forEach { number, _ in
      seen.append(number)
      return number < 5
    }
    #expect(seen == [1, 5])
  }
}
