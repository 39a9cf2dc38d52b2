import CaptureAnalysis
import CaptureFiles

/// How the times of a capture are told: the time of day, with its date where that is another day, and how long things
/// lasted, without the leaps of its clock.
struct ReportTimes {
  private let clock: ClockReading
  private let facts: CaptureFacts

  init(_ clock: ClockReading, _ facts: CaptureFacts) {
    (self.clock, self.facts) = (clock, facts)
  }

  /// "09:26:53"; "2026-03-15 00:10:02" on any other day than the capture's first.
  func text(_ time: Timestamp) -> String { text(time, after: facts.firstTime ?? time) }

  /// The same beside an earlier time: with its date where that is of another day.
  func text(_ time: Timestamp, after earlier: Timestamp) -> String {
    let (time, earlier) = (clock.wall(time), clock.wall(earlier))
    let date = TimeText.date(time)
    return date == TimeText.date(earlier) ? TimeText.clock(time) : "\(date) \(TimeText.clock(time))"
  }

  /// "2 min 02 s"; nil where the capture does not tell.
  func duration(from first: Moment, to last: Moment) -> String? {
    facts.seconds(from: first, to: last).map(TimeText.duration)
  }

  /// When the capture was taken: "2026-03-14 09:26:53 – 09:28:55 UTC", "2 min 02 s".
  var period: [String] {
    guard let first = facts.firstTime, let last = facts.lastTime else { return ["no packets"] }
    guard last.isTold else { return ["no times"] }
    guard [first, last].allSatisfy({ CivilTime(clock.wall($0)).isWritable }) else { return ["no times that can be"] }
    let start = "\(TimeText.date(clock.wall(first))) \(TimeText.clock(clock.wall(first)))"
    let period = "\(start) – \(text(last, after: first)) \(clock.zoneName)"
    guard let duration = facts.duration.map(TimeText.duration) else { return [period] }
    return [period, facts.hasClockSteps ? "\(duration) without the leaps of the clock" : duration]
  }
}
