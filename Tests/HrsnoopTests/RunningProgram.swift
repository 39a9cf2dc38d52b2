import Foundation
import TestSupport
import Testing

/// The program while it runs: fed, watched, and told to end.
final class RunningProgram {
  private let process: ChildProcess
  private let scratch: URL
  private let input = Pipe()

  /// Starts it.
  /// - Parameters:
  ///   - environment: Variables beside this process's own.
  ///   - inputWaits: Whether reading its standard input waits for octets, as usual.
  init(_ arguments: [String], environment: [String: String] = [:], inputWaits: Bool = true) async throws {
    if !inputWaits {
      let descriptor = input.fileHandleForReading.fileDescriptor
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    scratch = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    for name in ["output", "errors"] { try Data().write(to: scratch.appending(path: name)) }
    process = try await ChildProcess.start(
      Program.path, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      input: input.fileHandleForReading, output: try FileHandle(forWritingTo: scratch.appending(path: "output")),
      errors: try FileHandle(forWritingTo: scratch.appending(path: "errors")))
    try input.fileHandleForReading.close()
  }

  deinit {
    try? FileManager.default.removeItem(at: scratch)
  }

  /// What it has written to standard output so far.
  var output: String { text("output") }
  /// What it has written to standard error so far.
  var errors: String { text("errors") }

  private func text(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: scratch.appending(path: name))) ?? Data(), as: UTF8.self)
  }

  /// Gives it octets on its standard input.
  func feed(_ octets: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(octets)) }

  /// Ends its standard input.
  func endInput() throws { try input.fileHandleForWriting.close() }

  /// Waits until something holds.
  func wait(
    for what: String, _ location: SourceLocation = #_sourceLocation, _ condition: (RunningProgram) -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !condition(self) {
      let detail: Comment = "\(what); so far: \(output.suffix(500)) \(errors)"
      try #require(ContinuousClock.now < deadline, detail, sourceLocation: location)
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Sends it a signal.
  func send(_ signal: Int32) { process.send(signal) }

  /// Waits for its end.
  /// - Returns: The exit code; nil if a signal ended it.
  func end() async throws -> Int32? {
    try await wait(for: "its end") { !$0.process.isRunning }
    return try await process.end()
  }
}
