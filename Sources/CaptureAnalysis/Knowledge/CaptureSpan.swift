import BluetoothHost
import CaptureFiles
import GATTKit

/// When a capture began and ended, and which connections were there in the end: of files that were rotated by size or
/// time, each goes on where another ends.
struct CaptureSpan: Hashable, Sendable {
  let begin: Timestamp
  let end: Timestamp
  /// The connections that were there in the end, and whose peers are known.
  let open: [KnownConnection]
  /// The connections that may have been there in the beginning, and were not any more in the end.
  let replaced: ReplacedConnections
  /// Those that were there in the beginning, and whose peers are not known.
  let strangers: [AdapterHandle]
  /// What adapters' controllers were in the end.
  let controllers: [UInt16: ControllerIdentity]
  /// By which another capture of the same host is told.
  let sampled: SampledConnections

  /// More are there at once on no host.
  static let mostConnections = 64
  /// In seconds: records may be a little out of order.
  static let longestOverlap = 1.0
  /// In seconds: a sensor sends every second, and little more than that goes by from one file to the next.
  fileprivate static let longestPause = 10.0

  /// The connection that had a handle in the end, if it is known.
  fileprivate func open(on handle: AdapterHandle) -> KnownConnection? {
    open.first { $0.adapterHandle == handle }
  }

  /// What an adapter's controller was in the end, as far as it has told.
  func controller(of adapter: UInt16) -> ControllerIdentity { controllers[adapter] ?? ControllerIdentity() }

  /// Whether another one is of the same capture, read when no less was known: it tells all that this one does.
  fileprivate func isTold(by other: CaptureSpan) -> Bool {
    begin == other.begin && end == other.end && replaced == other.replaced
      && sampled.known.keys.allSatisfy { other.sampled.known[$0] != nil }
      && controllers.allSatisfy { other.controllers[$0.key] == $0.value }
      && open.allSatisfy { known in
        guard let same = other.open(on: known.adapterHandle) else { return false }
        return same.peer == known.peer && same.local.count >= known.local.count
      }
  }

  /// Whether a capture that begins at a moment may go on where this one ends, and how far apart they are.
  fileprivate func pause(until time: Timestamp) -> Double? {
    guard end.isTold, time.isTold, begin < time else { return nil }
    let pause = time.seconds(since: end)
    return Self.mayGoOn(after: pause) ? abs(pause) : nil
  }

  /// Whether what begins so many seconds behind the end of another may go on with it.
  static func mayGoOn(after pause: Double) -> Bool { (-longestOverlap...longestPause).contains(pause) }

  /// Whether both were taken at the same time, rather than one behind the other.
  fileprivate func overlaps(_ other: CaptureSpan) -> Bool {
    min(end, other.end).seconds(since: max(begin, other.begin)) > Self.longestOverlap
  }
}

/// The spans of captures that are given together, in the order of their ends.
struct CaptureSpans: Sendable {
  private var spans: [CaptureSpan] = []

  /// Later ones are not looked at.
  private static let most = 1000

  mutating func insert(_ span: CaptureSpan) {
    var place = spans.firstPlace { $0.end > span.end }
    while place > 0, spans[place - 1].end == span.end {
      place -= 1
      if span.isTold(by: spans[place]) { return }
      if spans[place].isTold(by: span) { return spans[place] = span }
    }
    if spans.count < Self.most { spans.insert(span, at: place) }
  }

  mutating func insert(_ others: CaptureSpans) {
    let fewer = spans.count < others.spans.count ? spans : others.spans
    if spans.count < others.spans.count { spans = others.spans }
    for span in fewer { insert(span) }
  }

  /// Whether one ended where another capture begins.
  func hasEnd(at time: Timestamp) -> Bool { !ends(at: time).isEmpty }

  /// The connection that had a handle when a capture began, as far as those tell that ended there, or others that ended
  /// where these began. Where several did that were taken at the same time, they must agree; and a connection is not
  /// another controller's.
  func connection(
    on handle: AdapterHandle, of controller: ControllerIdentity, at begin: Timestamp
  ) -> KnownConnection? {
    var found: KnownConnection?
    var (times, seen) = ([(begin, controller)], Set<Int>())
    while let (time, controller) = times.popLast() {
      for place in ends(at: time) where seen.insert(place).inserted {
        var own = spans[place].controller(of: handle.adapter)
        guard !own.contradicts(controller) else { continue }
        own.add(controller)
        if let open = spans[place].open(on: handle) {
          if let found, found.peer != open.peer { return nil }
          // The nearest has told most.
          found = found ?? open
        } else if !spans[place].replaced.contains(handle) {
          times.append((spans[place].begin, own))
        }
      }
    }
    return found
  }

  /// More are not looked at of those that were taken at one time.
  private static let mostShared = 8

  /// The connections that were there when a capture began, as far as others tell that hold the same records: of one host,
  /// taken earlier, and up to a time within this one.
  func connections(sharedWith span: CaptureSpan) -> [KnownConnection] {
    guard !span.sampled.strangers.isEmpty, span.begin.isTold else { return [] }
    let others = spans[spans.firstPlace { $0.end.seconds(since: span.begin) > CaptureSpan.longestOverlap }...]
      .lazy.filter { $0.begin.isTold && $0.begin < span.begin }
    var found: [AdapterHandle: KnownConnection] = [:]
    for other in others.prefix(Self.mostShared) {
      for known in other.sampled.connections(sharedWith: span.sampled, until: other.end)
      where found[known.adapterHandle] == nil
        && !other.controller(of: known.adapter).contradicts(span.controller(of: known.adapter))
      {
        found[known.adapterHandle] = known
      }
    }
    return Array(found.values)
  }

  /// The places of those that ended at a moment, and no other between: the nearest, and those of its time.
  private func ends(at time: Timestamp) -> [Int] {
    var ended: [Int] = []
    var nearest = (place: 0, pause: Double.infinity)
    var place = spans.firstPlace { time.seconds(since: $0.end) <= CaptureSpan.longestPause }
    while place < spans.count, time.seconds(since: spans[place].end) >= -CaptureSpan.longestOverlap {
      if let pause = spans[place].pause(until: time) {
        ended.append(place)
        if pause < nearest.pause { nearest = (place, pause) }
      }
      place += 1
    }
    return ended.filter { $0 == nearest.place || spans[$0].overlaps(spans[nearest.place]) }
  }
}

/// Which of the connections that may have been there before a capture are not any more.
struct ReplacedConnections: Hashable, Sendable {
  private var handles: Set<AdapterHandle> = []
  private var adapters: Set<UInt16> = []

  /// Of an adapter with more, none is taken to be there.
  private static let mostHandles = 4096

  /// The connection with a handle has ended, or another one has it.
  mutating func insert(_ handle: AdapterHandle) {
    guard !adapters.contains(handle.adapter) else { return }
    guard handles.count < Self.mostHandles else { return insert(all: handle.adapter) }
    handles.insert(handle)
  }

  /// All connections of an adapter have ended.
  mutating func insert(all adapter: UInt16) { adapters.insert(adapter) }

  func contains(_ handle: AdapterHandle) -> Bool { adapters.contains(handle.adapter) || handles.contains(handle) }
}
