import CaptureAnalysis
import CaptureReports
import Octets
import Testing
import TestSupport

/// What is said of a connection that two logs hold.
@Suite struct `Words for a connection in two logs` {
  private func capture(_ name: String, _ octets: [UInt8]) throws -> ComparedCapture {
    let recorder = BehaviourRecorder()
    var analyzer = Analyzer(into: recorder.receiver)
    try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    return recorder.capture(path: name, facts: analyzer.facts)
  }

  private func text(_ sides: [SensorBehaviour]) -> String {
    written { ComparisonFormat.text.write(Comparison(sides), Reporting.context(120), into: $0) }
  }

  private func text(_ first: [UInt8], _ second: [UInt8]) throws -> String {
    let captures = [try capture("first", first), try capture("second", second)]
    return text(try captures.map { try SensorChoice.automatic.side(of: [$0]) })
  }

  private func session(sensorAhead: Int64 = 0, _ change: (inout BothLogs, Int) -> Void = { _, _ in }) -> BothLogs {
    var logs = BothLogs(sensorAhead: sensorAhead)
    logs.connect(at: 0)
    for second in 1...40 {
      change(&logs, second)
      logs.measure(BothLogs.value(second), at: 1000 * Int64(second))
    }
    logs.disconnect(at: 42_000)
    return logs
  }

  @Test func `a clock that was set`() throws {
    let logs = session { logs, second in if second == 20 { logs.phonesAhead += 2000 } }
    let text = try text(logs.phones[0].file(), logs.sensor.file())
    #expect(text.contains("One of the clocks was set: from #"))
    #expect(text.contains("that of 2 is 2.00 s further back."))
    #expect(text.contains("Neither lacks one that the other has.") && !text.contains("held back"))
  }

  /// The phone's log counts records that it lost, three of them measurements.
  @Test func `a log that lost records`() throws {
    let logs = session()
    let octets = logs.phones[0].file()
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    var file = Array(octets[..<16])
    for (number, range) in zip(places, places.dropFirst() + [octets.count]).enumerated()
    where !(20..<23).contains(number) {
      file += octets[range.0..<range.0 + 12] + [0, 0, 0, number < 20 ? 0 : 3] + octets[(range.0 + 16)..<range.1]
    }
    let text = try text(file, logs.sensor.file())
    #expect(text.contains("3 measurements of 2 are not in 1, whose log lost records there."))
    #expect(!text.contains("lost on the way"))
  }

  @Test func `two adapters of one computer`() throws {
    var logs = BothLogs(sensorAhead: 0)
    logs.sensor.adapter = 1
    logs.connect(at: 0)
    for second in 1...40 { logs.measure(BothLogs.value(second), at: 1000 * Int64(second)) }
    let packets = (logs.phones[0].packets + logs.sensor.packets).sorted { $0.time < $1.time }
    let sides = SensorChoice.allSides(of: [try capture("both", Container.btsnoopMonitor.file(packets))])
    #expect(text(sides).contains("One clock has timed both."))
  }

  /// Six times between seven measurements tell nothing.
  @Test func `what is too little to test`() throws {
    let files = [1000, 2000].map { period -> [UInt8] in
      var host = HostSide()
      host.subscribe()
      for _ in 0..<7 {
        host.notified([0, 60])
        host.wait(milliseconds: Int64(period) - 10)
      }
      return host.file()
    }
    let text = try text(files[0], files[1])
    #expect(text.contains("too little to test\n  cadence 1 s ± 0 | 2 s ± 0\n"), "\(text)")
    #expect(!text.contains("Kolmogorov"))
  }
}
