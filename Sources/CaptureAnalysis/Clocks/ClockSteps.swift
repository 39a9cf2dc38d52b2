import CaptureFiles

/// A step of the clock between two packets that no pause explains.
struct ClockStep {
  /// The packet behind it.
  let moment: Moment
  /// How far the clock went, in microseconds; negative: back.
  let microseconds: Int64

  /// Whether it is a whole number of half hours, as when the device went to another time zone; then the step without
  /// what went by between the two packets.
  var zoneShift: Int64? {
    let halfHours = (Double(microseconds) / Double(Self.halfHour)).rounded()
    // Zones lie at most 26 hours apart.
    guard halfHours != 0, halfHours.magnitude <= 52 else { return nil }
    let shift = Int64(halfHours) * Self.halfHour
    return (-1_000_000...5_000_000).contains(microseconds - shift) ? shift : nil
  }

  private static let halfHour: Int64 = 1_800_000_000

  /// How far it leapt, in microseconds: without what went by, where that can be told.
  var leap: Int64 { zoneShift ?? microseconds }
}

/// The steps of a capture's clock.
///
/// Time may stand still for as long as nobody speaks, so forward only what is a zone's shift or longer than a year
/// counts, and where somebody was just speaking, who goes on, more than an hour; back, all that is more than what two
/// sources of packets may disagree.
struct ClockSteps {
  /// Each step, as far as they were kept.
  private(set) var steps: [ClockStep] = []
  /// Where all of them are, kept or not.
  private(set) var span: RecordSpan?

  private static let mostKept = 100
  private static let jitter: Int64 = 1_000_000
  /// Just short of half an hour.
  private static let pause: Int64 = 1_740_000_000
  private static let hour: Int64 = 3_600_000_000
  private static let year: Int64 = 31_557_600_000_000

  /// Whether time went on as it does almost always: a quick first look.
  @inline(__always)
  static func isUsual(from last: Timestamp, to next: Timestamp) -> Bool {
    UInt64(bitPattern: next.microseconds &- last.microseconds &+ jitter) <= UInt64(pause + jitter)
  }

  /// How long it was from one packet to a later one, in seconds, without the steps between them; nil where more steps came
  /// than are kept, and where the time went back.
  func seconds(from first: Moment, to last: Moment) -> Double? {
    guard (span?.count ?? 0) == steps.count else { return nil }
    let leaps = steps.reduce(into: Int64(0)) { sum, step in
      if first < step.moment, step.moment <= last { sum &+= step.leap }
    }
    let passed = last.time.microseconds &- first.time.microseconds
    let seconds = Double(passed &- leaps) / 1_000_000
    return seconds < 0 ? nil : seconds
  }

  /// - Parameter isTalking: Whether somebody was just speaking; asked only where it decides.
  /// - Returns: The step, if it is one.
  mutating func note(from before: Timestamp, to next: Moment, isTalking: @autoclosure () -> Bool) -> ClockStep? {
    let (difference, overflow) = next.time.microseconds.subtractingReportingOverflow(before.microseconds)
    guard !overflow else { return nil }
    let step = ClockStep(moment: next, microseconds: difference)
    let isLong = difference > Self.hour && (difference > Self.year || isTalking())
    guard difference < -Self.jitter || step.zoneShift != nil || isLong else { return nil }
    add(step)
    return step
  }

  /// Adds a step.
  mutating func add(_ step: ClockStep) {
    span.extend(to: step.moment)
    if steps.count < Self.mostKept { steps.append(step) }
  }
}
