/// One exact interval, again and again, that the heart rate contradicts.
struct RrFillValue: AnomalyRule {
  static let share = RuleParameter(
    "share", 0.5, in: 0.1...1, "how large a part of what contradicts the rate, or is repeated, it is")

  static let about = RuleDescription(
    "rr-fill-value", .warning,
    finds: "One exact RR-Interval that comes far more often than others while the heart rate contradicts it.",
    matters: "The sensor fills the field where it has measured nothing; it looks like a beat, and is none.",
    advice: "Leave that value out of every computation; report it to the sensor's maker.",
    explainedBy: ["contact-lost"],
    parameters: [share],
    examples: [
      .finds(
        "512 among others", [.repeated(["10 48 55 03", "10 48 00 02", "10 48 5c 03", "10 48 50 03"], times: 8)]),
      .finds(
        "586 ms every other time, where the rate makes 750",
        [.repeated(["10 50 58 02", "10 50 01 03", "10 50 58 02 58 02", "10 50 f5 02 58 02"], times: 8)]),
      .quiet(
        "a steady heart, told in steps of 4 ms beside a rate of steps",
        [
          .repeated(["10 5e 14 02 14 02", "10 5e 18 02 18 02", "10 5e 18 02 14 02", "10 5e 14 02 14 02"], times: 15)
        ]),
      .quiet("intervals that fit the rate", [.repeated(["10 48 55 03", "10 48 5c 03", "10 48 50 03"], times: 10)]),
      .quiet("a heart that leaps", [.repeated(["10 48 55 03", "10 48 40 02", "10 48 60 04"], times: 1)]),
    ])
  static let traits: MeasurementTraits = [.strayInterval, .repeatedIntervals, .behind]
  private let share: Double
  /// Intervals that are off by more than a quarter, which a heart's seldom are.
  private var far = CommonestInterval()
  /// Those that are off by a tenth or more, as a heart's often are, and come twice in a row, as they seldom do.
  private var near = CommonestInterval()

  init(_ settings: RuleSettings) {
    share = settings.value(Self.share, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard let rate = measurement.rate, HeartLimits.rates.contains(rate) else { return }
    let expected = 61_440 / rate
    for interval in scene.series.intervals where abs(Int(interval) - expected) * 4 > expected {
      far.note(interval, scene.moment)
    }
    guard measurement.traits.contains(.repeatedIntervals), let first = scene.series.intervals.first else { return }
    if abs(Int(first) - expected) * 10 >= expected { near.note(first, scene.moment) } else { near.noteOther() }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let found = far.commonest(share: share) ?? near.commonest(share: share) else { return }
    let message =
      "an RR-Interval of \(milliseconds(found.value)) ms (\(found.value)) comes \(times(found.count)) where the heart "
      + "rate contradicts it"
    scene.report(Self.self, message, from: found.first, to: found.last, count: found.count)
  }
}

/// Which interval is the commonest, in constant memory.
private struct CommonestInterval {
  struct Candidate {
    let value: UInt16
    let first: Moment
    var last: Moment
    /// How often it came.
    var count = 1
    /// How much of that no other one has taken away.
    var weight = 1
  }

  /// The commonest among them: where there is no room for another, all lose one of their weights, and those that have
  /// none left their place.
  private var counts: [Candidate] = []
  private var all = 0

  private static let most = 8
  /// What comes less often may do so by chance.
  private static let fewest = 5

  /// Where so large a part as many are next to it, it is a heart's.
  private static let mostBeside = 0.25

  /// Whether two are different, by no more than a thirtieth.
  private static func areNeighbours(_ one: UInt16, _ other: UInt16) -> Bool {
    one != other && abs(Int(one) - Int(other)) * 30 <= Int(other)
  }

  mutating func note(_ interval: UInt16, _ moment: Moment) {
    all += 1
    if let place = counts.firstIndex(where: { $0.value == interval }) {
      counts[place].count += 1
      counts[place].weight += 1
      counts[place].last = moment
    } else if counts.count < Self.most {
      counts.append(Candidate(value: interval, first: moment, last: moment))
    } else {
      for place in counts.indices { counts[place].weight -= 1 }
      counts.removeAll { $0.weight <= 0 }
    }
  }

  /// Another one came, whichever it was.
  mutating func noteOther() { all += 1 }

  /// The one that makes so large a part of them, if it is an interval that a heart may have.
  func commonest(share: Double) -> Candidate? {
    guard let most = counts.max(by: { $0.count < $1.count }), most.count >= Self.fewest,
      Double(most.count) >= share * Double(all), HeartLimits.intervals.contains(Int(most.value))
    else { return nil }
    // A steady heart's, told by a clock of a few milliseconds, come with others that are next to them.
    let beside = counts.reduce(0) { $0 + (Self.areNeighbours($1.value, most.value) ? $1.count : 0) }
    guard Double(beside) < Self.mostBeside * Double(most.count) else { return nil }
    return most
  }
}
