import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// Every recorded fault is found under its rule and in its place, and nothing else is wrong.
@Suite struct `Samples with faults` {
  @Test(arguments: FaultSample.all)
  func `hold the measurements that were sent`(sample: FaultSample) throws {
    let connections = try Analysis(sample.octets).connections
    #expect(
      connections.map { $0.measurements.map { $0.octets?.hexadecimal ?? "" } } == sample.connections.map(\.measurements)
    )
  }

  @Test(arguments: FaultSample.all)
  func `show what was planted, and nothing else`(sample: FaultSample) throws {
    let analysis = try Analysis(sample.octets)
    var left = try summary(of: sample.octets).findings
    func take(_ fault: FaultSample.Fault, _ number: Int?, _ connection: AnalyzedConnection?) {
      let place = left.firstIndex { $0.connection == number && Self.isFound(fault, by: $0, on: connection) }
      let others = left.filter { $0.rule == fault.rule }.map { "#\($0.frame ?? 0)-\($0.lastFrame ?? 0)" }
      #expect(place != nil, "\(fault) is not found; found are \(others)")
      if let place { left.remove(at: place) }
    }
    for (index, (truth, connection)) in zip(sample.connections, analysis.connections).enumerated() {
      for fault in truth.faults { take(fault, index + 1, connection) }
    }
    for fault in sample.faults ?? [] { take(fault, nil, nil) }
    let grave = left.filter { $0.severity > .info }
    #expect(grave.isEmpty, "\(grave.prefix(3).map { "\($0.rule) #\($0.frame ?? 0): \($0.message)" })")
  }

  /// A rule that has no fault here finds one only in made-up examples; and one that is renamed must not leave it behind.
  @Test func `show every rule over what happens`() {
    let faults = FaultSample.all.flatMap { ($0.faults ?? []) + $0.connections.flatMap(\.faults) }
    let shown = Set(faults.map(\.rule)).union(Self.elsewhere.values.flatMap { $0 })
    #expect(shown.isSubset(of: RuleBook.rules.map(\.name)))
    let others = RuleBook.rules.filter { !$0.examples.isEmpty && !shown.contains($0.name) }
    #expect(Set(others.map(\.name)) == Self.notRecorded)
  }

  /// Rules whose faults cannot be recorded.
  private static let notRecorded: Set<String> = []

  /// The faults of samples that are about something else, by the beginnings of their names.
  private static let elsewhere: [String: Set<String>] = [
    "handle-reused-no-disconnection": ["handle-reused"],
    "malformed": [
      "measurement-malformed", "measurement-reserved-flags", "contact-support-changed", "energy-without-control-point",
    ],
    "wahoo-tickr": ["heart-rate-implausible", "heart-rate-jump"],
  ]

  @Test(arguments: Sample.all) func `are others than those of healthy sensors`(sample: Sample) throws {
    let grave = try summary(of: sample.octets).findings.filter { $0.severity > .info }
    let expected = Self.elsewhere.first { sample.name.hasPrefix("\($0.key).") }?.value ?? []
    #expect(Set(grave.map(\.rule)) == expected, "\(grave.map(\.message))")
  }

  private static func isFound(
    _ fault: FaultSample.Fault, by finding: Finding, on connection: AnalyzedConnection?
  ) -> Bool {
    guard finding.rule == fault.rule, let frame = finding.frame, let last = finding.lastFrame else { return false }
    let events = connection?.events ?? []
    let frames = events.filter { $0.content.heartRate != nil }.map(\.frame)
    // Where a measurement is missing, another test says so.
    let places = [fault.first, fault.last].compactMap(\.self) + (fault.within ?? [])
    guard places.allSatisfy(frames.indices.contains) else { return false }
    if let index = fault.first, frames[index] != frame { return false }
    if let index = fault.last, frames[index] != last { return false }
    if let within = fault.within, frame < frames[within[0]] || last > frames[within[1]] { return false }
    if let records = fault.records, frame < records[0] || frame > records[1] { return false }
    guard let event = fault.event else { return true }
    return events.contains { "\($0.content.kind)" == event && ($0.frame == frame || $0.frame == last) }
  }
}
