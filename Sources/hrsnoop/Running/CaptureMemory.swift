import CaptureAnalysis
import CaptureFiles
import CaptureSources

/// What captures that are given together tell of devices, each for the others.
struct CaptureMemory {
  /// What captures have told that were read before: of what several tell, the last word.
  private(set) var earlier = Conclusions()
  /// What all have told: of what several tell, the first word, and whatever the others add.
  private var together = Conclusions()
  /// What each has told, in the order they were read, while some may have to be read again.
  private var told: [Conclusions] = []
  private var unsettled: [UnsettledCapture] = []
  /// How many files and archives stay open for them.
  private var stayingOpen = 0
  private let looksBack: Bool

  /// A capture in which something notified, or was read or written, that nothing names, neither it nor one before it; or
  /// a connection went on with nobody knows whom.
  struct UnsettledCapture {
    let input: CaptureInput
    /// Its place among all captures.
    let place: Int
    /// Its place among those that have told something.
    fileprivate let number: Int
    fileprivate let own: Conclusions
    /// Whether another one ended where it begins, and may tell with whom it goes on.
    fileprivate var goesOn = false
  }

  /// Of more, later ones are not read again.
  private static let mostUnsettled = 1000
  /// A process may not have many files open.
  private static let mostOpen = 8
  /// Of one archive that stays open: to open each once more, its members are counted anew.
  private static let mostOfArchive = 32

  /// - Parameter looksBack: Whether captures are to be read again of which others tell more.
  init(looksBack: Bool) { self.looksBack = looksBack }

  /// Takes what a capture has told.
  mutating func remember(_ conclusions: Conclusions) {
    earlier.add(conclusions)
    guard looksBack else { return }
    guard let again else {
      together.fillIn(from: conclusions)
      return told.append(conclusions.ofDevices)
    }
    guard again.goesOn else { return }
    tables = nil
    together.fillIn(from: conclusions)
    told[again.number] = conclusions.ofDevices
  }

  /// Keeps a capture, if something in it is not named: one that is read behind it may tell what that is.
  mutating func keep(_ input: CaptureInput, at place: Int, _ conclusions: Conclusions) {
    guard looksBack, again == nil, input.canBeReadAgain, !conclusions.nameAll, unsettled.count < Self.mostUnsettled,
      !input.staysOpen || mayStayOpen(input)
    else { return }
    unsettled.append(UnsettledCapture(input: input, place: place, number: told.count, own: conclusions))
  }

  /// Whether one more of those may be kept for which files or archives stay open.
  private mutating func mayStayOpen(_ input: CaptureInput) -> Bool {
    let others = unsettled.count { $0.input.sharesArchive(with: input) }
    if others > 0 { return others < Self.mostOfArchive }
    guard stayingOpen < Self.mostOpen else { return false }
    stayingOpen += 1
    return true
  }

  /// The captures in which something is not named: first those that go on where others end, in the order of time, and then
  /// the rest, in the order they were read.
  mutating func takeUnsettled() -> [UnsettledCapture] {
    for place in unsettled.indices { unsettled[place].goesOn = together.mayTellPeers(of: unsettled[place].own) }
    defer { unsettled = [] }
    recalled = Recollection(of: told.indices.sorted { told[$0].end < told[$1].end })
    return unsettled.filter(\.goesOn).sorted { $0.own.begin < $1.own.begin } + unsettled.filter { !$0.goesOn }
  }

  /// Goes back to what is known for reading a capture again: what came before counts more than what came behind. They must
  /// be asked for in their order.
  /// - Returns: Whether others that were read behind it tell more of it.
  mutating func recall(_ capture: UnsettledCapture) -> Bool {
    if !capture.goesOn, again?.goesOn != false { recalled = Recollection(of: Array(told.indices)) }
    again = capture
    let tables = tables ?? PeerTables(of: together)
    self.tables = tables
    guard let help = capture.own.help(from: tables) else { return false }
    recalled.goOn(in: told) { capture.goesOn ? $1.isPast(before: capture.own) : $0 < capture.number }
    earlier = recalled.conclusions
    earlier.fillIn(from: help)
    return true
  }

  /// The capture that is read again, once all have been read.
  private var again: UnsettledCapture?
  /// What all have told, by the peer, once all have been read.
  private var tables: PeerTables?
  /// What those have told that came before it.
  private var recalled = Recollection(of: [])
}

/// What the first of several captures have told: of what several tell, the last word.
private struct Recollection {
  private(set) var conclusions = Conclusions()
  private var rest: ArraySlice<Int>

  /// - Parameter order: Which of them comes when.
  init(of order: [Int]) { rest = order[...] }

  /// Adds those that are earlier than something.
  mutating func goOn(in told: [Conclusions], while isEarlier: (Int, Conclusions) -> Bool) {
    while let next = rest.first, isEarlier(next, told[next]) {
      conclusions.add(told[next])
      rest.removeFirst()
    }
  }
}
