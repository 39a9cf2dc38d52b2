import CaptureFiles

/// When adapters were heard that the capture's interfaces tell apart.
///
/// Files that were rotated and then merged have an interface each, though they are of one adapter: the one begins where the
/// other has ended. That it has, and has not just nothing to say, is not known before the capture ends.
struct AdapterTurns {
  /// The numbers of the first and the last packet of an adapter, and when they came; the last one's is open while it is
  /// heard.
  private struct Turn {
    let first: (number: Int, time: Timestamp)
    var last: (number: Int, time: Timestamp)?
  }

  private var turns: [UInt16: Turn] = [:]
  private var speaker: UInt16?

  /// More files are not merged.
  private static let most = 256

  /// Whether a packet is of another adapter than the one before.
  @inline(__always)
  func isTurn(to adapter: UInt16) -> Bool { adapter != speaker }

  /// Takes the first packet of another adapter than the one before.
  /// - Parameter before: When the one before came.
  /// - Returns: Whether that adapter was not heard so far.
  mutating func note(_ record: CaptureRecord, before: Timestamp?) -> Bool {
    if let speaker, let before { turns[speaker]?.last = (record.number - 1, before) }
    speaker = record.adapter
    guard turns[record.adapter] == nil else {
      turns[record.adapter]?.last = nil
      return false
    }
    if turns.count < Self.most { turns[record.adapter] = Turn(first: (record.number, record.time)) }
    return true
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

  private static func goesOn(_ turn: Turn, behind last: (number: Int, time: Timestamp)) -> Bool {
    guard last.number < turn.first.number, last.time.isTold, turn.first.time.isTold else { return false }
    return CaptureSpan.mayGoOn(after: turn.first.time.seconds(since: last.time))
  }
}

/// Which adapters go on with one that was heard before, under another number.
struct ContinuedAdapters: Sendable {
  private let earlier: [UInt16: UInt16]

  /// - Parameter earlier: The one before, for each that goes on with one.
  init(_ earlier: [UInt16: UInt16] = [:]) { self.earlier = earlier }

  /// Whether there are none.
  var isEmpty: Bool { earlier.isEmpty }

  /// The adapter of which a capture tells under a number, or under another one before.
  @inline(__always)
  func first(_ number: UInt16) -> UInt16 { isEmpty ? number : beginning(of: number) }

  @inline(never)
  private func beginning(of number: UInt16) -> UInt16 {
    var adapter = number
    while let before = earlier[adapter] { adapter = before }
    return adapter
  }
}
