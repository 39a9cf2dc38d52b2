import CaptureAnalysis
import CaptureSources

/// What captures that are given together tell of devices, each for the others.
struct CaptureMemory {
  /// What captures have told that were read before: of what several tell, the last word.
  private(set) var earlier = Conclusions()
  /// What all have told: of what several tell, the first word, and whatever the others add.
  private var together = Conclusions()
  private var unsettled: [UnsettledCapture] = []
  private let looksBack: Bool

  /// A capture in which something notified that nothing names, neither it nor one before it.
  struct UnsettledCapture {
    let input: CaptureInput
    /// Its place among all captures.
    let place: Int
    /// What was known before it was read; later, what all others tell as well.
    fileprivate(set) var known: Conclusions
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
    if looksBack { together.fillIn(from: conclusions) }
  }

  /// Keeps a capture, if something in it is not named: one that is read behind it may tell what that is.
  mutating func keep(_ input: CaptureInput, at place: Int, _ conclusions: Conclusions) {
    guard looksBack, input.canBeReadAgain, !conclusions.nameAll, unsettled.count < Self.mostUnsettled,
      !input.staysOpen || unsettled.count(where: \.input.staysOpen) < Self.mostOpen
    else { return }
    unsettled.append(UnsettledCapture(input: input, place: place, known: earlier, own: conclusions))
  }

  /// The captures of which others that were read behind them tell more. What came before counts more than that.
  mutating func takeHelped() -> [UnsettledCapture] {
    defer { unsettled = [] }
    return unsettled.filter { $0.own.isHelped(by: together) }.map { capture in
      var helped = capture
      helped.known.fillIn(from: together)
      return helped
    }
  }

  /// Goes back to what is known for reading a capture again.
  mutating func recall(_ capture: UnsettledCapture) { earlier = capture.known }
}
