public import Octets

/// How far a capture has been read, and what stood in the way.
public struct CaptureProgress: Sendable {
  /// Records so far, of every interface.
  public internal(set) var records = 0
  /// Octets that belong to what has been read or passed over.
  public internal(set) var consumedOctets = 0
  /// Octets that could not be read.
  public internal(set) var skippedOctets = 0
  /// Each damaged stretch, as far as they were kept.
  public internal(set) var damages: [Damage] = []
  /// How many stretches were damaged, kept or not.
  public internal(set) var damageCount = 0
  /// Whether the first damage is that the capture begins behind octets that are not its own, or without some that were.
  public internal(set) var isDisplaced = false
  /// Where the last record is incomplete, if it is.
  public internal(set) var cutOff: ParsingError?

  /// The progress at the start of an input.
  public init() {}

  /// More than this many are counted, not kept.
  static let keptDamages = 100

  /// Whether records are handed on without a look at what follows.
  var isLive = false
  /// Whether no more octets have come so far.
  var isPausing = false
  /// What stands before the next record.
  @usableFromInline var breaks: CaptureRecord.Breaks = []
  /// Where the header of the source itself stands: at its start, or where it began anew.
  private(set) var ownHeader = 0
  /// What is to be done with the next octets.
  @usableFromInline var course = Course.reading

  /// Where, among the octets at hand, no block of the days at hand begins.
  var untimely = UntimelyStretch()

  /// What can be done with octets.
  @usableFromInline enum Course: Hashable, Sendable {
    /// A block begins with them.
    case reading
    /// So many more are passed over.
    /// - Parameter areWanted: Whether something that is wanted may be in them: then that is said.
    case passingOver(Int, areWanted: Bool)
    /// They are skipped until a block is found, behind damage.
    case searching

    /// Passes over octets; reads on at once if there are none.
    static func passing(over count: Int, areWanted: Bool) -> Course {
      count > 0 ? .passingOver(count, areWanted: areWanted) : .reading
    }
  }

  /// Octets need not be looked at again.
  @usableFromInline mutating func noteConsumed(_ count: Int) {
    consumedOctets &+= count
    untimely.drop(count)
  }

  /// Records were read up to a place.
  @usableFromInline mutating func noteRun(upTo place: BlockPlace) {
    records = place.record &- 1
    breaks = place.breaks
    // It may be of other days than those before.
    untimely = UntimelyStretch()
  }

  /// The place of the block at an index, should it hold the next record.
  func place(of index: Int) -> BlockPlace {
    BlockPlace(start: consumedOctets, index: index, record: records &+ 1, breaks: breaks)
  }

  /// The rest of a block is passed over; nothing is said of it where nothing in it is wanted.
  /// - Parameters:
  ///   - unread: What of the block is wanted and cannot be read.
  ///   - index: Where the block begins.
  ///   - count: How many of its octets are at hand, and are read unless nothing can be.
  mutating func notePassingOver(_ unread: BlockFront.Unread, from index: Int, read count: Int, of length: Int) {
    let rest = length &- count
    let areWanted = unread == .all || unread == .rest && rest > 0
    course = .passing(over: rest, areWanted: areWanted)
    guard areWanted else { return }
    noteOddHeader(.length(length, at: index, looksAt: count))
    guard unread == .all else { return }
    noteSkipped(count)
    records &+= 1
    breaks.insert(.damage)
  }

  /// The capture begins behind octets that are not its own, or without some that were.
  mutating func noteDisplacement(_ problem: String, by count: Int) {
    isDisplaced = true
    noteOddHeader(ParsingError(layer: "capture", field: "Start", problem: .invalid(problem), offset: 0))
    course = .passing(over: count, areWanted: true)
  }

  /// What was being looked for will not come.
  mutating func beginAgain(isGap: Bool) {
    (course, ownHeader) = (.reading, consumedOctets)
    if isGap { breaks.insert(.damage) }
  }

  /// Whether nothing was skipped and the last record is whole.
  public var isComplete: Bool { skippedOctets == 0 && cutOff == nil }
}

/// A stretch of octets in which no record could be found.
public struct Damage: Hashable, Sendable {
  /// What was wrong with the first record there.
  public let error: ParsingError
  /// The number of the record that should have stood there.
  public let record: Int
  /// How many octets were skipped.
  public package(set) var skippedOctets: Int

  package init(error: ParsingError, record: Int, skippedOctets: Int) {
    (self.error, self.record, self.skippedOctets) = (error, record, skippedOctets)
  }
}
