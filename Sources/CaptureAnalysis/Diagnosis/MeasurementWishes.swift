/// Which rules want to see a measurement, by its traits: found without a look at each rule, or at each trait.
struct MeasurementWishes {
  /// Who wants to see a measurement, and the one behind it: bits of rules.
  typealias Wishes = (now: UInt64, next: UInt64)

  /// What is wanted by each combination of the traits in six neighbouring bits, and then by those in the next six.
  private let tables: ContiguousArray<Wishes>
  /// The places of the rules that want to see any measurement at all, by their bits.
  private let places: ContiguousArray<Int>

  private static let bits = 6
  private static var combinations: Int { 1 << bits }

  /// - Parameter rules: The rules of a connection; their places are those in here.
  init(of rules: [any AnomalyRule.Type]) {
    let wanted = rules.map { $0.traits }
    places = ContiguousArray(wanted.indices.filter { !wanted[$0].isEmpty })
    // One word has room for more than twice as many as there are.
    precondition(places.count <= UInt64.bitWidth)
    var tables = ContiguousArray<Wishes>()
    for first in stride(from: 0, to: MeasurementTraits.count, by: Self.bits) {
      tables.append((0, 0))
      for combination in 1..<Self.combinations {
        // What its lowest trait adds to the combination of the others.
        var wishes = tables[tables.count - combination + combination & (combination - 1)]
        let trait = MeasurementTraits(rawValue: 1 << UInt32(first + combination.trailingZeroBitCount))
        for (bit, place) in places.enumerated() where !wanted[place].isDisjoint(with: trait) {
          wishes.now |= 1 << UInt64(bit)
          if wanted[place].contains(.behind) { wishes.next |= 1 << UInt64(bit) }
        }
        tables.append(wishes)
      }
    }
    self.tables = tables
  }

  /// Who wants to see a measurement with these traits, and the one behind it.
  @inline(__always)
  func wishes(_ traits: MeasurementTraits) -> Wishes {
    var (now, next, left, table) = (UInt64(0), UInt64(0), Int(traits.rawValue), 0)
    while table < tables.count {
      let wishes = tables[table &+ left & (Self.combinations &- 1)]
      (now, next) = (now | wishes.now, next | wishes.next)
      left >>= Self.bits
      table &+= Self.combinations
    }
    return (now, next)
  }

  /// Calls a function with the place of each of these rules, in their order.
  @inline(__always)
  func forEach(_ rules: UInt64, _ body: (Int) -> Void) {
    var left = rules
    while left != 0 {
      body(places[left.trailingZeroBitCount])
      left &= left &- 1
    }
  }
}
