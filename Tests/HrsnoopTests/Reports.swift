import Foundation
import Testing
import TestSupport

/// What the program says of samples, each asked once.
actor Reports {
  private static let shared = Reports()
  private var answers: [[String]: Task<[JSON], any Error>] = [:]

  /// The report of `analyze --format json`.
  static func json(of sample: Sample) async throws -> JSON {
    let answer = await shared.answer(["--format", "json", sample.path]) { [try $0.json()] }
    return try #require(try await answer.value.first)
  }

  /// The events of `timeline --format ndjson`.
  static func events(of sample: Sample) async throws -> [JSON] {
    try await shared.answer(["timeline", "--format", "ndjson", sample.path]) { try $0.jsonLines() }.value
  }

  private func answer(
    _ arguments: [String], _ parse: @escaping @Sendable (Outcome) throws -> [JSON]
  ) -> Task<[JSON], any Error> {
    if let answer = answers[arguments] { return answer }
    let answer = Task {
      let outcome = try await Program.run(arguments)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      return try parse(outcome)
    }
    answers[arguments] = answer
    return answer
  }
}
