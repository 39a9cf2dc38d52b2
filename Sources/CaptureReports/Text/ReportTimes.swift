import CaptureAnalysis
import CaptureFiles

/// How the times of a capture are told: when something was, with its date where that is another day, and how long things
/// lasted, without the leaps of its clock.
struct ReportTimes {
  private let moments: MomentText
  private let facts: CaptureFacts

  init(_ clock: ClockReading, _ facts: CaptureFacts) {
    (moments, self.facts) = (MomentText(clock: clock, start: facts.firstTime), facts)
  }

  /// "09:26:53"; "2026-03-15 00:10:02" on any other day than the capture's first; "+3 s" where there is no time of day,
  /// nil where neither can be told.
  func text(_ time: Timestamp) -> String? { text(time, after: facts.firstTime ?? time) }

  /// The same beside an earlier time: with its date where that is of another day.
  func text(_ time: Timestamp, after earlier: Timestamp) -> String? { moments.text(time, after: earlier) }

  /// "09:26:53.001", "+3.446 s".
  func textWithMilliseconds(_ time: Timestamp) -> String? { moments.textWithMilliseconds(time) }

  /// "2 min 02 s"; nil where the capture does not tell.
  func duration(from first: Moment, to last: Moment) -> String? {
    facts.seconds(from: first, to: last).map(TimeText.duration)
  }

  /// When the capture was taken: "2026-03-14 09:26:53 – 09:28:55 UTC", "2 min 02 s".
  var period: [String] {
    guard let first = facts.firstTime, let last = facts.lastTime else { return ["no packets"] }
    guard last.isTold else { return ["no times"] }
    guard let duration = facts.duration.map(TimeText.duration) else { return [dates(first, last)] }
    return [dates(first, last), facts.hasClockSteps ? "\(duration) without the leaps of the clock" : duration]
  }

  private func dates(_ first: Timestamp, _ last: Timestamp) -> String {
    let zone = moments.clock.zoneName
    switch (moments.civil(first).map(MomentText.whole), moments.civil(last).map(MomentText.whole)) {
    case (let start?, let end?): return "\(start) – \(text(last, after: first) ?? end) \(zone)"
    case (let start?, nil): return "from \(start) \(zone)"
    case (nil, let end?): return "until \(end) \(zone)"
    case (nil, nil): return "no times of day"
    }
  }
}
