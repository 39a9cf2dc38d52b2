/// A connection that two sides of a comparison hold: logged on both of its ends, or twice on one.
public struct SharedConnection: Sendable {
  /// The places of the two sides among those that are compared.
  public let sides: (first: Int, second: Int)
  /// The connection as each of them has it.
  public let connections: (first: SensorBehaviour.SideConnection, second: SensorBehaviour.SideConnection)
  /// How their clocks differ.
  public let clock: ClockDifference
  /// Whether both are in one capture, which one clock has timed.
  public let hasOneClock: Bool
  /// Where one of the clocks was set, in order. `clock` is how they differed before.
  public let clockChanges: [ClockChange]
  /// How many measurements both have: those of which a filter leaves that of one at least.
  public let matched: Int
  /// Measurements that only one of them has, though the other's log covers the time.
  public let lone: (first: [Measurement], second: [Measurement])
  /// How many of those the other's log may have lost, for it lost records there.
  public let unlogged: (first: Int, second: Int)
  /// How many measurements each of them has from times that the other's log does not cover.
  public let uncovered: (first: Int, second: Int)
  /// The longest that a measurement took longer than most, in seconds: held back on the air.
  public let longestDelay: Double
  /// How much speaks for it, whatever a filter leaves of it.
  let weight: Int
  /// Whether a filter leaves anything of it.
  var isShown: Bool { matched > 0 || !lone.first.isEmpty || !lone.second.isEmpty }

  /// Fewer measurements in common are chance.
  static let leastMatched = 8

  /// Lays two logs beside one another.
  /// - Returns: Nil if they are not of one connection, or too little tells that they are.
  init?(_ sides: (first: Int, second: Int), _ one: LoggedConnection, _ second: LoggedConnection) {
    guard let laid = LaidLogs(one, second), laid.pairs.count >= Self.leastMatched, let timed = TimedLogs(laid),
      timed.evidence.isEnough
    else { return nil }
    let (other, pairs, lone) = (laid.other, laid.pairs, timed.lone)

    self.sides = sides
    connections = (one.side, other.side)
    // In the times that the captures show.
    clock = timed.clock.moved(by: timed.apart)
    hasOneClock = timed.hasOneClock
    clockChanges = other.clockChanges.sorted { $0.records.second < $1.records.second }
    weight = pairs.count - lone.first.count - lone.second.count
    // All of both has told what is what; of that, the part is told which was asked for.
    let shownPairs = pairs.indices.filter { one.isShown(pairs[$0].first) || other.isShown(pairs[$0].second) }
    matched = shownPairs.count
    longestDelay = shownPairs.map { (timed.delays[$0] - timed.usualDelay).magnitude }.max() ?? 0
    self.lone = (
      lone.first.filter(one.isShown).map { one.measurements[$0] },
      lone.second.filter(other.isShown).map { other.measurements[$0] }
    )
    let orders = (pairs.map(\.first), pairs.map(\.second))
    unlogged = (
      lone.first.count { one.isShown($0) && other.mayLack($0, as: orders.0, orders.1) },
      lone.second.count { other.isShown($0) && one.mayLack($0, as: orders.1, orders.0) }
    )
    let known = (Set(orders.0 + lone.first), Set(orders.1 + lone.second))
    uncovered = (
      one.measurements.indices.count { !known.0.contains($0) && one.isShown($0) },
      other.measurements.indices.count { !known.1.contains($0) && other.isShown($0) }
    )
  }
}
