/// Which rules want to see a measurement, by its traits: found without a look at each rule, or at each trait.
struct MeasurementWishes {
  /// Bits of rules.
  typealias Rules = UInt64

  /// Who wants each combination of the traits in eight neighbouring bits, and then of those in the next eight.
  private let tables: ContiguousArray<Rules>
  /// Who wants to see the measurement behind one it wants to see.
  private let followers: Rules
  /// The places of the rules that want to see any measurement at all, by their bits.
  private let places: ContiguousArray<Int>
  /// The traits that anyone wants to see.
  private let wanted: MeasurementTraits

  private static let bits = 8
  private static var combinations: Int { 1 << bits }

  /// - Parameter rules: The rules of a connection; their places are those in here.
  init(of rules: [any AnomalyRule.Type]) {
    let wanted = rules.map { $0.traits }
    self.wanted = wanted.reduce([]) { $0.union($1) }
    let places = ContiguousArray(wanted.indices.filter { !wanted[$0].isEmpty })
    // Three tables are looked into: a trait beyond them would never be shown.
    precondition(MeasurementTraits.count > 2 * Self.bits && MeasurementTraits.count <= 3 * Self.bits)
    // One word has room for more than twice as many as there are.
    precondition(places.count <= Rules.bitWidth)
    func wanting(_ trait: MeasurementTraits) -> Rules {
      places.enumerated().reduce(0) { $0 | (wanted[$1.element].isDisjoint(with: trait) ? 0 : 1 << Rules($1.offset)) }
    }
    var tables = ContiguousArray<Rules>()
    for first in stride(from: 0, to: MeasurementTraits.count, by: Self.bits) {
      let ofTraits = (first..<first + Self.bits).map { wanting(MeasurementTraits(rawValue: 1 << UInt32($0))) }
      tables.append(0)
      for combination in 1..<Self.combinations {
        // What its lowest trait adds to the combination of the others.
        let others = tables[tables.count - combination + combination & (combination - 1)]
        tables.append(others | ofTraits[combination.trailingZeroBitCount])
      }
    }
    self.tables = tables
    self.places = places
    followers = wanting(.behind)
  }

  /// Who wants to see a measurement with these traits, and the one behind it.
  @inline(__always)
  func wishes(_ traits: MeasurementTraits) -> (now: Rules, next: Rules) {
    // Most measurements are of no interest to anyone.
    if traits.isDisjoint(with: wanted) { return (0, 0) }
    let bits = Int(traits.rawValue)
    let now = rules(bits, 0) | rules(bits, 1) | rules(bits, 2)
    return (now, now & followers)
  }

  /// Who wants to see a measurement for the traits in one of the tables.
  @inline(__always)
  private func rules(_ traits: Int, _ table: Int) -> Rules {
    tables[table &* Self.combinations &+ traits >> (table &* Self.bits) & (Self.combinations &- 1)]
  }

  /// Shows a measurement to some of the rules, in their order.
  @inline(__always)
  func show(
    _ measurement: ObservedMeasurement, to wanting: Rules, of rules: inout ContiguousArray<any AnomalyRule>,
    _ scene: inout RuleScene
  ) {
    var left = wanting
    var rules = rules.mutableSpan
    while left != 0 {
      rules[places[left.trailingZeroBitCount]].note(measurement, &scene)
      left &= left &- 1
    }
  }
}
