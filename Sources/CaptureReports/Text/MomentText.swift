import CaptureAnalysis
import CaptureFiles

/// How a moment of a capture is told: as the time of day; where its clock was never set, or is damaged, and it is of no
/// date, as what had passed since the capture began.
struct MomentText {
  let clock: ClockReading
  /// When the capture began; nil before its first packet.
  let start: Timestamp?

  /// What is as far away, in microseconds, lies behind a leap of the clock, and `--from` does not take it.
  private static let tooMuch = WrittenTime.tooManySeconds * 1_000_000

  /// "09:26:53"; "+3 s" where there is no time of day; nil where neither can be told.
  func text(_ time: Timestamp) -> String? { text(time, decimals: 0, TimeText.clock) }

  /// "09:26:53.001"; "+3.446 s" where there is no time of day; nil where neither can be told.
  func textWithMilliseconds(_ time: Timestamp) -> String? { text(time, decimals: 3, TimeText.clockWithMilliseconds) }

  /// The same as `text(_:)`, beside an earlier time: with its date where that is of another day.
  func text(_ time: Timestamp, after earlier: Timestamp) -> String? {
    text(time, decimals: 0) { civil in
      self.civil(earlier)?.isOfDay(of: civil) ?? false ? TimeText.clock(civil) : Self.whole(civil)
    }
  }

  /// The parts of a moment as the clock on the wall showed it, where it has any.
  func civil(_ time: Timestamp) -> CivilTime? { CivilTime(clock.wall(time)) }

  /// "2026-03-14 09:26:53".
  static func whole(_ civil: CivilTime) -> String { "\(TimeText.date(civil)) \(TimeText.clock(civil))" }

  private func text(_ time: Timestamp, decimals: Int, _ words: (CivilTime) -> String) -> String? {
    guard time.isTold else { return nil }
    if let civil = civil(time) { return words(civil) }
    guard let passed = start.flatMap({ time.microseconds(since: $0) }), (0..<Self.tooMuch).contains(passed) else {
      return nil
    }
    return "+\(TimeText.seconds(microseconds: passed, decimals: decimals)) s"
  }
}
