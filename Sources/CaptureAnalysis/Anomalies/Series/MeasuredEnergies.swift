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

  /// The first and the last; nil where there are none.
  var extent: (first: Energy, last: Energy)? {
    guard let first, let last else { return nil }
    return (first, last)
  }

  /// A measurement says that it has one.
  mutating func announce() { announced &+= 1 }

  /// Takes one.
  /// - Parameter isSound: Whether nothing is wrong with the measurement it came in.
  /// - Returns: Whether it is less than the one before.
  mutating func note(_ kilojoules: Int, _ moment: Moment, isSound: Bool) -> Bool {
    count &+= 1
    last = (kilojoules, moment)
    if first == nil { first = last }
    guard isSound else { return false }
    previous = sound
    sound = last
    return previous.map { kilojoules < $0.kilojoules } ?? false
  }
}
