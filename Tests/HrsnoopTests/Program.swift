import Foundation
import TestSupport
import Testing

/// What a run of the program gave back.
struct Outcome: Sendable {
  /// The exit code; nil if a signal ended it.
  let status: Int32?
  /// All octets of standard output.
  let octets: Data
  /// Standard error.
  let errors: String

  /// Standard output as text; octets that are no UTF-8 show as U+FFFD.
  var output: String { String(decoding: octets, as: UTF8.self) }
  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
  /// The lines of standard error.
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

  /// Standard output as JSON: it must be one valid document.
  func json() throws -> JSON { try JSON(parsing: octets) }

  /// Standard output as one JSON document a line.
  func jsonLines() throws -> [JSON] { try lines.map { try JSON(parsing: Data($0.utf8)) } }
}

/// The built program, run from outside, as a user runs it.
enum Program {
  /// Where it is: beside the test bundle, which this process was started from.
  static let path: String = {
    let started = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
    for argument in started where argument.contains("/") {
      var folder = URL(filePath: argument)
      while folder.path.count > 1 {
        folder.deleteLastPathComponent()
        let candidate = folder.appending(path: "hrsnoop").path
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
          FileManager.default.isExecutableFile(atPath: candidate)
        {
          return candidate
        }
      }
    }
    fatalError("the program is not beside the tests: \(started)")
  }()

  /// Runs it.
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - input: The file that is its standard input; nil: nothing.
  ///   - folder: The working directory; nil: this process's.
  ///   - environment: Variables beside this process's own, without those that ask for colours or widths.
  static func run(
    _ arguments: [String], input: String? = nil, in folder: URL? = nil, environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await launch(path, arguments, input: input, in: folder, environment: environment)
  }

  /// Runs the capture program, which lies beside it.
  static func capture(_ arguments: [String]) async throws -> Outcome {
    try await launch(path + "-capture", arguments, input: nil, in: nil, environment: [:])
  }

  /// Runs it within a line of shell, where `"$0"` is the program and `"$1"` the first argument.
  static func shell(_ line: String, _ arguments: [String]) async throws -> Outcome {
    try await launch("/bin/sh", ["-c", line, path] + arguments, input: nil, in: nil, environment: [:])
  }

  private static func launch(
    _ program: String, _ arguments: [String], input: String?, in folder: URL?, environment: [String: String]
  ) async throws -> Outcome {
    try await TemporaryFolder.with { scratch in
      let streams = ["output", "errors"].map { scratch.appending(path: $0) }
      for stream in streams { try Data().write(to: stream) }
      let process = try await ChildProcess.start(
        program, arguments, environment: self.environment.merging(environment) { $1 }, in: folder,
        input: try input.map { try FileHandle(forReadingFrom: URL(filePath: $0)) },
        output: try FileHandle(forWritingTo: streams[0]), errors: try FileHandle(forWritingTo: streams[1]))
      return Outcome(
        status: try await process.end(), octets: try Data(contentsOf: streams[0]),
        errors: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self))
    }
  }

  /// Runs it with standard output going into the handle given.
  static func run(
    _ arguments: [String], output: FileHandle, environment: [String: String] = [:]
  ) async throws -> (status: Int32?, errors: String) {
    try await TemporaryFolder.with { scratch in
      let errors = scratch.appending(path: "errors")
      try Data().write(to: errors)
      let process = try await ChildProcess.start(
        path, arguments, environment: self.environment.merging(environment) { $1 }, output: output,
        errors: try FileHandle(forWritingTo: errors))
      return (try await process.end(), String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
  }

  private static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { !["NO_COLOR", "TERM", "COLUMNS"].contains($0.key) }
  }
}

/// A folder that is there as long as a test needs it.
enum TemporaryFolder {
  static func with<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}

extension URL {
  /// Writes a file into this folder.
  /// - Returns: Its path.
  @discardableResult
  func file(_ name: String, _ octets: [UInt8]) throws -> String {
    let file = appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(octets).write(to: file)
    return file.path
  }
}
