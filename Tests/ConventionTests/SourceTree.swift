import Foundation
import TestSupport

/// A Swift file of the package.
struct SourceFile: Sendable {
  /// Its path below the package's folder.
  let path: String
  /// Its lines.
  let lines: [String]

  /// The target it belongs to.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  /// Whether a script writes it: tables, which may be long.
  var isGenerated: Bool { path.contains("/Generated/") }
  /// Its name without the ending.
  var name: String { path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "" }

  /// The lines without comments and without what stands between quotes.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var isInText = false
    code = lines.map { line in
      let quotes =
        line.contains("\"\"\"") ? line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1 : 0
      defer { if quotes % 2 == 1 { isInText.toggle() } }
      return isInText || quotes > 0 ? "" : Self.bare(line)
    }
  }

  /// A line without texts and comments.
  private static func bare(_ line: String) -> String {
    var bare: [UInt8] = []
    var isInText = false
    var isEscaped = false
    for octet in line.utf8 {
      if isInText {
        if octet == UInt8(ascii: "\""), !isEscaped { isInText = false }
        isEscaped = octet == UInt8(ascii: "\\") && !isEscaped
      } else if octet == UInt8(ascii: "\"") {
        isInText = true
      } else {
        bare.append(octet)
        if bare.suffix(2) == Array("//".utf8)[...] { return String(decoding: bare.dropLast(2), as: UTF8.self) }
      }
    }
    return String(decoding: bare, as: UTF8.self)
  }

  /// Where a pattern stands in the code, as "path:line: text".
  /// - Parameter words: One of them must stand in a line before it is looked at closely.
  func places(of pattern: Regex<Substring>, near words: [String]) -> [String] {
    code.indices.filter { index in
      words.contains { code[index].contains($0) } && code[index].contains(pattern)
    }.map { "\(path):\($0 + 1): \(lines[$0])" }
  }
}

/// The package as it lies on disk.
enum SourceTree {
  /// All Swift files below `Sources`, by path.
  static let sources: [SourceFile] = {
    do { return try files(below: "Sources") } catch { fatalError("the sources cannot be read: \(error)") }
  }()

  /// All Swift files below a folder of the package, by path.
  static func files(below folder: String) throws -> [SourceFile] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: packageFolder.appending(path: folder).path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let path = "\(folder)/\(name)"
      let text = try String(contentsOf: packageFolder.appending(path: path), encoding: .utf8)
      return SourceFile(path: path, text: text)
    }
  }
}
