/// The energies expended of a connection, as they come.
struct MeasuredEnergies: BitwiseCopyable {
  /// One of them, and where it stands.
  typealias Energy = (kilojoules: Int, moment: Moment)

  /// How many measurements say that they have one, whether it is there or not.
  private(set) var announced = 0
  /// How many are there.
  private(set) var count = 0
  /// The first and the last of them.
  private var first: Energy?
  private(set) var last: Energy?
  /// The last in a measurement nothing is wrong with, and the one before it.
  private var sound: Energy?
  private(set) var previous: Energy?
  /// Whether a rule waits for one.
  var isAwaited = false
  /// How often one was less than the one before.
  private var falls = 0
  /// How many are RR-Intervals of the rate beside them, rather; and of those, how many have no RR-Interval beside them, and
  /// how many have one last that is none of the rate.
  private var asIntervals = (all: 0, alone: 0, beforeOther: 0)

  /// What is sent in the place of energies.
  enum Impostor {
    /// RR-Intervals, of which the wrong flag tells.
    case intervals
    /// RR-Intervals that another flag tells of: there is no energy.
    case moreIntervals
    /// RR-Intervals, and the energy behind them.
    case swapped
  }

  /// As few may fit by chance.
  private static let fewest = 10

  /// Whether up to now they seem to be RR-Intervals of the rates: a rate may stand still where the energy is by chance, but
  /// no energy falls and rises.
  var seemIntervals: Bool { asIntervals.all * 10 >= count * 9 }

  /// What they are, if they are none.
  var impostor: Impostor? {
    guard count >= Self.fewest, seemIntervals, falls * 10 >= count else { return nil }
    if asIntervals.alone * 10 >= asIntervals.all * 9 { return .intervals }
    return asIntervals.beforeOther * 10 >= asIntervals.all * 9 ? .swapped : .moreIntervals
  }

  /// The first and the last; nil where there are none.
  var extent: (first: Energy, last: Energy)? {
    guard let first, let last else { return nil }
    return (first, last)
  }

  /// A measurement says that it has one.
  mutating func announce() { announced &+= 1 }

  /// Takes one.
  /// - Parameters:
  ///   - rate: The rate beside it, in beats a minute, negative where there is none.
  ///   - interval: The last RR-Interval beside it.
  ///   - isSound: Whether nothing is wrong with the measurement it came in.
  /// - Returns: Whether it is less than the one before.
  mutating func note(_ kilojoules: Int, _ moment: Moment, rate: Int, _ interval: UInt16?, isSound: Bool) -> Bool {
    count &+= 1
    if Self.isInterval(kilojoules, of: rate) {
      asIntervals.all &+= 1
      asIntervals.alone &+= interval == nil ? 1 : 0
      asIntervals.beforeOther &+= interval.map { !Self.isInterval(Int($0), of: rate) } ?? false ? 1 : 0
    }
    last = (kilojoules, moment)
    if first == nil { first = last }
    guard isSound else { return false }
    previous = sound
    sound = last
    let isLess = previous.map { kilojoules < $0.kilojoules } ?? false
    falls &+= isLess ? 1 : 0
    return isLess
  }

  /// Whether a number is within a fifth what a rate makes of an RR-Interval: a minute has 61,440 units.
  private static func isInterval(_ number: Int, of rate: Int) -> Bool { abs(number * rate - 61_440) < 61_440 / 5 }
}
