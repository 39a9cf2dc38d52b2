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

  @Test func `two adapters of one computer`() throws {
    var logs = BothLogs(sensorAhead: 0)
    logs.sensor.adapter = 1
    logs.connect(at: 0)
    for second in 1...40 { logs.measure(BothLogs.value(second), at: 1000 * Int64(second)) }
    let packets = (logs.phones[0].packets + logs.sensor.packets).sorted { $0.time < $1.time }
    let sides = SensorChoice.allSides(of: [try capture("both", Container.btsnoopMonitor.file(packets))])
    #expect(text(sides).contains("One clock has timed both."))
  }
}
