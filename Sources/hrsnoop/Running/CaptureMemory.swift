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
  private let looksBack: Bool
  private var step = Step.forward

  private enum Step {
    /// All are read for the first time.
    case forward
    /// Those are read again of which others tell more.
    case back
    /// Those are read again that go on where others end.
    case onward
  }

  /// A capture in which something notified, or was read or written, that nothing names, neither it nor one before it; or
  /// a connection went on with nobody knows whom.
  struct UnsettledCapture {
    let input: CaptureInput
    /// Its place among all captures.
    let place: Int
    /// How many had told something before it was read.
    fileprivate let before: Int
    fileprivate let own: Conclusions
  }

  /// Of more, later ones are not read again.
  private static let mostUnsettled = 1000
  /// A process may not have many files open.
  private static let mostOpen = 8

  /// - Parameter looksBack: Whether captures are to be read again of which others tell more.
  init(looksBack: Bool) { self.looksBack = looksBack }

  /// Takes what a capture has told.
  mutating func remember(_ conclusions: Conclusions) {
    earlier.add(conclusions)
    guard looksBack, step != .back else { return }
    together.fillIn(from: conclusions)
    if step == .forward { told.append(conclusions.ofDevices) } else { tables = nil }
  }

  /// Keeps a capture, if something in it is not named: one that is read behind it may tell what that is.
  mutating func keep(_ input: CaptureInput, at place: Int, _ conclusions: Conclusions) {
    guard looksBack, step == .forward, input.canBeReadAgain, !conclusions.nameAll, unsettled.count < Self.mostUnsettled,
      !input.staysOpen || unsettled.count(where: \.input.staysOpen) < Self.mostOpen
    else { return }
    unsettled.append(UnsettledCapture(input: input, place: place, before: told.count, own: conclusions))
  }

  /// The captures in which something is not named: first those that stand alone, in the order they were read, and then
  /// those that go on where others end, in the order of time, as each may tell of the next.
  mutating func takeUnsettled() -> [UnsettledCapture] {
    defer { (unsettled, step) = ([], .back) }
    let continued = unsettled.filter { together.hasEnd(where: $0.own) }
      .sorted { ($0.own.begin ?? .unknown) < ($1.own.begin ?? .unknown) }
    return unsettled.filter { !together.hasEnd(where: $0.own) } + continued
  }

  /// Goes back to what is known for reading a capture again: what came before counts more than what came behind. They must
  /// be asked for in their order.
  /// - Returns: Whether others that were read behind it tell more of it.
  mutating func recall(_ capture: UnsettledCapture) -> Bool {
    if together.hasEnd(where: capture.own) { step = .onward }
    let tables = tables ?? PeerTables(of: together)
    self.tables = tables
    guard let help = capture.own.help(from: tables) else { return false }
    guard step == .back else {
      earlier = together
      return true
    }
    while recalled.count < capture.before {
      recalled.conclusions.add(told[recalled.count])
      recalled.count += 1
    }
    earlier = recalled.conclusions
    earlier.fillIn(from: help)
    return true
  }

  /// What all have told, by the peer, once all have been read.
  private var tables: PeerTables?
  /// What the first captures have told, and how many those are.
  private var recalled = (count: 0, conclusions: Conclusions())
}
