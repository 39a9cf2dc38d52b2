import BluetoothHost
import CaptureFiles
import GATTKit

/// One exact interval, again and again, that the heart rate contradicts.
struct RrFillValue: AnomalyRule {
  static let share = RuleParameter("share", 0.5, in: 0.1...1, "how large a part of what contradicts the rate it is")

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
      .quiet("intervals that fit the rate", [.repeated(["10 48 55 03", "10 48 5c 03", "10 48 50 03"], times: 10)]),
      .quiet("a heart that leaps", [.repeated(["10 48 55 03", "10 48 40 02", "10 48 60 04"], times: 1)]),
    ])
  static let traits: MeasurementTraits = .strayInterval
  private let share: Double
  /// The values that contradict the rate, the commonest among them: where there is no room, all others lose one.
  private var counts: [(value: UInt16, first: Moment, last: Moment, count: Int)] = []
  private var contradicting = 0

  init(_ settings: RuleSettings) {
    share = settings.value(Self.share, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard let rate = measurement.rate, rate >= 25, rate <= 240 else { return }
    let expected = 61_440 / rate
    for interval in scene.series.intervals where abs(Int(interval) - expected) * 4 > expected {
      note(interval, scene.moment)
    }
  }

  private mutating func note(_ interval: UInt16, _ moment: Moment) {
    contradicting += 1
    if let place = counts.firstIndex(where: { $0.value == interval }) {
      counts[place].count += 1
      counts[place].last = moment
    } else if counts.count < 8 {
      counts.append((interval, moment, moment, 1))
    } else {
      for place in counts.indices { counts[place].count -= 1 }
      counts.removeAll { $0.count <= 0 }
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let most = counts.max(by: { $0.count < $1.count }), most.count >= 5,
      Double(most.count) >= share * Double(contradicting), most.value >= 205, most.value <= 3072
    else { return }
    let message =
      "\(milliseconds(most.value)) ms (\(most.value)) comes \(times(most.count)), and the heart rate contradicts it"
    scene.report(Self.self, message, from: most.first, to: most.last, count: most.count)
  }
}
