public import CaptureFiles

/// A step of the clock between two packets that no pause explains.
public struct ClockStep: Hashable, Sendable {
  /// The packet behind it.
  public let frame: Int
  /// That packet's time.
  public let time: Timestamp
  /// How far the clock went, in microseconds; negative: back.
  public let microseconds: Int64

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
}

/// The steps of a capture's clock.
///
/// Time may stand still for as long as nobody speaks, so forward only what is a zone's shift or longer than a year
/// counts, and where somebody was just speaking, who goes on, more than an hour; back, all that is more than what two
/// sources of packets may disagree.
struct ClockSteps {
  /// Each step, as far as they were kept.
  private(set) var steps: [ClockStep] = []
  /// How many there were, kept or not.
  private(set) var count = 0
  /// The record behind the last.
  private(set) var lastFrame: Int?

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

  /// - Returns: Whether it is a step.
  mutating func note(from last: Timestamp, to next: Timestamp, frame: Int, isTalking: Bool) -> Bool {
    let (difference, overflow) = next.microseconds.subtractingReportingOverflow(last.microseconds)
    guard !overflow else { return false }
    let step = ClockStep(frame: frame, time: next, microseconds: difference)
    guard
      difference < -Self.jitter || difference > (isTalking ? Self.hour : Self.year) || step.zoneShift != nil
    else { return false }
    count += 1
    lastFrame = frame
    if steps.count < Self.mostKept { steps.append(step) }
    return true
  }
}
