import CaptureFiles

/// When adapters were heard that the capture's interfaces tell apart.
///
/// Files that were rotated and then merged have an interface each, though they are of one adapter: the one begins where the
/// other has ended. That it has, and has not just nothing to say, is not known before the capture ends.
struct AdapterTurns {
  /// The first and the last packet of an adapter; the last one's is open while it is heard.
  private struct Turn {
    let first: Moment
    var last: Moment?
  }

  private var turns: [UInt16: Turn] = [:]
  private var speaker: UInt16?
  /// Where the last packet of all stands.
  private var last: Moment?

  /// More files are not merged.
  private static let most = 256

  /// Takes a packet.
  /// - Returns: Where the one before stands, if this is the first of its adapter, and others were heard before.
  @inline(__always)
  mutating func note(_ adapter: UInt16, _ moment: Moment) -> Moment? {
    defer { last = moment }
    return adapter == speaker ? nil : turn(to: adapter, moment)
  }

  @inline(never)
  private mutating func turn(to adapter: UInt16, _ moment: Moment) -> Moment? {
    if let speaker { turns[speaker]?.last = last }
    speaker = adapter
    guard turns[adapter] == nil else {
      turns[adapter]?.last = nil
      return nil
    }
    if turns.count < Self.most { turns[adapter] = Turn(first: moment) }
    return last
  }

  /// Where an adapter was heard last; nil if that is where the capture ends.
  /// - Parameter continued: Under which other numbers it is heard.
  func end(of adapter: UInt16, _ continued: ContinuedAdapters) -> Moment? {
    let own = turns.filter { continued.first($0.key) == adapter }.values
    return own.max { $0.first < $1.first }?.last
  }

  /// Which adapters go on with one that was heard before, of those that need not be captured to the end: where that has
  /// ended for good as they begin, no other has, and nobody else goes on with it.
  func continued(_ isCaptured: (_ adapter: UInt16) -> Bool) -> ContinuedAdapters {
    let merged = turns.filter { !isCaptured($0.key) }
    var earlier: [UInt16: UInt16] = [:]
    for (adapter, turn) in merged {
      let ended = merged.filter { $0.value.last.map { Self.goesOn(turn, behind: $0) } ?? false }
      if let only = ended.first, ended.count == 1 { earlier[adapter] = only.key }
    }
    let claims = Dictionary(grouping: earlier.values, by: \.self)
    return ContinuedAdapters(earlier.filter { claims[$0.value]?.count == 1 })
  }

  private static func goesOn(_ turn: Turn, behind last: Moment) -> Bool {
    guard last < turn.first, last.time.isTold, turn.first.time.isTold else { return false }
    return CaptureSpan.mayGoOn(after: turn.first.time.seconds(since: last.time))
  }
}
