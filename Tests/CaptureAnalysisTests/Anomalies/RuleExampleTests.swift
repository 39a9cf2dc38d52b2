@testable import CaptureAnalysis
import Testing
import TestSupport

/// Every rule's own examples, played as captures: what it finds, and where it must stay quiet.
@Suite struct `Rule examples` {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: RuleDescription
    let example: RuleExample
    var testDescription: String { "\(rule.name): \(example.title)" }
  }

  static let cases = RuleBook.rules.flatMap { rule in rule.examples.map { Case(rule: rule, example: $0) } }

  @Test(arguments: cases) func `are found, or not`(_ one: Case) throws {
    let findings = try summary(of: ExamplePlayer.capture(of: one.example).file()).findings
    let own = findings.filter { $0.rule == one.rule.name }
    #expect(own.count == one.example.findings, "\(findings.map { "\($0.rule): \($0.message)" })")
    for finding in own {
      #expect(!finding.message.isEmpty && finding.message.first?.isUppercase == false && finding.message.last != ".")
      #expect(finding.reference == one.rule.reference)
    }
  }

  /// A rule that finds nothing anywhere, or something everywhere, is none.
  @Test func `there are both for every rule over what happens`() {
    for rule in RuleBook.rules where !rule.examples.isEmpty {
      #expect(rule.examples.contains { $0.findings > 0 } && rule.examples.contains { $0.findings == 0 }, "\(rule.name)")
    }
  }

  @Test func `descriptions are whole sentences`() {
    for rule in RuleBook.rules {
      for text in [rule.finds, rule.matters, rule.advice] {
        #expect(text.count > 20 && text.last == ".", "\(rule.name)")
      }
      #expect(rule.parameters.allSatisfy { $0.range.contains($0.value) && !$0.meaning.isEmpty })
    }
  }
}
