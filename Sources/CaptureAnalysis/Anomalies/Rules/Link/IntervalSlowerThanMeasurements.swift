import BluetoothHost
import CaptureFiles

/// A connection interval longer than the time between two measurements.
struct IntervalSlowerThanMeasurements: AnomalyRule {
  static let about = RuleDescription(
    "interval-slower-than-measurements", .info,
    finds: "A connection interval longer than the time between two measurements: some must wait for others.",
    matters:
      "Measurements come in bundles, and later than they were taken: their times in the capture are not their own.",
    advice: "Ask for an interval shorter than a second, or take the times from the RR-Intervals.",
    reference: "Core 6.0, Vol 6, Part B, 4.5.1", belongsInHead: true,
    examples: [
      .finds(
        "an interval of 2 s for a measurement a second",
        [
          .event(0x3E, "03 00 40 00 40 06 00 00 58 02"), .repeated(["16 48 e8 03"], times: 20),
        ]),
      .finds(
        "they come two by two",
        [.event(0x3E, "03 00 40 00 40 06 00 00 58 02")]
          + .times(7, [.wait(2), .values(["16 48", "16 48"], every: 0.01)])),
      .quiet(
        "an interval of 500 ms",
        [.event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .repeated(["16 48 e8 03"], times: 30)]),
      .quiet(
        "a latency that need not be used",
        [.event(0x3E, "03 00 40 00 90 01 04 00 58 02"), .repeated(["16 48 e8 03"], times: 30)]),
      .finds(
        "a latency that is used", [.event(0x3E, "03 00 40 00 90 01 04 00 58 02")] + bundles),
      .finds(
        "a latency that is used, of intervals that are short",
        [.event(0x3E, "03 00 40 00 90 01 02 00 58 02")]
          + .times(
            10,
            [
              .wait(1.48), .values(["10 3c 00 04"]), .wait(1.48), .values(["10 3c 02 04", "10 3c 04 04"], every: 0.01),
            ])),
      .quiet(
        "a measurement every five seconds",
        [.event(0x3E, "03 00 40 00 40 06 00 00 58 02"), .repeated(["16 48 e8 03"], times: 10, every: 5)]),
      .quiet(
        "the interval is long for a moment",
        [
          .repeated(["16 48 e8 03"], times: 20), .event(0x3E, "03 00 40 00 40 06 00 00 58 02"),
          .repeated(["16 48 e8 03"], times: 3), .event(0x3E, "03 00 40 00 0c 00 00 00 58 02"),
          .repeated(["16 48 e8 03"], times: 20),
        ]),
    ])
  /// Two and three at a time, every two and a half seconds.
  static let bundles: [ExampleStep] = .times(
    10,
    [
      .wait(2.48), .values(["10 3c 00 04", "10 3c 04 04"], every: 0.01), .wait(2.47),
      .values(["10 3c 00 04", "10 3c 04 04", "10 3c 02 04"], every: 0.01),
    ])
  /// The same, from some time on: every second before.
  static let laterBundles: [ExampleStep] =
    [
      .repeated(["10 3c 00 04"], times: 20), .event(0x3E, "03 00 40 00 90 01 04 00 58 02"), .wait(1.48),
      .values(["10 3c 00 04", "10 3c 04 04"], every: 0.01),
    ] + bundles
  static let events = EventSelection([.connected, .parameters])
  static let traits: MeasurementTraits = .first

  /// The parameters that hold, and the first measurement with them.
  private var parameters: ConnectionParameters?
  private var start: (ordinal: Int, run: MeasurementRun, atOnce: Int)?
  /// What was found with some of them.
  private var found: RecordSpan?
  private var period = 0.0
  private var interval = 0.0
  /// How many events are left out beside, if any are.
  private var latency: UInt16 = 0

  /// With fewer measurements, it is not known how often they come.
  private static let fewest = 10

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if start == nil { start = (measurement.ordinal, MeasurementRun(scene.series), scene.series.periods.atOnce) }
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .connected(let connected): parameters = connected.parameters
    case .parameters(let change) where change.status == .success:
      judge(&scene)
      parameters = change.parameters
      start = scene.series.current.map { ($0.ordinal, MeasurementRun(scene.series), scene.series.periods.atOnce) }
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    judge(&scene)
    guard let found else { return }
    scene.report(
      Self.self,
      "an interval of \(length(milliseconds: interval))\(leftOut) for a measurement every "
        + "\(length(milliseconds: (period * 1000).rounded(), decimals: 2)): "
        + "several wait for the same connection event", over: found)
  }

  private var leftOut: String { latency > 0 ? ", of which the sensor leaves out \(latency) at a time," : "" }

  private mutating func judge(_ scene: inout RuleScene) {
    guard let parameters, let start, let current = scene.series.current else { return }
    let measurements = current.ordinal - start.ordinal
    guard measurements >= Self.fewest else { return }
    // Over a step of the clock, the time that went by is not known; nor that in which the first bundle was measured.
    let mean =
      scene.hasClockStep || start.ordinal == 0
      ? scene.series.period(until: current) ?? 0 : start.run.seconds(in: scene.series) / Double(measurements)
    // Where hardly any come at once with the one before, the latency is not used.
    let leavesEventsOut = parameters.latency > 0 && (scene.series.periods.atOnce - start.atOnce) * 8 >= measurements
    let wait = parameters.wait(usingLatency: leavesEventsOut)
    // A clock that runs a little differently makes no difference.
    guard mean > 0, wait > mean * 1.1 else { return }
    if found == nil {
      found = RecordSpan(start.run.span.first, count: 0)
      (period, interval) = (mean, parameters.intervalMilliseconds)
      latency = leavesEventsOut ? parameters.latency : 0
    }
    found.extend(to: current.moment, count: measurements)
  }
}
