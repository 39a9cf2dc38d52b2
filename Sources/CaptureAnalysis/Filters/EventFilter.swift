public import BluetoothHost
public import CaptureFiles

/// Which part of a capture is to be reported. All of it is analyzed all the same: what is known of a connection may
/// come from outside the part.
public struct EventFilter: Sendable {
  /// The device whose connections are wanted.
  public var device: DeviceQuery?
  /// The connection that is wanted, by its number.
  public var connection: Int?
  /// The records that are wanted.
  public var frames: RecordRange?
  /// The first moment that is wanted.
  public var from: TimeLimit?
  /// The last moment that is wanted.
  public var to: TimeLimit?
  /// The time zone that was asked for.
  public var zone: TimeZoneRule?

  /// A filter that leaves out nothing.
  public init() {}

  /// Whether records or times are left out.
  var isForPart: Bool { frames != nil || from != nil || to != nil }

  /// Whether it leaves out nothing.
  public var isEmpty: Bool { device == nil && connection == nil && !isForPart }
}

/// A device as someone names it: its address, or a part of its name, in capitals or not.
public struct DeviceQuery: Sendable {
  private let text: String
  /// The number of an address, however its digits are set apart; nil if it is none.
  private let number: UInt64?

  /// A query from its text.
  public init(_ text: String) {
    self.text = text.lowercased()
    let digits = self.text.filter { $0 != ":" && $0 != "-" }
    number = digits.count == 12 && digits.allSatisfy(\.isHexDigit) ? UInt64(digits, radix: 16) : nil
  }

  /// Whether a device is meant.
  public func matches(address: DeviceAddress?, name: String?) -> Bool {
    if let number, address?.number == number { return true }
    return name?.lowercased().contains(text) ?? false
  }

  /// Whether the peer of a connection is meant, by the address that it uses or by its lasting one.
  func matches(_ peer: PeerIdentity) -> Bool {
    matches(address: peer.address, name: peer.name) || matches(address: peer.identity, name: nil)
  }

  /// Whether the peer of a connection is meant, as far as a summary tells.
  func matches(_ connection: ConnectionSummary) -> Bool {
    matches(address: connection.address, name: connection.peer.name)
      || matches(address: connection.identity, name: nil)
  }
}

/// A moment as someone writes it.
public enum TimeLimit: Sendable {
  /// So long after the first packet.
  case sinceStart(microseconds: Int64)
  /// A date and a time of day, and how far its zone is ahead of UTC: nil where none is written.
  case written(Timestamp, offset: Int64?)

  /// Whether it lies before another one, whatever the capture is: of those that count from its beginning, or are in its
  /// zone, that is not known if the other one does not, or is not.
  /// - Parameter zone: The time zone that was asked for. What its clocks show twice may be before and behind.
  public func isKnown(toBeBefore other: TimeLimit, in zone: TimeZoneRule?) -> Bool {
    switch (self, other) {
    case (.sinceStart(let mine), .sinceStart(let others)): mine < others
    case (.written(let mine, nil), .written(let others, nil)):
      mine < others && zone.map { $0.moments(mine).upperBound < $0.moments(others).lowerBound } ?? true
    case (.written(let mine, let offset?), .written(let others, let otherOffset?)):
      mine.advanced(byMicroseconds: -offset) < others.advanced(byMicroseconds: -otherOffset)
    default: false
    }
  }
}

/// The part of a capture between two records and two moments.
struct FilterWindow {
  private let frames: RecordRange?
  private let from: Timestamp
  /// The last moment. Nothing lies in a part that ends before it begins.
  private let to: Timestamp

  private static let never = Timestamp(microseconds: .max)

  /// The part that a filter leaves. Where time begins is known from the first packet on; what is said before it counts
  /// as said with it.
  init(_ filter: EventFilter, _ start: CaptureStart?) {
    frames = filter.frames
    let clock = ClockReading(start?.clock ?? .utc, zone: filter.zone)
    func stamps(_ limit: TimeLimit?, otherwise: Timestamp) -> ClosedRange<Timestamp> {
      switch limit {
      case nil: return otherwise...otherwise
      case .written(let written, let offset): return clock.stamps(written, offset: offset)
      case .sinceStart(let microseconds):
        let stamp = start?.time.advanced(byMicroseconds: microseconds) ?? (microseconds > 0 ? Self.never : otherwise)
        return stamp...stamp
      }
    }
    // Of what is meant, nothing is left out where clocks show it twice.
    from = stamps(filter.from, otherwise: Timestamp(microseconds: .min)).lowerBound
    to = stamps(filter.to, otherwise: Self.never).upperBound
  }

  /// The part, if it is not all.
  var part: ShownPart? {
    let from = from.microseconds == .min ? nil : from
    let to = to < Self.never ? to : nil
    return from == nil && to == nil && frames == nil ? nil : ShownPart(frames: frames, from: from, to: to)
  }

  /// Whether a moment lies in it.
  func contains(_ moment: Moment) -> Bool {
    frames?.contains(moment) ?? true && from <= moment.time && moment.time <= to
  }

  /// Whether it begins behind a moment.
  func isAhead(of moment: Moment) -> Bool {
    let end = Moment(frame: .max, time: Self.never, member: moment.member.map { _ in .max })
    return !contains(moment) && overlaps(moment, end)
  }

  /// Whether something lasted into it: from one record and moment to another.
  func overlaps(_ first: Moment, _ last: Moment) -> Bool {
    frames?.overlaps(first, last) ?? true && from <= last.time && first.time <= to && from <= to
  }
}
