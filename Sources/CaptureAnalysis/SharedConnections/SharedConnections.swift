import BluetoothHost
import CaptureFiles

extension SharedConnection {
  /// As many measurements, requests and responses are laid side by side, those of all pairs of connections together; that
  /// a pair is looked at counts as one.
  private static let mostWork = 2_000_000

  /// The connections that any two of the sides share.
  static func all(in sides: [SensorBehaviour]) -> [SharedConnection] {
    let candidates = sides.map { side in side.connections.compactMap(Candidate.init) }
    let places = sides.indices.filter { !candidates[$0].isEmpty }
    let pairs = places.indices.flatMap { first in places[(first + 1)...].map { (places[first], $0) } }
    var found = pairs.map { _ in [SharedConnection]() }
    var work = 0
    // Those first that are the same by their clocks.
    search: for isAtOnce in [true, false] {
      for (place, pair) in pairs.enumerated() {
        for one in candidates[pair.0] {
          for other in candidates[pair.1] {
            let mayBe = one.overlaps(other) == isAtOnce && one.mayBe(other)
            work += mayBe ? one.amount + other.amount : 1
            // Each of a long list against each of another is no comparison but an attack on time.
            if work > mostWork { break search }
            guard mayBe else { continue }
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
  /// looked at, and nothing is copied for that.
  private final class Candidate {
    let side: SensorBehaviour.SideConnection
    /// How much there is to be laid beside another one's.
    let amount: Int
    /// When the first measurement came and when the last; nil where that is not known.
    private let times: (first: Timestamp, last: Timestamp)?
    private let server: ServerSide
    private let role: ConnectionRole?
    private let handle: UInt16
    private let address: DeviceAddress?

    /// More measurements than these are not laid side by side.
    private static let mostMeasurements = 200_000

    init?(_ side: SensorBehaviour.SideConnection) {
      let whole = side.whole
      guard let session = whole.heartRate,
        (leastMatched...Self.mostMeasurements).contains(session.measurements.count)
      else { return nil }
      self.side = side
      amount = session.measurements.count + side.behaviour.exchange.entries.count
      let statistics = session.statistics
      times = statistics.firstTime.flatMap { first in statistics.lastTime.map { (first, $0) } }
      (server, role, handle, address) = (session.server, whole.role, whole.handle, whole.address)
    }

    /// Whether the two were there at the same time, by the clocks of their captures.
    func overlaps(_ other: Candidate) -> Bool {
      guard let times, let others = other.times else { return false }
      return times.first <= others.last && others.first <= times.last
    }

    /// Whether nothing that is known of the two speaks against it.
    func mayBe(_ other: Candidate) -> Bool {
      let areOneEnd = server == other.server
      if let role, let otherRole = other.role, (role == otherRole) != areOneEnd { return false }
      guard areOneEnd else { return true }
      // Two logs of one host: its controller gives a connection one handle, and its peer has one address.
      guard handle == other.handle, address == nil || other.address == nil || address == other.address else {
        return false
      }
      return side.capture != other.side.capture || side.whole.id == other.side.whole.id
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
