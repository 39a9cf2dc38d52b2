import CaptureFiles
import Octets

/// Some of the data that connections have received, and when: two captures of one host have the same of what both hold,
/// since it goes by the time which. Two hosts never hear the same in the same microsecond, time and again.
struct RecordSample: Hashable, Sendable {
  /// One record's.
  struct Mark: Hashable, Sendable {
    let time: Timestamp
    /// Of its octets.
    let fingerprint: UInt64
    /// The connection's number, in order of appearance.
    let connection: Int

    /// The same for what another capture has of the record.
    var identity: Identity { Identity(time: time, fingerprint: fingerprint) }
  }

  /// What tells a record.
  struct Identity: Hashable {
    let time: Timestamp
    let fingerprint: UInt64
  }

  private(set) var marks: [Mark] = []
  /// Times of which the number is no more than this are in it.
  private var limit = UInt64.max

  /// Enough that of an hour's values in a day some are in it.
  private static let most = 1024
  /// More octets of a record do not tell it better.
  private static let mostOctets = 32

  /// A number that is anywhere for any time.
  @inline(__always)
  private static func number(_ time: Timestamp) -> UInt64 {
    UInt64(bitPattern: time.microseconds) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Whether a record of this time is one.
  @inline(__always)
  func takes(_ time: Timestamp) -> Bool { Self.number(time) <= limit }

  /// Takes a record. A time of whole milliseconds is one that a program has rounded: others may have it, too.
  mutating func insert(_ octets: Span<UInt8>, at time: Timestamp, of connection: Int) {
    guard time.isTold, time.microseconds % 1000 != 0 else { return }
    let count = min(octets.count, Self.mostOctets)
    let fingerprint = fingerprint(of: octets.extracting(0..<count))
    marks.append(Mark(time: time, fingerprint: fingerprint, connection: connection))
    while marks.count > Self.most {
      limit >>= 1
      let limit = limit
      marks.removeAll { Self.number($0.time) > limit }
    }
  }
}

/// What a capture has heard of its connections, by which another one of the same host can be told.
struct SampledConnections: Hashable, Sendable {
  var sample = RecordSample()
  /// Those whose peers are known, by their numbers.
  private(set) var known: [Int: KnownConnection] = [:]
  /// The numbers of those that were there in the beginning, and whose peers are not.
  private(set) var strangers: [AdapterHandle: Int] = [:]

  /// A connection is with somebody.
  mutating func note(_ connection: KnownConnection?, _ number: Int) {
    guard let connection, known.count < CaptureSpan.mostConnections else { return }
    known[number] = connection
  }

  /// A connection goes on with nobody knows whom.
  mutating func note(stranger handle: AdapterHandle, _ number: Int) {
    if strangers.count < CaptureSpan.mostConnections { strangers[handle] = number }
  }

  /// Fewer records that both have prove nothing.
  private static let least = 4

  /// Another capture's connections with strangers, of which this one knows with whom they are: all that it would have of them
  /// up to its own end, it has, each in the same microsecond, on one connection that had the same handle.
  func connections(sharedWith other: SampledConnections, until end: Timestamp) -> [KnownConnection] {
    guard !other.strangers.isEmpty, !known.isEmpty else { return [] }
    var own: [RecordSample.Identity: Int] = [:]
    for mark in sample.marks { own[mark.identity] = mark.connection }
    let shared = other.sample.marks.filter { $0.time < end && sample.takes($0.time) }
    let theirs = Dictionary(grouping: shared, by: \.connection)
    return other.strangers.compactMap { handle, number in
      let marks = theirs[number] ?? []
      guard marks.count >= Self.least, let first = own[marks[0].identity],
        marks.allSatisfy({ own[$0.identity] == first }), var connection = known[first],
        connection.adapterHandle == handle
      else { return nil }
      // What was said by then, and what only later, is not known apart.
      (connection.said, connection.until) = (SaidOnce(), .unknown)
      return connection
    }
  }
}
