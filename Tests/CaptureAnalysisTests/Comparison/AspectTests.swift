import CaptureAnalysis
import Testing
import TestSupport

/// What counts as a difference between sensors.
@Suite struct `Aspects` {
  private func aspect(_ name: String, _ first: [UInt8], _ second: [UInt8]) throws -> AspectComparison {
    let sides = try [first, second].map { octets in
      try SensorChoice.automatic.side(of: [try comparedCapture("side", octets)])
    }
    return try #require(Comparison(sides).aspects.first { $0.name == name })
  }

  /// A session of values, so many milliseconds apart; nil: one that is lost.
  private func session(_ values: [[UInt8]?], every period: Int64 = 1000) -> [UInt8] {
    var host = HostSide()
    host.subscribe()
    for value in values {
      if let value { host.notified(value) } else { host.wait(milliseconds: 10) }
      host.wait(milliseconds: period - 10)
    }
    host.disconnected()
    return host.file()
  }

  @Test func `a rate of 0 is none`() throws {
    let rates = (0..<60).map { UInt8(60 + $0 % 5) }
    let (good, zeros) = (rates.map { [0, $0] }, rates.enumerated().map { [0, $0.offset % 3 == 0 ? $0.element : 0] })
    let found = try aspect("heart-rate-range", session(good), session(zeros))
    #expect(!found.differs && found.values == ["60–64 bpm", "60–64 bpm"])
    let none = try aspect("heart-rate-range", session(good), session(rates.map { _ in [0, 0] }))
    #expect(!none.differs && none.values == ["60–64 bpm", "none"])
  }

  /// Each tenth has it; some that have not are lost, or one that has.
  @Test(arguments: [[], [3, 17, 31], [5, 6, 7], [12, 20], [1, 11, 21, 31, 41, 51]])
  func `what is lost is no part of how often energy is sent`(lost: [Int]) throws {
    let values: [[UInt8]] = (0..<60).map { $0 % 10 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    let left = values.enumerated().map { lost.contains($0.offset) ? nil : $0.element }
    let found = try aspect("energy-expended", session(values), session(left))
    #expect(!found.differs && found.values == ["every 10th measurement", "every 10th measurement"])
    let others: [[UInt8]] = (0..<60).map { $0 % 9 == 0 ? [0x08, 70, UInt8($0), 0] : [0, 70] }
    #expect(try aspect("energy-expended", session(values), session(others)).differs)
  }
}
