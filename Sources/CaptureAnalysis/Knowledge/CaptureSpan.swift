import BluetoothHost
import CaptureFiles

/// When a capture began and ended, and which connections were there in the end: of files that were rotated by size or
/// time, each goes on where another ends.
struct CaptureSpan: Sendable {
  let begin: Timestamp
  let end: Timestamp
  /// The connections that were there in the end, and whose peers are known.
  let open: [KnownConnection]
  /// The connections that may have been there in the beginning, and were not any more in the end.
  let replaced: ReplacedConnections
  /// Whether there was one in the beginning whose peer is not known.
  let hasStrangers: Bool

  /// More are there at once on no host.
  static let mostOpen = 64

  /// In seconds: a sensor sends every second, and what goes by from one file to the next is not more than that and a
  /// few that are lost.
  private static let longestPause = 10.0
  /// In seconds: records may be a little out of order.
  static let longestOverlap = 1.0

  /// Whether a capture that begins at a moment may go on where this one ends, and how far apart they are.
  fileprivate func pause(until time: Timestamp) -> Double? {
    guard end.isTold, time.isTold, begin < time else { return nil }
    let pause = time.seconds(since: end)
    return pause >= -Self.longestOverlap && pause <= Self.longestPause ? abs(pause) : nil
  }

  /// Whether both were taken at the same time, rather than one behind the other.
  fileprivate func overlaps(_ other: CaptureSpan) -> Bool {
    min(end, other.end).seconds(since: max(begin, other.begin)) > Self.longestOverlap
  }
}

extension [CaptureSpan] {
  /// Whether one ended where another capture begins.
  func hasEnd(at time: Timestamp) -> Bool { contains { $0.pause(until: time) != nil } }

  /// The connections that were there when a capture began, as far as those tell that ended there: where several did that
  /// were taken at the same time, what they agree on.
  func connections(at time: Timestamp) -> [KnownConnection] {
    guard hasEnd(at: time) else { return [] }
    let ordered = sorted { $0.begin < $1.begin }
    // Those of each in its end, be they heard in it or not.
    var open: [[KnownConnection]] = []
    for (place, span) in ordered.enumerated() {
      let before = ordered[..<place].agreed(at: span.begin, open)
      let rest = before.filter { known in
        !span.replaced.contains(known) && !span.open.contains { $0.hasHandle(of: known) }
      }
      open.append(span.open + rest.prefix(Swift.max(0, CaptureSpan.mostOpen - span.open.count)))
    }
    return ordered[...].agreed(at: time, open)
  }
}

extension ArraySlice<CaptureSpan> {
  /// - Parameter open: The connections of each in its end.
  fileprivate func agreed(at time: Timestamp, _ open: [[KnownConnection]]) -> [KnownConnection] {
    let ended = indices.compactMap { place in self[place].pause(until: time).map { (place: place, pause: $0) } }
    guard let nearest = ended.min(by: { $0.pause < $1.pause })?.place else { return [] }
    let others = ended.map(\.place).filter { $0 != nearest && self[$0].overlaps(self[nearest]) }
    return ([nearest] + others).flatMap { open[$0] }.withoutRivals
  }
}

extension [KnownConnection] {
  /// Each once, and those not of whose handles several peers are told.
  fileprivate var withoutRivals: [KnownConnection] {
    indices.compactMap { place in
      let known = self[place]
      let isFirst = !self[..<place].contains { $0.hasHandle(of: known) }
      return isFirst && allSatisfy { !$0.hasHandle(of: known) || $0.peer == known.peer } ? known : nil
    }
  }
}

/// Which of the connections that may have been there before a capture are not any more.
struct ReplacedConnections: Sendable {
  private var handles: Set<UInt32> = []
  private var adapters: Set<UInt16> = []

  /// Of an adapter with more, none is taken to be there.
  private static let mostHandles = 4096

  /// The connection with a handle has ended, or another one has it.
  mutating func insert(_ adapter: UInt16, _ handle: UInt16) {
    guard !adapters.contains(adapter) else { return }
    guard handles.count < Self.mostHandles else { return insert(all: adapter) }
    handles.insert(Self.key(adapter, handle))
  }

  /// All connections of an adapter have ended.
  mutating func insert(all adapter: UInt16) { adapters.insert(adapter) }

  func contains(_ adapter: UInt16, _ handle: UInt16) -> Bool {
    adapters.contains(adapter) || handles.contains(Self.key(adapter, handle))
  }

  fileprivate func contains(_ known: KnownConnection) -> Bool { contains(known.adapter, known.handle) }

  private static func key(_ adapter: UInt16, _ handle: UInt16) -> UInt32 { UInt32(adapter) << 16 | UInt32(handle) }
}
