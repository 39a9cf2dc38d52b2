import Octets

/// Puts the pieces of one larger unit together: fragments of an L2CAP PDU, or, within an `SDURecombiner`, segments of an
/// SDU.
///
///     +----------------+----------------------+---------
///     | length (u16)   | rest of the header … | what that counts …
///     +----------------+----------------------+---------
///
/// There is one for each connection, direction and channel. It knows only lengths: how many octets the unit has, which
/// its header tells, and how many have come. Where the capture cut a piece, what follows it is counted but not kept, so
/// that the unit still ends where it ended on the air.
///
/// Whatever is wrong costs the unit it is in, never the next one.
public struct Recombiner: Sendable {
  /// What a piece did.
  public struct Step: Sendable {
    /// What is there now.
    public let state: State
    /// What was lost on the way.
    public let fault: RecombinationFault?
  }

  /// What is there after a piece.
  public enum State: Sendable {
    /// The piece alone is a whole unit; nothing was copied.
    case whole
    /// The unit is complete and stands in `octets`.
    case complete
    /// More pieces must come.
    case incomplete
    /// The piece came to nothing.
    case nothing
  }

  /// How many octets of a unit its length does not count: itself, and what else stands before the others.
  private let headerLength: Int
  private var buffer = ContiguousArray<UInt8>()
  private var origin = 0
  /// Octets that came, kept or not.
  private var received = 0
  /// Octets of the whole unit; nil until the header is there.
  private var expected: Int?
  private var isCut = false
  /// Whether a unit is unfinished.
  public private(set) var isActive = false
  /// How many octets of the unfinished unit are still to come; nil if there is none, or its length is not known.
  public var missing: Int? { isActive ? expected.map { $0 - received } : nil }

  /// Whether the capture cut even the header of the unfinished unit away.
  public var lacksHeader: Bool { isActive && isCut && expected == nil }

  /// How many octets of memory it takes, beside its own.
  public var memory: Int { buffer.capacity }

  /// Creates one for L2CAP PDUs, with nothing in it.
  public init() { self.init(headerLength: L2CAPPDU.headerLength) }

  init(headerLength: Int) { self.headerLength = headerLength }

  /// The unit that was completed last.
  public var octets: CapturedOctets {
    @_lifetime(borrow self) get { CapturedOctets(buffer.span, length: received, origin: origin) }
  }

  /// Takes a piece that begins a unit.
  mutating func start(_ piece: CapturedOctets) -> Step {
    // Where the capture cut even the header, nobody knows when the unit was finished.
    let lost: RecombinationFault? = isActive && received > 0 && !lacksHeader ? .startInsideUnfinished : nil
    if let length = unitLength(piece.octets) {
      if length == piece.length {
        isActive = false
        return Step(state: .whole, fault: lost)
      }
      if length < piece.length {
        isActive = false
        return Step(state: .nothing, fault: .tooLong)
      }
    }
    buffer.removeAll(keepingCapacity: true)
    (received, expected, isCut, isActive, origin) = (0, nil, false, true, piece.origin)
    let step = add(piece)
    return Step(state: step.state, fault: lost ?? step.fault)
  }

  /// Takes a piece that continues a unit.
  mutating func add(_ piece: CapturedOctets) -> Step {
    guard isActive else { return Step(state: .nothing, fault: piece.length == 0 ? nil : .continuationWithoutStart) }
    if !isCut {
      buffer.append(piece.octets)
      isCut = piece.isCut
    }
    received += piece.length
    expected = expected ?? unitLength(buffer.span)
    guard let expected else {
      // A header that the capture cut away: the rest of the unit passes by unseen.
      return Step(state: .incomplete, fault: nil)
    }
    if received < expected { return Step(state: .incomplete, fault: nil) }
    isActive = false
    return received == expected ? Step(state: .complete, fault: nil) : Step(state: .nothing, fault: .tooLong)
  }

  /// How many octets a unit has, header and all, by its first ones; nil if the header is not all there.
  private func unitLength(_ start: Span<UInt8>) -> Int? {
    guard let header = OctetWindow(start, count: headerLength) else { return nil }
    return headerLength + Int(header.uint16(at: 0))
  }

  /// Forgets what is unfinished, and gives its memory back.
  public mutating func reset() {
    self = Recombiner(headerLength: headerLength)
  }
}

/// What can be wrong with the pieces of a unit.
public enum RecombinationFault: Hashable, Sendable {
  /// A continuation came where nothing had begun.
  case continuationWithoutStart
  /// A unit began while another was unfinished.
  case startInsideUnfinished
  /// More octets came than the unit has.
  case tooLong

  /// The fault in a sentence.
  public var message: String {
    switch self {
    case .continuationWithoutStart: "a continuation fragment without a start"
    case .startInsideUnfinished: "a PDU began before the one before it was finished"
    case .tooLong: "more octets than the PDU's length says"
    }
  }
}

// MARK: - Fragments of L2CAP PDUs

extension Recombiner {
  /// Takes the data of an ACL packet. The unit is an L2CAP PDU, whose header may itself be split over fragments.
  public mutating func add(fragment: CapturedOctets, isContinuation: Bool) -> Step {
    isContinuation ? add(fragment) : start(fragment)
  }

  /// How well a fragment continues an unfinished PDU.
  public enum Fit: Int, Comparable {
    /// There is none, or it would be longer than its length says, or on a channel that there hardly is.
    case none
    /// More would have to come.
    case part
    /// It would be complete.
    case rest

    /// The better fits better.
    public static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
  }

  /// How well a fragment continues the unfinished PDU, of which not even the header need be there.
  public func fit(of fragment: CapturedOctets) -> Fit {
    var whole = self
    let step = whole.add(fragment)
    guard isActive, step.fault == nil else { return .none }
    if expected == nil, let channel = whole.startedChannel, !Self.usual.contains(channel.rawValue) { return .none }
    if case .complete = step.state { return .rest }
    return .part
  }

  /// Hosts number their channels from the lowest that are free.
  private static let usual: ClosedRange<UInt16> = 0x0001...0x00FF

  /// The channel of the unfinished L2CAP PDU; nil if there is none, or too little of it.
  public var unfinishedChannel: ChannelID? { isActive ? startedChannel : nil }

  /// The channel of the L2CAP PDU that was begun last; nil if there is too little of it.
  private var startedChannel: ChannelID? {
    guard let header = OctetWindow(buffer.span, count: L2CAPPDU.headerLength) else { return nil }
    return ChannelID(rawValue: header.uint16(at: 2))
  }
}
