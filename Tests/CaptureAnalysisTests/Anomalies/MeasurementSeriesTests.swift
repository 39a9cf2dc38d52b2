@testable import BluetoothHost
@testable import CaptureAnalysis
import CaptureFiles
import GATTKit
import Testing
import TestSupport

/// Random numbers that are the same on every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

/// What is computed without branches is what the plain words say.
@Suite struct `Intervals of measurements` {
  /// A measurement with intervals, as octets.
  private static func octets(_ intervals: [UInt16]) -> ContiguousArray<UInt8> {
    ContiguousArray([intervals.isEmpty ? 0x00 : 0x10, 72] + intervals.flatMap { $0.little })
  }

  private static func take(_ intervals: [UInt16], _ recent: inout RecentIntervals) {
    let octets = octets(intervals)
    if let view = HeartRateMeasurement.View(octets.span) { recent.take(view) }
  }

  /// Lists of up to seven, of few different values, so that many come again.
  private static func lists(_ seed: UInt64, _ count: Int) -> [[UInt16]] {
    var dice = Dice(state: seed)
    let values: [UInt16] = [0, 1, 300, 500, 512, 700, 1000, 1024, 1500, 2048, 65535]
    return (0..<count).map { _ in
      let length = [0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 7].randomElement(using: &dice) ?? 0
      return (0..<length).map { _ in values.randomElement(using: &dice) ?? 0 }
    }
  }

  @Test(arguments: 1...20) func `are kept with those before`(_ seed: UInt64) {
    var recent = RecentIntervals()
    var before: [UInt16] = []
    for list in Self.lists(seed, 200) {
      Self.take(list, &recent)
      let figures = recent.current
      #expect(Array(recent.intervals) == list && Array(recent.previous) == before)
      #expect(figures.count == list.count && figures.isEmpty == list.isEmpty)
      #expect(figures.sum == list.reduce(0) { $0 + Int($1) })
      #expect(figures.least == list.min().map(Int.init) ?? .max && figures.most == list.max().map(Int.init) ?? 0)
      #expect(figures.mask == (list.isEmpty ? 0 : -1))
      #expect(recent.firstIsRepeated == list.first.map(before.contains) ?? false)
      if !list.isEmpty {
        for rate in [0, 60, 72, 255] {
          #expect(Int(figures.deviation(from: rate)) == list.map { abs(Int($0) * rate - 61_440) }.max())
        }
      }
      before = list
    }
  }

  /// The last but one is longer by half than the one before it, or shorter, with its neighbour, than one and a half of the
  /// first.
  private static func isUneven(_ four: [Int]) -> Bool {
    2 * four[2] > 3 * four[1] && four[1] > 0 || 2 * (four[1] + four[2]) < 3 * four[0]
  }

  @Test(arguments: 1...20) func `follow one another over measurements`(_ seed: UInt64) {
    var recent = RecentIntervals()
    var rhythm = IntervalRhythm()
    var all = [0, 0, 0, 0]
    for list in Self.lists(seed, 200) {
      Self.take(list, &recent)
      let before = Array(all.suffix(4))
      var isUneven = false
      for interval in list {
        all.append(Int(interval))
        isUneven = isUneven || Self.isUneven(Array(all.suffix(4)))
      }
      // What is computed for few, and what is looked at one by one.
      var other = rhythm
      #expect(other.note(recent.intervals) == isUneven)
      #expect((list.count > 2 ? rhythm.note(recent.intervals) : rhythm.note(recent.current)) == isUneven)
      #expect(rhythm.last.values == other.last.values)
      let values = rhythm.before.values
      #expect([values.0, values.1, values.2, values.3] == before)
    }
  }

  @Test(arguments: 1...20) func `are there, or not`(_ seed: UInt64) {
    var presence = IntervalPresence()
    var absence = (first: -1, last: -1)
    var had: Bool?
    for (ordinal, list) in Self.lists(seed, 300).enumerated() {
      func moment(_ place: Int) -> Moment {
        Moment(frame: 100 + place, time: Timestamp(microseconds: 7 * Int64(place)))
      }
      let octets = Self.octets(list)
      let reading = HeartRateMeasurement.Reading(lax: octets.span, length: octets.count)
      let measurement = ObservedMeasurement(
        reading, length: octets.count, moment(ordinal), ordinal: ordinal, gap: -1)
      if list.isEmpty, had == true { absence = (ordinal, ordinal - 1) }
      had = !list.isEmpty
      presence.note(list.isEmpty ? 0 : -1, measurement, behind: moment(ordinal - 1))
      #expect(presence.isAbsent == list.isEmpty)
      #expect(presence.absence.ordinal == absence.first)
      if absence.first >= 0 {
        #expect(presence.absence.first == moment(absence.first) && presence.lastBefore == moment(absence.last))
      }
    }
    #expect(!IntervalPresence().isAbsent)
  }
}

/// Who is shown a measurement is found in tables.
@Suite struct `Wishes for measurements` {
  @Test func `are what each rule wants`() {
    let rules = AnomalyRules.all.filter { $0.scope == .connection }
    let wishes = MeasurementWishes(of: rules)
    let wanting = rules.filter { !$0.traits.isEmpty }
    var dice = Dice(state: 1)
    for round in 0..<2000 {
      // Each trait by itself, and then any of them together.
      let bits = round < MeasurementTraits.count ? 1 << UInt32(round) : UInt32.random(in: 0..<1 << 24, using: &dice)
      let traits = MeasurementTraits(rawValue: bits)
      let (now, next) = wishes.wishes(traits)
      for (bit, rule) in wanting.enumerated() {
        let isWanted = !rule.traits.isDisjoint(with: traits)
        #expect((now >> UInt64(bit) & 1 == 1) == isWanted)
        #expect((next >> UInt64(bit) & 1 == 1) == (isWanted && rule.traits.contains(.behind)))
      }
    }
  }
}
