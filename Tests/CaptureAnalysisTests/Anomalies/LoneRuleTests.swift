@testable import CaptureAnalysis
import Testing
import TestSupport

/// What a rule finds does not hang on which others are asked.
@Suite struct `Rules by themselves` {
  /// What is found, in words, by the rule.
  private func findings(_ host: HostSide, only rule: String? = nil) throws -> [String: [String]] {
    var settings = RuleSettings()
    if let rule { try settings.ask(only: [rule]) }
    var diagnosis = Diagnosis(settings)
    let analysis = try Analysis(host.file(), selection: diagnosis.selection.union(.measurementOctets))
    for event in analysis.events { diagnosis.note(event) }
    diagnosis.finish()
    return Dictionary(grouping: diagnosis.takeFindings(), by: \.rule).mapValues { findings in
      findings.map { finding in
        "\(finding.severity) on \(finding.connection ?? 0), \(finding.frame ?? 0) to \(finding.lastFrame ?? 0), "
          + "\(finding.count) times: \(finding.message)"
      }
    }
  }

  /// The captures of all examples go on for a while behind what happens in them.
  @Test(arguments: RuleBook.rules.map(\.name)) func `find what they find beside all others`(name: String) throws {
    for example in try #require(RuleBook.rule(named: name)).examples {
      var host = ExamplePlayer.capture(of: example)
      host.wait(milliseconds: 60_000)
      host.event(0x0E, hex("01 09 10 00 01 00 00 00 00 00"))
      let beside = try findings(host)
      for rule in Set(beside.keys).union([name]) {
        #expect(try findings(host, only: rule)[rule] == beside[rule], "\(example.title)")
      }
    }
  }

  /// The connection is open as long as the capture lasts.
  @Test(arguments: [nil, "parameters-tight"]) func `tell what holds to the end of the capture`(rule: String?) throws {
    var host = HostSide()
    host.event(0x3E, hex("01 00 40 00 00 01 01 11 22 33 44 c5 2c 01 04 00 58 02 00"))
    host.discoverHeartRate()
    host.wait(milliseconds: 30_000)
    host.command(0x1009)
    host.event(0x0E, hex("01 09 10 00 01 00 00 00 00 00"))
    let tight = try #require(try findings(host, only: rule)["parameters-tight"]?.first)
    #expect(tight.hasPrefix("info on 1, 1 to \(host.packets.count), 1 times: interval 375 ms"), "\(tight)")
  }
}
