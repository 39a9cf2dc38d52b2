/// The clock of the device went back, or leapt forward: times before and after do not compare.
enum ClockJump: CaptureRule {
  static let about = RuleDescription(
    "clock-jump", .warning,
    finds:
      "The device's clock went back by more than a second, or leapt forward: by whole half hours, as at a change of time "
      + "zone, by more than an hour while a connection was talking, or by more than a year. Of one record whose time is far from "
      + "that of those around it, it is said. The same half hours again and again are those of a timer, and not told, unless "
      + "somebody was speaking who goes on.",
    matters:
      "Times before and after the leap do not compare: a gap there may be none, and durations across it are wrong.",
    advice: "Compare times on one side of the leap only; where the log is in local time, --time-zone says which.",
    belongsInHead: true, examples: [])

  /// More than these are told together.
  private static let mostListed = 8

  static func findings(in facts: CaptureFacts) -> [Finding] {
    let steps = facts.leaps.steps
    guard let first = steps.first, let span = facts.leaps.span, span.count > mostListed else {
      return findings(steps)
    }
    let message =
      "the clock leaps \(span.count) times, first \(words(first)): the records of several clocks seem to be mixed"
    return [finding(message, in: span, count: span.count)]
  }

  private static func findings(_ steps: [ClockStep]) -> [Finding] {
    var findings: [Finding] = []
    var place = 0
    while place < steps.count {
      if place + 1 < steps.count, isUndone(steps[place], by: steps[place + 1]) {
        findings.append(stray(steps[place]))
        place += 2
      } else {
        findings.append(finding(steps[place]))
        place += 1
      }
    }
    return findings
  }

  /// Whether the clock is back where it was with the next record.
  private static func isUndone(_ step: ClockStep, by next: ClockStep) -> Bool {
    next.moment.frame == step.moment.frame + 1 && next.moment.member == step.moment.member
      && (step.leap &+ next.leap).magnitude < longestRest
  }

  /// In microseconds: so much time may go by between three records.
  private static let longestRest: UInt64 = 60_000_000

  private static func stray(_ step: ClockStep) -> Finding {
    let message =
      "this record alone leaps \(words(step)), and the next one is back: its time is damaged, most likely"
    return finding(message, in: RecordSpan(step.moment))
  }

  private static func finding(_ step: ClockStep) -> Finding {
    let why =
      step.zoneShift != nil ? "the device changed its time zone, or summer time began or ended" : "its clock was set"
    let message = "the clock leaps \(words(step)), as when \(why): times before and after it do not compare"
    return finding(message, in: RecordSpan(step.moment))
  }

  /// "back by 1 h 30 min".
  private static func words(_ step: ClockStep) -> String {
    let seconds = ((step.zoneShift ?? step.microseconds).magnitude + 500_000) / 1_000_000
    // From an hour on, to the minute.
    let rounded = seconds < 3600 ? seconds : (seconds + 30) / 60 * 60
    let length =
      seconds >= 172_800 ? "\(seconds / 86_400) days" : seconds >= 60 ? duration(of: Int(rounded)) : "\(seconds) s"
    return "\(step.microseconds < 0 ? "back" : "forward") by \(length)"
  }
}
