import Foundation
import TestSupport
import Testing

/// Every value that goes over the air in the samples, as tshark and as hrsnoop see it.
@Suite(
  .enabled("tshark \(Programs.knownVersion) is installed: without it there is no second opinion") {
    await Programs.tshark() != nil
  })
struct `Comparison with tshark` {
  let tshark: URL

  init() async throws {
    tshark = try #require(await Programs.tshark())
  }

  /// In the way they arrive: the same handle and value in the same record, unless it is known why not.
  @Test(arguments: Sample.all)
  func `the same values`(sample: Sample) async throws {
    let theirs = try await View.tshark(tshark, sample.path).facts
    let ours = try await View.hrsnoop(sample.path).facts
    #expect(!ours.isEmpty)
    let known = try KnownDifferences.read().filter { $0.key.sample == sample.name }
    let onlyTheirs = Dictionary(grouping: theirs.without(ours), by: \.frame)
    let onlyOurs = Dictionary(grouping: ours.without(theirs), by: \.frame)
    var found: Set<Difference> = []
    for frame in Set(onlyTheirs.keys).union(onlyOurs.keys).sorted() {
      let side: Difference.Side =
        onlyTheirs[frame] == nil ? .hrsnoop : onlyOurs[frame] == nil ? .tshark : .both
      let difference = Difference(sample: sample.name, frame: frame, side: side)
      found.insert(difference)
      #expect(
        known[difference] != nil,
        "\(difference): tshark \(onlyTheirs[frame] ?? []), hrsnoop \(onlyOurs[frame] ?? [])")
    }
    for (difference, reason) in known where !found.contains(difference) {
      Issue.record("no longer so: \(difference): \(reason)")
    }
  }

  @Test func `known differences are of samples that exist, and have reasons`() throws {
    let names = Set(Sample.all.map(\.name))
    for (difference, reason) in try KnownDifferences.read() {
      #expect(names.contains(difference.sample), "\(difference)")
      #expect(reason.count > 20, "\(difference): \(reason)")
    }
  }

  /// The table in Documentation/Comparison.md is what comes out here.
  @Test func `who finds the heart rate`() async throws {
    let document = packageFolder.appending(path: "Documentation/Comparison.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    var rows: [String] = []
    for sample in Sample.all {
      let sent = sample.truth.connections.flatMap(\.measurements).map(\.raw)
      let theirs = try await View.tshark(tshark, sample.path).heartRates
      let ours = try await View.hrsnoop(sample.path).heartRates
      rows.append("| `\(sample.name)` | \(sent.count) | \(Self.score(theirs, sent)) | \(Self.score(ours, sent)) |")
    }
    let missing = rows.filter { !text.contains($0 + "\n") }
    #expect(missing.isEmpty, "the table should read:\n\(rows.joined(separator: "\n"))")
  }

  /// How many of the values sent were found, and how many others were taken for such.
  private static func score(_ found: [String], _ sent: [String]) -> String {
    let wrong = found.without(sent).count
    return "\(found.count - wrong) | \(wrong)"
  }
}
