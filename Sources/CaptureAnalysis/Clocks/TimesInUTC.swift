public import CaptureFiles

/// The times of a capture's records, one after another, in UTC: of a clock that showed the time of a zone, if it is known
/// which.
///
/// Of the hour that clocks show twice it is the first time, until they are turned back.
public struct TimesInUTC: Sendable {
  let zone: TimeZoneRule?
  /// What the records' own times count from.
  public var stamps = CaptureClock.utc
  /// The time of the last packet.
  private var last: Timestamp?
  /// The last time of an hour that was shown for the second time.
  private var turnedBack: Timestamp?

  /// What is known of the minute at hand: asking a zone takes longer than reading a record.
  private var minute: (start: Timestamp, moments: ClosedRange<Timestamp>)?

  /// Times back by less are not in order: no clock was turned back. In microseconds.
  private static let disorder: Int64 = 1_000_000

  /// - Parameter zone: The zone of times that are not UTC; nil if none was given.
  init(zone: TimeZoneRule?) { self.zone = zone }

  /// What the times that are told count from.
  /// - Parameter stamps: What the records' own times do.
  public func clock(of stamps: CaptureClock) -> CaptureClock { zone == nil ? stamps : .utc }

  /// Whether the times that are told are others than the records' own.
  var areOthers: Bool { zone != nil && stamps != .utc }

  /// A record with its time in UTC.
  public mutating func told(_ record: CaptureRecord) -> CaptureRecord {
    areOthers ? record.captured { utc($0, isOfPacket: record.content.isPacket) } : record
  }

  /// When the first packet came.
  func first(_ stamp: Timestamp) -> Timestamp {
    var beginning = self
    return beginning.utc(stamp, isOfPacket: true)
  }

  /// - Parameter isOfPacket: Notes may be of another time.
  private mutating func utc(_ stamp: Timestamp, isOfPacket: Bool) -> Timestamp {
    guard areOthers, let zone, stamp.isTold else { return stamp }
    let moments = moments(stamp, in: zone)
    let isSecond = areTurnedBack(at: moments)
    let time = isSecond ? moments.upperBound : moments.lowerBound
    guard isOfPacket else { return time }
    last = time
    if isSecond { turnedBack = time }
    return time
  }

  /// When a zone's clocks show a time: they are changed on a minute.
  private mutating func moments(_ stamp: Timestamp, in zone: TimeZoneRule) -> ClosedRange<Timestamp> {
    let passed = stamp.microseconds % 60_000_000
    let start = Timestamp(microseconds: stamp.microseconds - passed)
    let known = minute.flatMap { $0.start == start ? $0.moments : nil } ?? zone.moments(start)
    minute = (start, known)
    return known.lowerBound.advanced(byMicroseconds: passed)...known.upperBound.advanced(byMicroseconds: passed)
  }

  /// Whether it is the second of two moments that clocks show alike: the first would lie before what came last, or they
  /// have been turned back already.
  private func areTurnedBack(at moments: ClosedRange<Timestamp>) -> Bool {
    let (first, second) = (moments.lowerBound, moments.upperBound)
    guard first < second, let last else { return false }
    if let turnedBack, abs(second.seconds(since: turnedBack)) < second.seconds(since: first) { return true }
    let order = last.advanced(byMicroseconds: -Self.disorder)
    return first < order && order <= second
  }
}
