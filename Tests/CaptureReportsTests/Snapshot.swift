import Foundation
import Testing

/// A report that a person has read and found right, kept as a file.
///
/// `HRSNOOP_SNAPSHOTS=write swift test --filter CaptureReportsTests` writes the files anew; read what has changed.
enum Snapshot {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
  static let isWriting = ProcessInfo.processInfo.environment["HRSNOOP_SNAPSHOTS"] == "write"

  /// Compares a report with its file.
  static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appending(path: "\(name).txt")
    if isWriting { try Data(text.utf8).write(to: file) }
    let kept = try #require(
      try? String(contentsOf: file, encoding: .utf8), "there is no Snapshots/\(name).txt",
      sourceLocation: sourceLocation)
    guard kept != text else { return }
    let lines = [kept, text].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let place =
      zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines[0].count, lines[1].count)
    let shown = lines.map { $0.count > place ? "\"\($0[place])\"" : "nothing" }
    Issue.record(
      "Snapshots/\(name).txt, line \(place + 1): expected \(shown[0]), found \(shown[1])",
      sourceLocation: sourceLocation)
  }
}
