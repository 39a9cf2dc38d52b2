import TestSupport
import Testing

@testable import CaptureAnalysis

/// Values that a sensor takes each second, and that come when the air, or its latency, lets them.
@Suite struct `Pace` {
  /// How many come at once, again and again, at the end of the seconds in which they were taken.
  private static let bundles: [[Int]] = [
    [1], [2], [4], [5], [4, 4, 3], [4, 1], [5, 1, 1, 1, 1, 1], [8, 1, 1, 1, 1, 1, 1], [1, 1, 2],
  ]

  /// A sensor that nobody discovers, whose notifications are switched on.
  private func host(
    octets: Int? = nil, _ bundles: [Int], each second: Int64 = 1000, seconds: Int = 40, _ value: (Int) -> [UInt8]
  ) -> HostSide {
    var host = HostSide()
    host.keptACLOctets = octets
    host.connected()
    host.write(attribute: 17, [1, 0])
    send(bundles, each: second, seconds: seconds, value, &host)
    return host
  }

  private func send(
    _ bundles: [Int], each second: Int64 = 1000, seconds: Int, _ value: (Int) -> [UInt8], _ host: inout HostSide
  ) {
    var (now, place) = (0, 0)
    while now < seconds {
      let count = bundles[place % bundles.count]
      // A packet takes 20 ms.
      host.wait(milliseconds: (second - 20) * Int64(count))
      for taken in now..<now + count { host.notified(attribute: 16, value(taken)) }
      (now, place) = (now + count, place + 1)
    }
  }

  @Test(arguments: bundles, [14, 13]) func `held back, intervals cut away`(bundles: [Int], octets: Int) throws {
    let capture = try InferredCapture(host(octets: octets, bundles, strap))
    #expect(try #require(capture.confidence(of: 16)) > 0.999)
    #expect(capture.measurements[16] ?? 0 >= 40)
  }

  @Test(arguments: bundles) func `held back, of a sensor without intervals`(bundles: [Int]) throws {
    let capture = try InferredCapture(host(bundles) { [6, strap($0)[1]] })
    #expect(try #require(capture.confidence(of: 16)) > 0.99)
  }

  /// As many intervals as beats where all of the time counts: not where a sensor is off for a minute, nor where what was
  /// taken in a silence is lost.
  @Test(arguments: [60_000, 7000] as [Int64]) func `silences in which nothing was held back`(milliseconds: Int64) throws
  {
    var host = self.host(octets: 14, [1], seconds: 12, strap)
    for _ in 0..<3 {
      host.wait(milliseconds: milliseconds)
      send([1], seconds: 12, strap, &host)
    }
    let capture = try InferredCapture(host)
    #expect(try #require(capture.confidence(of: 16)) > 0.999)
    let evidence = try #require(capture.conclusions.inferences.first?.inference.evidence)
    // Of the four times twelve values, the first of each lies behind a time that nobody knows.
    let beats = (1..<12).reduce(0) { $0 + Int(strap($1)[1]) } * 4 / 60
    #expect(evidence.contains("44 RR-Intervals were sent in the time of \(beats) beats at these rates"))
    #expect(evidence.contains("a value comes about every second"))
  }

  /// A capture may begin with what was held back, and end in it.
  @Test func `begun behind a silence`() throws {
    var host = HostSide()
    host.keptACLOctets = 14
    host.connected()
    for second in 0..<5 { host.notified(attribute: 16, strap(second)) }
    send([5], seconds: 20, strap, &host)
    let evidence = try #require(InferredCapture(host).conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains { $0.hasPrefix("20 RR-Intervals were sent") })
  }

  /// The beats of the time of a broken value come with the next.
  @Test func `broken values between`() throws {
    var host = HostSide()
    host.keptACLOctets = 14
    host.connected()
    send([1], seconds: 40, { $0 % 3 == 1 ? [0x16] : strap($0) + ($0 % 3 == 2 ? [0x6D, 3] : []) }, &host)
    let evidence = try #require(InferredCapture(host).conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains { $0.hasPrefix("39 RR-Intervals were sent in the time of 4") })
  }

  /// What a vendor sends several times a second may come at once, too.
  @Test(arguments: [([1], 100), ([2], 500), ([2], 600), ([4], 250), ([10], 100), ([10], 500)] as [([Int], Int64)])
  func `faster than a sensor`(bundles: [Int], milliseconds: Int64) throws {
    let capture = try InferredCapture(host(bundles, each: milliseconds, seconds: 200) { [6, strap($0)[1]] })
    #expect(capture.measurements.isEmpty)
    let evidence = try #require(capture.conclusions.inferences.first?.inference.evidence)
    #expect(evidence.contains("values come much faster than a sensor's"))
  }

  /// More of them than the rate has beats are none, at once or one by one.
  @Test(arguments: bundles) func `intervals that are none`(bundles: [Int]) throws {
    let capture = try InferredCapture(host(octets: 14, bundles) { [0x10, strap($0)[1], 1, 2, 3, 4, 5, 6] })
    #expect(capture.measurements.isEmpty)
  }
}
