import GATTKit
import Octets
import Testing

@Suite struct `RR-Intervals` {
  /// A unit is 1/1024 s: 0.9765625 ms.
  @Test(
    arguments: [
      (0, 0, "0 (0.000 ms)"), (1, 0.976_562_5, "1 (0.977 ms)"), (512, 500, "512 (500.000 ms)"),
      (789, 770.507_812_5, "789 (770.508 ms)"), (1000, 976.562_5, "1000 (976.563 ms)"),
      (1024, 1000, "1024 (1000.000 ms)"), (65535, 63999.023_437_5, "65535 (63999.023 ms)"),
    ] as [(UInt16, Double, String)])
  func `an interval in milliseconds`(units: UInt16, milliseconds: Double, text: String) {
    let interval = RRInterval(rawValue: units)
    #expect(interval.milliseconds == milliseconds)
    #expect(interval.seconds == milliseconds / 1000)
    #expect(interval.description == text)
    #expect(RRInterval(milliseconds: milliseconds) == interval)
  }

  /// Of a plain number nobody sees whether it counts milliseconds.
  @Test func `an interval says its unit`() { #expect(!(RRInterval.self is any ExpressibleByIntegerLiteral.Type)) }

  @Test func `milliseconds out of range end at the range`() {
    #expect(RRInterval(milliseconds: -1).rawValue == 0)
    #expect(RRInterval(seconds: 1).rawValue == 1024)
    #expect(RRInterval(milliseconds: .nan).rawValue == 0)
    #expect(RRInterval(milliseconds: .infinity).rawValue == 65535)
    #expect(RRInterval(milliseconds: 64000).rawValue == 65535)
    #expect(RRInterval(milliseconds: 800).rawValue == 819)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 255])
  func `a list of any length keeps its order`(count: Int) {
    let values = (0..<count).map { UInt16(truncatingIfNeeded: 0xF123 &+ $0 &* 0x0101) }
    let intervals = RRIntervals(values.map(RRInterval.init(rawValue:)))
    #expect(intervals.count == count)
    #expect(intervals.map(\.rawValue) == values)
    #expect(intervals.reversed().map(\.rawValue) == values.reversed())
    #expect(intervals == RRIntervals(intervals))
    #expect(intervals.hashValue == RRIntervals(intervals).hashValue)
    var longer = intervals
    longer.append(RRInterval(rawValue: 7))
    #expect(longer.map(\.rawValue) == values + [7])
    #expect(longer != intervals)
    #expect(intervals.count == count)
  }

  @Test func `lists that differ anywhere differ`() {
    for place in 0..<12 {
      let one = RRIntervals((0..<12).map { _ in RRInterval(rawValue: 800) })
      let other = RRIntervals((0..<12).map { RRInterval(rawValue: $0 == place ? 801 : 800) })
      #expect(one != other)
    }
    let zero = RRInterval(rawValue: 0)
    #expect(([] as RRIntervals) != [zero])
    #expect(([zero] as RRIntervals) != [zero, zero])
  }

  @Test(arguments: [1, 3, 21, 23])
  func `half an interval is an error`(octets: Int) {
    let value = [0x10, 72] + [UInt8](repeating: 3, count: octets)
    let error = #expect(throws: ParsingError.self) { try HeartRateMeasurement(value) }
    #expect(error?.description == "RR-Interval needs 2 octets, 1 left")
    #expect(error?.offset == value.count - 1)
  }

  @Test(arguments: 0...12) func `forEach gives what a loop gives`(count: Int) {
    let intervals = RRIntervals((0..<count).map { RRInterval(rawValue: UInt16(1000 + $0)) })
    var given: [RRInterval] = []
    intervals.forEach { given.append($0) }
    #expect(given == Array(intervals))
  }
}
