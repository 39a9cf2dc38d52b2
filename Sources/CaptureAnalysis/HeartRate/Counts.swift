/// How often each of some numbers came: a table while they come, and just what is in it when they have.
struct Counts: Sendable {
  private var table: ContiguousArray<UInt32> = []
  private var settled: ContiguousArray<(place: UInt16, count: UInt32)> = []
  /// The numbers go from 0 to one below it.
  private let size: Int
  /// How many came in all.
  private(set) var total = 0

  init(size: Int) {
    self.size = size
  }

  /// - Parameter number: What is too large counts as the largest.
  @inline(__always)
  mutating func note(_ number: Int) {
    if table.isEmpty { spread() }
    // What is negative is huge without its sign.
    table[Int(min(UInt(bitPattern: number), UInt(size &- 1)))] &+= 1
    total &+= 1
  }

  /// No more come, most likely: memory is for others.
  mutating func settle() {
    guard !table.isEmpty else { return }
    settled = []
    for (place, count) in table.enumerated() where count > 0 {
      settled.append((UInt16(truncatingIfNeeded: place), count))
    }
    table = []
  }

  @inline(never)
  private mutating func spread() {
    table = ContiguousArray(repeating: 0, count: size)
    for (place, count) in settled { table[Int(place)] = count }
    settled = []
  }

  /// How often a number came, up to now.
  subscript(number: Int) -> Int {
    if table.indices.contains(number) { return Int(table[number]) }
    return settled.first { $0.place == number }.map { Int($0.count) } ?? 0
  }

  /// Calls a function with each number that came, from the least on, and how often it did, until it returns false.
  func forEach(_ body: (_ number: Int, _ count: UInt32) -> Bool) {
    for (place, count) in settled where !body(Int(place), count) { return }
    for (place, count) in table.enumerated() where count > 0 && !body(place, count) { return }
  }
}
