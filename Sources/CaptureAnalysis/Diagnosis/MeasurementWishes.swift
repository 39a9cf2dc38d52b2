/// Which rules want to see a measurement, by its traits: found without a look at each rule.
struct MeasurementWishes {
  /// Bits of rules, by the bit of the trait that they want to see.
  private let wishes: ContiguousArray<UInt64>
  /// The places of the rules that want to see any measurement at all, by their bits.
  private let places: ContiguousArray<Int>
  /// What any of them wants to see.
  private let traits: MeasurementTraits

  /// - Parameter rules: The rules of a connection; their places are those in here.
  init(of rules: [any AnomalyRule.Type]) {
    let wanted = rules.map { $0.traits }
    places = ContiguousArray(wanted.indices.filter { !wanted[$0].isEmpty })
    // One word has room for more than twice as many as there are.
    precondition(places.count <= UInt64.bitWidth)
    traits = wanted.reduce([]) { $0.union($1) }
    var wishes = ContiguousArray<UInt64>(repeating: 0, count: UInt32.bitWidth)
    for (bit, place) in places.enumerated() {
      for trait in wishes.indices where wanted[place].rawValue >> UInt32(trait) & 1 == 1 {
        wishes[trait] |= 1 << UInt64(bit)
      }
    }
    self.wishes = wishes
  }

  /// Calls a function with the place of each rule that wants to see a measurement, in the order of the rules.
  @inline(__always)
  func forEachWanting(_ traits: MeasurementTraits, _ body: (Int) -> Void) {
    var found = traits.intersection(self.traits).rawValue
    var wanting: UInt64 = 0
    while found != 0 {
      wanting |= wishes[found.trailingZeroBitCount]
      found &= found &- 1
    }
    while wanting != 0 {
      body(places[wanting.trailingZeroBitCount])
      wanting &= wanting &- 1
    }
  }
}
