import Octets

/// The times that a record's header may tell if it is right, in microseconds on btsnoop's clock.
@usableFromInline struct SoundTimes: Hashable, Sendable {
  @usableFromInline let earliest: UInt64
  /// How far the last of them lies behind it.
  @usableFromInline let span: UInt64

  /// 1970 (a phone whose clock was never set) to 2255: where a clock that was ever set puts times.
  static let ofThisAge = SoundTimes(earliest: UInt64(BTSnoop.epoch), span: thisAge)
  @inlinable static var thisAge: UInt64 { 1 << 53 - 1 }
  /// Any: of a file whose first times are odd, and do not go together either.
  static let any = SoundTimes(earliest: 0, span: .max)

  /// Those of a file that counts from elsewhere, by one of them: from a year before it to fifty years behind.
  private init(around time: UInt64) {
    self.init(earliest: time - min(time, Self.year), span: 51 * Self.year)
  }

  private init(earliest: UInt64, span: UInt64) { (self.earliest, self.span) = (earliest, span) }

  private static let day: UInt64 = 86_400_000_000
  private static let year = 366 * day

  /// Whether a header is hardly damaged if its time is one of these.
  var proveHeaders: Bool { self != .any }

  /// A clock that counts from elsewhere may be set meanwhile, to what is a time of this age.
  @inlinable @inline(__always)
  func contains(_ time: UInt64) -> Bool {
    time &- earliest <= span || time &- UInt64(BTSnoop.epoch) <= Self.thisAge
  }
}

// MARK: - What a file's records tell

extension SoundTimes {
  /// Of a file, the first record's time tells; where that is odd, the second's, for one may be damaged. What counts from
  /// elsewhere does so in both. Where the first one's length is damaged, two neighbours soon behind tell.
  /// - Parameter start: The file from its header on.
  /// - Returns: nil if more octets must tell.
  init?(ofFile start: Span<UInt8>, isAll: Bool) {
    let times = Self.firstTimes(start)
    if times.contains(where: Self.ofThisAge.contains) {
      self = .ofThisAge
    } else if let first = times.first, let second = times.last, times.count == 2, Self.areOfOneDay(first, second) {
      self.init(around: first)
    } else if !isAll, start.count < Self.enough {
      return nil
    } else {
      // Where there is no record, nothing speaks against it.
      let isOfThisAge = times.isEmpty || Self.holdsNeighbours(start.extracting(first: min(Self.enough, start.count)))
      self = isOfThisAge ? .ofThisAge : .any
    }
  }

  /// So many octets hold some dozen records.
  private static let enough = 4096

  /// The times of the first two records, as far as they are there.
  private static func firstTimes(_ start: Span<UInt8>) -> [UInt64] {
    guard let first = BTSnoop.Header(start, at: BTSnoop.fileHeaderLength) else { return [] }
    guard let second = follower(of: first, at: BTSnoop.fileHeaderLength, start) else { return [first.time] }
    return [first.time, second.time]
  }

  /// The header behind a record; nil if the record is too long for one, or it is not there.
  private static func follower(of header: BTSnoop.Header, at place: Int, _ start: Span<UInt8>) -> BTSnoop.Header? {
    guard header.included <= BTSnoop.longestRecord else { return nil }
    return BTSnoop.Header(start, at: place + BTSnoop.Header.length + Int(header.included))
  }

  /// Whether two records of one day of this age follow each other anywhere.
  private static func holdsNeighbours(_ start: Span<UInt8>) -> Bool {
    for place in BTSnoop.fileHeaderLength..<max(BTSnoop.fileHeaderLength, start.count - BTSnoop.Header.length) {
      guard let header = BTSnoop.Header(start, at: place), ofThisAge.contains(header.time),
        header.included > 0, header.included <= header.original,
        let next = follower(of: header, at: place, start), next.included <= next.original,
        areOfOneDay(header.time, next.time)
      else { continue }
      return true
    }
    return false
  }

  private static func areOfOneDay(_ one: UInt64, _ other: UInt64) -> Bool {
    max(one, other) - min(one, other) <= day
  }
}
