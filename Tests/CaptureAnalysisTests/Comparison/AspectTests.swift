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

  /// "Remote user" in the sensor's log is the phone, in the phone's log the sensor.
  @Test func `of logs from both ends, it is said who ended a connection`() throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 1...10 { logs.measure(BothLogs.value(second), at: 1000 * Int64(second)) }
    logs.disconnect(at: 11_000)
    let byPhone = try aspect("disconnects", logs.phones[0].file(), logs.sensor.file())
    #expect(!byPhone.differs && byPhone.values.allSatisfy { $0?.hasSuffix("ended by its peer") == true })
    let bySensor = try aspect("disconnects", session([[0, 60], [0, 60]]), logs.sensor.file())
    #expect(bySensor.differs && Set(bySensor.values).count == 2)
    let one = try aspect("disconnects", session([[0, 60]]), session([[0, 60]]))
    #expect(one.values == ["0x13, Remote User Terminated Connection", "0x13, Remote User Terminated Connection"])
  }
}
