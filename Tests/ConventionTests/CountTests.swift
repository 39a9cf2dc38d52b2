import Foundation
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What is written for people counts what there is: a number in a sentence grows old unseen.
@Suite struct `Numbers in the documentation` {
  /// A number in words: "twenty-three".
  private func words(_ number: Int) throws -> String {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: "en_US")
    formatter.numberStyle = .spellOut
    return try #require(formatter.string(from: number as NSNumber))
  }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: packageFolder.appending(path: name), encoding: .utf8)
  }

  /// Whether a page says something, however its sentences begin.
  private func says(_ name: String, _ words: String) throws -> Bool { try page(name).lowercased().contains(words) }

  @Test func `are those of the rules`() throws {
    let (events, captures) = (AnomalyRules.all.count, CaptureRules.all.count)
    #expect(try says("README.md", "\n\(words(events + captures)) [rules](documentation/rules.md) look at"))
    #expect(try says("CHANGELOG.md", "\(events) over what happens and \(captures) over the capture itself"))
  }

  @Test func `are those of the models of sensors`() throws {
    let models = try words(SensorProfiles.builtIn.count)
    #expect(try says("README.md", "of \(models) models"))
    #expect(try says("CHANGELOG.md", "profiles of \(models) models"))
  }

  @Test func `are those of the aspects of comparison`() throws {
    let aspects = ComparisonAspects.all.count
    #expect(try says("README.md", "\n\(words(aspects)) aspects, "))
    #expect(try says("CHANGELOG.md", "sensors in \(aspects) aspects"))
  }
}
