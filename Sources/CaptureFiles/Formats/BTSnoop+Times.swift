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
  /// elsewhere does so in three in a row, with lengths that can be. Where the first one's length is damaged, two neighbours
  /// soon behind tell.
  /// - Parameter start: The file from its header on.
  /// - Returns: nil if more octets must tell.
  init?(ofFile start: Span<UInt8>, isAll: Bool) {
    let headers = Self.firstHeaders(start)
    if headers.prefix(2).contains(where: { Self.ofThisAge.contains($0.time) }) {
      self = .ofThisAge
    } else if headers.count == 3, headers.allSatisfy(Self.hasSoundLength), Self.areOfOneDay(headers[0], headers[1]),
      Self.areOfOneDay(headers[1], headers[2])
    {
      self.init(around: headers[0].time)
    } else if !isAll, start.count < Self.enough {
      return nil
    } else {
      // Where there is no record, nothing speaks against it.
      let isOfThisAge = headers.isEmpty || Self.holdsNeighbours(start.extracting(first: min(Self.enough, start.count)))
      self = isOfThisAge ? .ofThisAge : .any
    }
  }

  /// So many octets hold some dozen records.
  private static let enough = 4096

  /// The headers of the first three records, as far as they are there.
  private static func firstHeaders(_ start: Span<UInt8>) -> [BTSnoop.Header] {
    var headers: [BTSnoop.Header] = []
    var place = BTSnoop.fileHeaderLength
    while headers.count < 3, let header = BTSnoop.Header(start, at: place) {
      headers.append(header)
      guard header.included <= BTSnoop.longestRecord else { break }
      place += BTSnoop.Header.length + Int(header.included)
    }
    return headers
  }

  private static func hasSoundLength(_ header: BTSnoop.Header) -> Bool {
    header.included <= header.original && header.original <= BTSnoop.longestRecord
  }

  /// Whether two records of one day of this age follow each other anywhere.
  private static func holdsNeighbours(_ start: Span<UInt8>) -> Bool {
    for place in BTSnoop.fileHeaderLength..<max(BTSnoop.fileHeaderLength, start.count - BTSnoop.Header.length) {
      guard let header = BTSnoop.Header(start, at: place), ofThisAge.contains(header.time), header.included > 0,
        hasSoundLength(header),
        let next = BTSnoop.Header(start, at: place + BTSnoop.Header.length + Int(header.included)),
        hasSoundLength(next), areOfOneDay(header, next)
      else { continue }
      return true
    }
    return false
  }

  private static func areOfOneDay(_ one: BTSnoop.Header, _ other: BTSnoop.Header) -> Bool {
    max(one.time, other.time) - min(one.time, other.time) <= day
  }
}
