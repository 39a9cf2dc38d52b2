import CaptureFiles

/// A step of the clock between two packets that no pause explains.
struct ClockStep {
  /// The packet behind it.
  let moment: Moment
  /// How far the clock went, in microseconds; negative: back.
  let microseconds: Int64
  /// Whether whoever was just heard goes on with that packet.
  var isAmidTalk = false

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

  /// When the packet before it came.
  var before: Timestamp { moment.time.advanced(byMicroseconds: 0 &- microseconds) }
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
  /// Whoever does something now and then has done it by then, in seconds.
  private static let turn = 2.0
  private static let hour: Int64 = 3_600_000_000
  private static let year: Int64 = 31_557_600_000_000

  /// Whether time went on as it does almost always: a quick first look.
  @inline(__always)
  static func isUsual(from last: Timestamp, to next: Timestamp) -> Bool {
    UInt64(bitPattern: next.microseconds &- last.microseconds &+ jitter) <= UInt64(pause + jitter)
  }

  /// How far it leapt between one packet and a later one, in microseconds; nil where more steps came than are kept.
  func leap(from first: Moment, to last: Moment) -> Int64? {
    guard (span?.count ?? 0) == steps.count else { return nil }
    return steps.reduce(into: 0) { sum, step in
      if first < step.moment, step.moment <= last { sum &+= step.leap }
    }
  }

  /// How long it was from one packet to a later one, in seconds, without the steps between them; nil where more steps came
  /// than are kept, and where the time went back.
  func seconds(from first: Moment, to last: Moment) -> Double? {
    guard let leaps = leap(from: first, to: last) else { return nil }
    let passed = last.time.microseconds &- first.time.microseconds
    let seconds = Double(passed &- leaps) / 1_000_000
    return seconds < 0 ? nil : seconds
  }

  /// - Parameters:
  ///   - isHeard: Whether the next packet is of an end of a connection that speaks unasked.
  ///   - isTalking: Whether somebody was just speaking; asked only where it decides.
  /// - Returns: The step, if it is one.
  mutating func note(
    from before: Timestamp, to next: Moment, isHeard: Bool, isTalking: @autoclosure () -> Bool
  ) -> ClockStep? {
    let (difference, overflow) = next.time.microseconds.subtractingReportingOverflow(before.microseconds)
    guard !overflow else { return nil }
    var step = ClockStep(moment: next, microseconds: difference)
    let isLong = difference > Self.hour && (difference > Self.year || isTalking())
    guard difference < -Self.jitter || step.zoneShift != nil || isLong else { return nil }
    step.isAmidTalk = isHeard && mayBeTurn(step) && isTalking()
    add(step)
    return step
  }

  /// Whether all steps go forward by the same half hours, and so does another.
  private func mayBeTurn(_ step: ClockStep) -> Bool {
    guard let shift = step.zoneShift, shift > 0, steps.count < Self.mostKept else { return false }
    return steps.allSatisfy { $0.zoneShift == shift }
  }

  /// Whether they are none, and time goes on by the same half hours each time, as where an app, or a sensor, does something
  /// now and then: but not where somebody has spoken for a while since the one before, and goes on as if nothing were.
  var areTurns: Bool {
    guard steps.count > 1, let last = steps.last, mayBeTurn(last) else { return false }
    return !zip(steps, steps.dropFirst()).contains { step, next in
      next.isAmidTalk && next.before.seconds(since: step.moment.time) > Self.turn
    }
  }

  /// Adds a step.
  mutating func add(_ step: ClockStep) {
    span.extend(to: step.moment)
    if steps.count < Self.mostKept { steps.append(step) }
  }
}
