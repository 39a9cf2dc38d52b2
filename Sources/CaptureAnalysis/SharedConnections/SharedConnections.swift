import BluetoothHost
import CaptureFiles

extension SharedConnection {
  /// As many measurements, requests and responses are laid side by side, those of all pairs of connections together.
  private static let mostWork = 2_000_000

  /// The connections that any two of the sides share.
  static func all(in sides: [SensorBehaviour]) -> [SharedConnection] {
    let candidates = sides.map { side in side.connections.compactMap(Candidate.init) }
    let pairs = sides.indices.flatMap { first in sides.indices.dropFirst(first + 1).map { (first, $0) } }
    var found = pairs.map { _ in [SharedConnection]() }
    var work = 0
    // Those first that are the same by their clocks.
    search: for isAtOnce in [true, false] {
      for (place, pair) in pairs.enumerated() {
        for one in candidates[pair.0] {
          for other in candidates[pair.1] where one.overlaps(other) == isAtOnce && one.mayBe(other) {
            work += one.amount + other.amount
            // Each of a long list against each of another is no comparison but an attack on time.
            if work > mostWork { break search }
            guard let one = LoggedConnection(one.side), let other = LoggedConnection(other.side) else { continue }
            if let shared = SharedConnection(pair, one, other) { found[place].append(shared) }
          }
        }
      }
    }
    return found.flatMap { chosen(from: $0).filter(\.isShown).sorted { $0.order < $1.order } }
  }

  /// What puts those of two sides in the order in which they are there.
  private var order: (Int, Int) { (connections.first.summary.id, connections.second.summary.id) }

  /// A connection with enough measurements, and what tells at once whether it may be another one: of many, all pairs are
  /// looked at.
  private struct Candidate {
    let side: SensorBehaviour.SideConnection
    private let measurements: Int

    /// How much there is to be laid beside another one's.
    var amount: Int { measurements + side.behaviour.exchange.entries.count }

    /// More measurements than these are not laid side by side.
    private static let mostMeasurements = 200_000

    init?(_ side: SensorBehaviour.SideConnection) {
      measurements = side.whole.heartRate?.measurements.count ?? 0
      guard (leastMatched...Self.mostMeasurements).contains(measurements) else { return nil }
      self.side = side
    }

    /// Whether the two were there at the same time, by the clocks of their captures.
    func overlaps(_ other: Candidate) -> Bool {
      guard let one = side.whole.heartRate?.statistics, let two = other.side.whole.heartRate?.statistics,
        let begin = one.firstTime, let end = one.lastTime, let otherBegin = two.firstTime, let otherEnd = two.lastTime
      else { return false }
      return begin <= otherEnd && otherBegin <= end
    }

    /// Whether nothing that is known of the two speaks against it.
    func mayBe(_ other: Candidate) -> Bool {
      let (one, two) = (side.whole, other.side.whole)
      let areOneEnd = one.server == two.server
      if let role = one.role, let otherRole = two.role, (role == otherRole) != areOneEnd { return false }
      guard areOneEnd else { return true }
      // Two logs of one host: its controller gives a connection one handle, and its peer has one address.
      if side.capture == other.side.capture, one.id != two.id { return false }
      return one.handle == two.handle && (one.address == nil || two.address == nil || one.address == two.address)
    }
  }
}

// MARK: - Which of them

extension SharedConnection {
  /// Of two captures.
  private struct Captures: Hashable {
    let first: CaptureOrigin
    let second: CaptureOrigin
  }

  /// The clocks of two captures differ by no more from one connection to the next, in seconds, if nobody sets them.
  private static let sameClock = 2.0

  /// Of all that may be, what can be true together: a connection of a capture is one of another's at most, and two captures
  /// have two clocks. Of a sensor that sends the same again on each connection, any may seem to be any other one.
  private static func chosen(from found: [SharedConnection]) -> [SharedConnection] {
    guard found.count > 1 else { return found }
    let places = Dictionary(grouping: found.indices) { place in
      let connections = found[place].connections
      return Captures(first: connections.first.capture, second: connections.second.capture)
    }
    return places.values.flatMap { chosen($0, from: found) }.sorted().map { found[$0] }
  }

  /// The same of two captures, by places: those that agree most on the clocks, and what can be true beside them.
  private static func chosen(_ places: [Int], from found: [SharedConnection]) -> [Int] {
    var left = places.sorted { found[$0].clock.offset < found[$1].clock.offset }
    var chosen: [Int] = []
    while !left.isEmpty {
      let agreeing = left[mostAgreeing(left, of: found)]
      var taken: [Int] = []
      for place in agreeing.sorted(by: { (found[$0].weight, $1) > (found[$1].weight, $0) })
      where taken.allSatisfy({ found[$0].canBe(beside: found[place]) }) {
        taken.append(place)
      }
      chosen += taken
      left.removeAll { place in !taken.allSatisfy { found[$0].canBe(beside: found[place]) } }
    }
    return chosen
  }

  /// Of some in the order of their clocks' difference, those next to one another that have most to say together.
  private static func mostAgreeing(_ sorted: [Int], of found: [SharedConnection]) -> Range<Int> {
    var (best, mostWeight) = (0..<1, Int.min)
    var (begin, weight) = (0, 0)
    for place in sorted.indices {
      let offset = found[sorted[place]].clock.offset
      weight += found[sorted[place]].weight
      while offset - found[sorted[begin]].clock.offset > sameClock {
        weight -= found[sorted[begin]].weight
        begin += 1
      }
      if weight > mostWeight { (best, mostWeight) = (begin..<place + 1, weight) }
    }
    return best
  }

  /// Whether another one of the same two captures can be true as well: with other connections, in the same order.
  private func canBe(beside other: SharedConnection) -> Bool {
    let (mine, others) = (connections, other.connections)
    guard mine.first.summary.id != others.first.summary.id, mine.second.summary.id != others.second.summary.id else {
      return false
    }
    let first = mine.first.whole.first.time.seconds(since: others.first.whole.first.time)
    let second = mine.second.whole.first.time.seconds(since: others.second.whole.first.time)
    return first * second >= 0 || min(first.magnitude, second.magnitude) <= Self.sameClock
  }
}
