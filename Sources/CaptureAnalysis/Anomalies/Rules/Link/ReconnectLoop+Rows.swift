import BluetoothHost
import CaptureFiles

extension ReconnectLoop {
  /// A connection that came about, and has ended.
  struct Visit {
    let connection: Int
    let begun: Moment
    let ended: Moment
    let end: DisconnectedEvent
    /// In seconds.
    let length: Double
  }

  /// Connections to one peer that ended in the same way after about the same time, each with the next one soon behind
  /// it.
  ///
  /// What ends them knows no better: it is no person, who takes up another length each time, or a longer rest.
  struct Row {
    private let first: Visit
    private(set) var last: Visit
    private(set) var count = 1
    /// In seconds: how long they were together, and the longest time from an end to the next beginning.
    private var whole: Double
    private var longestPause = 0.0

    /// In seconds: so soon a program is back that has ended a connection itself. A person who measures once more, or an
    /// app that does so now and then, takes longer.
    private static let longestOwnPause = 10.0
    /// In seconds: lengths that differ by less, or by a tenth, are the same.
    private static let tolerance = 2.0

    init(_ first: Visit) { (self.first, last, whole) = (first, first, first.length) }

    /// The connections from the first to the last.
    var connections: ClosedRange<Int> { first.connection...max(first.connection, last.connection) }
    var span: RecordSpan { RecordSpan(from: first.begun, to: last.ended, count: count) }
    var connection: Int { first.connection }

    /// Takes one more, unless it is another story.
    /// - Parameters:
    ///   - pause: How long it began after the end of the last one, in seconds.
    ///   - within: The longest pause that is a short one, in seconds.
    mutating func take(_ next: Visit, after pause: Double, within: Double) -> Bool {
      let isOwn = first.end.isByHost
      let difference = isOwn ? Self.tolerance : max(Self.tolerance, first.length / 10)
      // A device that is asked now and then is apart for longer than it is connected.
      let mostPause = min(isOwn ? Self.longestOwnPause : within, first.length)
      guard next.end.reason == first.end.reason, next.end.isByHost == isOwn, (0...mostPause).contains(pause),
        abs(next.length - first.length) <= difference
      else { return false }
      (last, count, whole, longestPause) = (next, count + 1, whole + next.length, max(longestPause, pause))
      return true
    }

    /// "the peer C5:44:33:22:11:01 ended 5 connections, each after about 5 min 01 s, and the next one began within 3.4
    /// s".
    func words(of peer: DeviceAddress) -> String {
      let what =
        first.end.isByHost
        ? "the local host ended \(count) connections to \(peer)"
        : first.end.isByPeer
          ? "the peer \(peer) ended \(count) connections"
          : "\(count) connections to \(peer) ended with \(first.end.reason?.words ?? "no reason")"
      let length = seconds((whole / Double(count)).rounded())
      return "\(what), each after about \(length), and the next one began within \(seconds(longestPause)) each time"
    }
  }
}
