import Foundation
import TestSupport

/// The two programs that are compared.
enum Programs {
  /// hrsnoop as it was built beside these tests.
  static let hrsnoop: URL = {
    #if os(Linux)
      let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    #else
      let tests = Bundle(for: Anchor.self).bundleURL
    #endif
    return tests.deletingLastPathComponent().appending(path: "hrsnoop")
  }()

  /// tshark, if it is installed in a version whose view of the samples is known.
  static func tshark() async -> URL? { await search.value }

  private static let search = Task<URL?, Never> {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    let candidates = folders.map { URL(filePath: $0).appending(path: "tshark") }
    guard let tshark = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
      let version = try? await run(tshark, ["--version"]),
      String(decoding: version, as: UTF8.self).hasPrefix("TShark (Wireshark) \(knownVersion).")
    else { return nil }
    return tshark
  }

  /// Other versions decode more, or less: `known-differences.txt` would have to be gone through again.
  static let knownVersion = "4.0"

  /// What a program writes to standard output.
  static func run(_ program: URL, _ arguments: [String]) async throws -> Data {
    let output = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = try await ChildProcess.start(
      program.path, arguments, environment: ProcessInfo.processInfo.environment,
      output: try FileHandle(forWritingTo: output))
    let status = try await process.end()
    guard status == 0 else { throw ProgramFailed(program: program, status: status) }
    return try Data(contentsOf: output)
  }
}

/// A program ended with something other than 0.
struct ProgramFailed: Error {
  let program: URL
  /// The exit code; nil if a signal ended it.
  let status: Int32?
}

private final class Anchor {}
