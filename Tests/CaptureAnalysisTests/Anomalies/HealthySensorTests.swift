import CaptureAnalysis
import Testing
import TestSupport

/// Sensors with nothing wrong, as hearts and straps are: rules must stay quiet, however long they look.
@Suite struct `Healthy sensors` {
  struct Course: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The rate after so many seconds, in beats a minute.
    let rate: @Sendable (Double) -> Double
    /// How far intervals vary around the rate's, as a part.
    let variability: Double
  }

  static let courses = [
    Course(testDescription: "asleep", rate: { _ in 47 }, variability: 0.09),
    Course(testDescription: "at rest", rate: { 66 + 4 * wave($0 / 90) }, variability: 0.06),
    Course(testDescription: "on a walk", rate: { 98 + 8 * wave($0 / 200) }, variability: 0.03),
    Course(testDescription: "at intervals", rate: { 130 + 35 * wave($0 / 240) }, variability: 0.015),
    Course(testDescription: "at sprints", rate: { 120 + 40 * wave($0 / 90) }, variability: 0.012),
    Course(testDescription: "at the limit", rate: { 186 + 6 * wave($0 / 300) }, variability: 0.008),
  ]

  /// Up and down between -1 and 1 in a turn of 1, without corners.
  static func wave(_ turns: Double) -> Double {
    let phase = turns - turns.rounded(.down)
    let half = phase < 0.5 ? phase * 4 - 1 : 3 - phase * 4
    return half * (1.5 - 0.5 * half * half)
  }

  enum Style: String, CaseIterable, Sendable { case everyBeat, energyToo, noIntervals, everyFiveSeconds }

  @Test(arguments: courses, Style.allCases)
  func `give no warning`(course: Course, style: Style) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let findings = try session(course, style, seconds: 1800, seed).findings()
      let grave = findings.filter { $0.severity > .info }
      #expect(grave.isEmpty, "seed \(seed): \(grave.prefix(3).map { "\($0.rule) #\($0.frame ?? 0): \($0.message)" })")
    }
  }

  /// What rules look for in short stretches must not be found there by chance.
  @Test(arguments: courses, [5, 12, 24])
  func `give no warning in short sessions, be their rates the mean of few beats or many`(
    course: Course, beats: Int
  ) throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      let host = session(course, .everyBeat, seconds: 25 + Int(seed), seed, beats: beats)
      let grave = try host.findings().filter { $0.severity > .info }
      #expect(grave.isEmpty, "seed \(seed): \(grave.prefix(3).map { "\($0.rule) #\($0.frame ?? 0): \($0.message)" })")
    }
  }

  /// A strap on a heart: a notification each second, with the beats that were over since the last, and a rate that
  /// follows the last eight or so.
  private func session(
    _ course: Course, _ style: Style, seconds: Int, _ seed: UInt64, beats: Int = 8
  ) -> HostSide {
    var random = Random(seed: seed)
    var host = HostSide()
    host.connected()
    host.sent([0x02, 0xF7, 0x00])
    host.received([0x03, 0xF7, 0x00])
    host.discoverHeartRate(hasControlPoint: style == .energyToo)
    host.write(attribute: 17, [1, 0])
    var (beat, drift) = (0.0, 0.0)
    /// The interval that ends with the next beat.
    func interval() -> Double {
      drift = 0.8 * drift + 0.6 * random.normal()
      return max(0.28, 60 / course.rate(beat) * (1 + course.variability * drift))
    }
    var coming = interval()
    var (last, pending) = ([coming], [UInt16]())
    let period = style == .everyFiveSeconds ? 5 : 1
    for second in stride(from: period, through: seconds, by: period) {
      while beat + coming <= Double(second) {
        beat += coming
        pending.append(UInt16((coming * 1024).rounded()))
        last = last.suffix(beats - 1) + [coming]
        coming = interval()
      }
      let rate = 60 * Double(last.count) / last.reduce(0, +)
      host.notified(value(style, UInt8(rate.rounded()), pending, second))
      pending = []
      host.wait(milliseconds: Int64(period * 1000 - 10) + Int64(random.next() % 30) - 15)
    }
    host.disconnected()
    return host
  }

  /// A sensor that keeps the last 20 beats while nobody listens, or it cannot send, and sends so many at a time then.
  @Test(arguments: [2, 3, 4, 9], [60, 70, 120, 160])
  func `give no warning where beats were kept`(most: Int, rate: Int) throws {
    for (isSilent, hasLongPDUs) in [(false, false), (false, true), (true, false), (true, true)] {
      var host = HostSide()
      host.connected()
      if hasLongPDUs {
        host.sent(hex("02 00 02"))
        host.received(hex("03 00 02"))
      }
      host.discoverHeartRate()
      var (beat, kept) = (0.0, [UInt16]())
      var random = Random(seed: UInt64(rate))
      for second in 1..<400 {
        while beat <= Double(second) {
          let length = 60 / Double(rate) * (1 + 0.02 * random.normal())
          beat += length
          kept = (kept + [UInt16(length * 1024)]).suffix(20)
        }
        host.wait(milliseconds: 990)
        if second == 200, !isSilent { host.write(attribute: 17, [0, 0]) }
        if second == (isSilent ? 1 : 60) || second == 260 && !isSilent { host.write(attribute: 17, [1, 0]) }
        if second < 60 || (200..<260).contains(second), !isSilent { continue }
        if (200..<207).contains(second) || (300..<312).contains(second), isSilent { continue }
        let sent = Array(kept.prefix(most))
        kept.removeFirst(sent.count)
        host.notified([sent.isEmpty ? 0x06 : 0x16, UInt8(rate + second % 3)] + sent.flatMap(\.little))
      }
      let found = try host.findings().filter { ["rr-sum-mismatch", "rr-repeated"].contains($0.rule) }
      // Of a heart that beats faster than it sends, beats are missing.
      if most * 60 > 2 * rate { #expect(found.map(\.message) == [], "\(isSilent), \(hasLongPDUs)") }
    }
  }

  /// A phone that broadcasts what its sensor tells, which is each change.
  @Test func `give no warning where only changes are sent`() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      #expect(try changes(seed: seed).findings().filter { $0.severity > .info }.map(\.message) == [])
    }
  }

  /// Hardly any heart's rate is the same for a minute.
  @Test(arguments: [(50, []), (70, ["notification-gap"])] as [(Int64, [String])])
  func `give a warning where no change comes for more than a minute`(pause: Int64, rules: [String]) throws {
    let found = try changes(seed: 1, pausing: pause).findings().filter { $0.severity > .info }
    #expect(found.map(\.rule) == rules)
  }

  /// Half an hour in which a rate is sent when it is another, with a pause of some seconds in the middle.
  private func changes(seed: UInt64, pausing pause: Int64 = 0) -> HostSide {
    var random = Random(seed: seed)
    var host = HostSide()
    host.subscribe()
    var (rate, last) = (69.0, 0)
    for second in 0..<1800 {
      if second == 900 { host.wait(milliseconds: 1000 * pause) }
      rate = min(74, max(65, rate + 0.8 * random.normal()))
      host.wait(milliseconds: 990)
      if Int(rate) != last { host.notified([0x00, UInt8(rate)]) } else { host.wait(milliseconds: 10) }
      last = Int(rate)
    }
    return host
  }

  private func value(_ style: Style, _ rate: UInt8, _ intervals: [UInt16], _ second: Int) -> [UInt8] {
    let hasEnergy = style == .energyToo && second % 10 == 0
    let fitting = style == .noIntervals ? [] : intervals
    let flags: UInt8 = 0x06 | (hasEnergy ? 8 : 0) | (fitting.isEmpty ? 0 : 0x10)
    return [flags, rate] + (hasEnergy ? UInt16(second / 10).little : []) + fitting.flatMap(\.little)
  }
}

/// The same numbers on every run: xorshift.
private struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state >> 11
  }

  /// A number of mean 0 and variance 1: the sum of twelve even ones.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double(next() % 1_000_000) / 1_000_000 }
  }
}
