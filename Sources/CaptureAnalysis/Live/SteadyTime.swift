import CaptureFiles

/// The time of a capture without the leaps of its clock, as far as those are known so far.
public struct SteadyTime: Sendable {
  private let leaps: ClockSteps

  /// That of a clock that has not leapt.
  public init() { self.init(ClockSteps()) }

  init(_ leaps: ClockSteps) { self.leaps = leaps }

  /// When a moment was, as the clock of a later one would have shown it.
  func time(of moment: Moment, by later: Moment) -> Timestamp {
    moment.time.advanced(byMicroseconds: leaps.leap(from: moment, to: later) ?? 0)
  }

  /// The seconds from one moment to a later one.
  public func seconds(from first: Moment, to last: Moment) -> Double {
    max(0, last.time.seconds(since: time(of: first, by: last)))
  }
}
