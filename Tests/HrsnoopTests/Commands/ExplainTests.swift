import Foundation
import Testing
import TestSupport

@testable import CaptureAnalysis

/// What the program says of its rules.
@Suite struct `Explanations` {
  /// The page is written from the rules: `hrsnoop explain --format markdown > Documentation/Rules.md`.
  @Test func `are the documentation`() async throws {
    let page = packageFolder.appending(path: "Documentation/Rules.md")
    let written = try String(contentsOf: page, encoding: .utf8)
    let outcome = try await Program.run(["explain", "--format", "markdown"])
    #expect(outcome.status == 0 && outcome.output == written, "write Documentation/Rules.md anew")
  }

  @Test func `list all rules`() async throws {
    let outcome = try await Program.run(["explain"])
    for rule in RuleBook.rules { #expect(outcome.lines.contains("  \(rule.name)")) }
  }

  @Test func `of one rule say everything`() async throws {
    for rule in RuleBook.rules {
      let outcome = try await Program.run(["explain", rule.name])
      #expect(outcome.status == 0 && outcome.lines.first?.hasPrefix(rule.name) == true)
      let words = outcome.output.split { $0.isWhitespace }.joined(separator: " ")
      for text in [rule.finds, rule.matters, rule.advice] + rule.examples.map(\.title) {
        #expect(words.contains(text.split { $0.isWhitespace }.joined(separator: " ")), "\(rule.name)")
      }
      #expect(rule.parameters.allSatisfy { words.contains("--set \(rule.name).\($0.name)=") })
      // Where there are none, nothing more is to be read.
      #expect(words.contains("hrsnoop explain \(rule.name) --format markdown") == !rule.examples.isEmpty)
    }
  }

  /// The page's part of one, with what is sent in all examples.
  @Test func `of one rule are a part of the documentation`() async throws {
    let page = try await Program.run(["explain", "--format", "markdown"])
    let outcome = try await Program.run(["explain", "notification-gap", "--format", "markdown"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("\n## notification-gap\n"))
    #expect(page.output.contains(outcome.output))
  }

  /// Of some examples, all that happens is how they start.
  @Test func `of examples end with what happens`() async throws {
    let page = try await Program.run(["explain", "--format", "markdown"])
    #expect(page.output.contains("subscribed"))
    #expect(page.lines.filter { $0.contains(/;\s*$|;\s*`/) } == [])
  }

  /// Every rule that is named as an explanation is there.
  @Test func `name rules that exist`() {
    for rule in RuleBook.rules {
      for name in rule.explainedBy { #expect(RuleBook.rule(named: name) != nil, "\(rule.name): \(name)") }
    }
  }
}

/// Where a finding fails a test of a sensor, and what may be left out of it.
@Suite struct `Rules on the command line` {
  private let healthy = Sample.named("polar-h7.btsnoop").path
  private let broken = Sample.named("malformed.btsnoop").path

  @Test(arguments: [("error", 1), ("warning", 1), ("info", 1)] as [(String, Int32)])
  func `fail on findings`(severity: String, status: Int32) async throws {
    #expect(try await Program.run(["--fail-on", severity, broken]).status == status)
    #expect(try await Program.run(["--fail-on", "warning", healthy]).status == 0)
    // The report is the same.
    let plain = try await Program.run([broken])
    #expect(try await Program.run(["--fail-on", severity, broken]).output == plain.output)
  }

  @Test func `an input that cannot be read counts more`() async throws {
    #expect(try await Program.run(["--fail-on", "error", broken, "/no/such/file"]).status == 2)
  }

  /// What was not looked for may be there all the same.
  @Test(arguments: [["--rules", "notification-gap"], ["--except", "contact-lost"]])
  func `find nothing unusual that they do not look for`(choice: [String]) async throws {
    #expect(try await Program.run([healthy]).output.contains("✓ Nothing unusual.\n"))
    let outcome = try await Program.run(choice + [healthy])
    #expect(outcome.output.contains("✓ Nothing unusual to the rules that were asked.\n"))
  }

  /// A device that is not there is not well: where one of several captures has it, that one is judged.
  @Test func `judge nothing where nothing fits`() async throws {
    let nobody = try await Program.run(["--fail-on", "info", "--device", "nobody", healthy, broken])
    #expect(nobody.status == 2 && nobody.errors.contains("nothing fits what was asked for"))
    #expect(try await Program.run(["--device", "nobody", healthy]).status == 0)
    // Nor is one of which a log holds not even a connection that could be left out.
    try await TemporaryFolder.with { folder in
      let empty = try folder.file("empty", BTSnoopBuilder.header())
      #expect(try await Program.run(["--fail-on", "info", "--device", "nobody", empty]).status == 2)
      #expect(try await Program.run(["--fail-on", "error", empty]).status == 0)
    }
    #expect(try await Program.run(["--fail-on", "warning", "--device", "Polar H7", healthy, broken]).status == 0)
  }

  @Test func `are chosen`() async throws {
    func rules(_ options: [String]) async throws -> Set<String> {
      let outcome = try await Program.run(["--format", "json", "--summary"] + options + [broken])
      let findings = try outcome.json()["captures"]?.array?.first?["findings"]?.array ?? []
      return Set(findings.compactMap { $0["rule"]?.string })
    }
    let all = try await rules([])
    #expect(all.contains("measurement-malformed") && all.count > 2)
    #expect(try await rules(["--rules", "measurement-malformed"]) == ["measurement-malformed"])
    #expect(try await rules(["--except", "measurement-malformed"]) == all.subtracting(["measurement-malformed"]))
    #expect(try await Program.run(["--rules", "measurement-reserved-flags", "--fail-on", "error", broken]).status == 0)
    // What is given twice adds up, and does not take the place of the first.
    let two = ["measurement-malformed", "measurement-reserved-flags"]
    #expect(try await rules(["--rules", two[0], "--rules", two[1]]) == Set(two))
    #expect(try await rules(["--except", two[0], "--except", two[1]]) == all.subtracting(two))
  }

  @Test func `are told where they happen`() async throws {
    let events = try await Program.run(["timeline", "--format", "ndjson", "--events", "finding", broken]).jsonLines()
    #expect(!events.isEmpty && events.allSatisfy { $0["event"] == .string("finding") && $0["rule"] != nil })
    let none = try await Program.run(["timeline", "--format", "ndjson", "--events", "finding", healthy]).jsonLines()
    #expect(none.allSatisfy { $0["severity"] == .string("info") })
  }

  @Test func `take thresholds`() async throws {
    let gaps = ["--rules", "notification-gap", "--fail-on", "warning"]
    #expect(try await Program.run(gaps + [healthy]).status == 0)
    var host = HostSide()
    host.subscribe()
    for pause: Int64 in Array(repeating: 1000, count: 20) + [1900, 1000] {
      host.wait(milliseconds: pause)
      host.notified([0x00, 0x48])
    }
    try await TemporaryFolder.with { folder in
      let late = try folder.file("late", host.file())
      #expect(try await Program.run(gaps + [late]).status == 0)
      let strict = ["--set", "notification-gap.least=1", "--set", "notification-gap.factor=1.5"]
      #expect(try await Program.run(gaps + strict + [late]).status == 1)
    }
    let off = ["--rules", "heart-rate-jump", "--fail-on", "warning", "--set", "heart-rate-jump.step=250"]
    let jump = Sample.named("wahoo-tickr.btsnoop").path
    #expect(try await Program.run(["--rules", "heart-rate-jump", "--fail-on", "warning", jump]).status == 1)
    #expect(try await Program.run(off + [jump]).status == 0)
  }
}
