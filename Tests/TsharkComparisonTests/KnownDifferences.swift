import Foundation

/// A record of which the two programs do not say the same.
struct Difference: Hashable, CustomStringConvertible {
  /// Who says something that the other does not.
  enum Side: String {
    case tshark, hrsnoop, both
  }

  var sample: String
  var frame: Int
  var side: Side

  var description: String { "\(sample) \(frame) \(side.rawValue)" }
}

/// The differences that are known, and why they are right.
///
///     # A comment.
///     SAMPLE FRAME,FRAME,… tshark|hrsnoop|both: WHY
enum KnownDifferences {
  /// Every difference in `known-differences.txt`, with its reason.
  static func read() throws -> [Difference: String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "known-differences.txt")
    var known: [Difference: String] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: ":", maxSplits: 1)
      let words = parts[0].split(separator: " ")
      guard parts.count == 2, words.count == 3, let side = Difference.Side(rawValue: String(words[2])) else {
        throw MalformedLine(line: String(line))
      }
      for frame in words[1].split(separator: ",") {
        guard let frame = Int(frame) else { throw MalformedLine(line: String(line)) }
        known[Difference(sample: String(words[0]), frame: frame, side: side)] =
          parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return known
  }

  /// A line that does not have the form above.
  struct MalformedLine: Error {
    let line: String
  }
}
