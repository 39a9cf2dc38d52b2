package import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A program that a test runs.
///
/// Foundation's `Process` is of no use where many tests run programs at once: on Linux it looks for open descriptors by
/// copying directory entries as if each were as long as it can be, and ends where the memory behind them does.
package final class ChildProcess: Sendable {
  private let number: pid_t
  private let ending: Task<Int32?, any Error>
  private let hasEnded: Flag

  private init(_ number: pid_t, _ ending: Task<Int32?, any Error>, _ hasEnded: Flag) {
    (self.number, self.ending, self.hasEnded) = (number, ending, hasEnded)
  }

  deinit { send(SIGKILL) }

  /// Starts a program.
  /// - Parameters:
  ///   - environment: All its variables.
  ///   - folder: The working directory; nil: this process's.
  ///   - input: Its standard input; nil: nothing. So its output and errors: nil for nowhere.
  /// - Throws: What kept it from starting.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String: String], in folder: URL? = nil,
    input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
  ) async throws -> ChildProcess {
    Self.survivesBrokenPipes
    let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
    let streams = [input, output, errors].map { $0 ?? nothing }
    let descriptors = streams.map { FileDescriptor(rawValue: $0.fileDescriptor) }
    let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
    let (numbers, started) = AsyncThrowingStream.makeStream(of: pid_t.self)
    let hasEnded = Flag()
    let ending = Task {
      defer { hasEnded.raise() }
      do {
        let result = try await Subprocess.run(
          .path(FilePath(program)), arguments: Arguments(arguments),
          environment: .custom(Dictionary(uniqueKeysWithValues: variables)),
          workingDirectory: folder.map { FilePath($0.path) },
          input: .fileDescriptor(descriptors[0], closeAfterSpawningProcess: false),
          output: .fileDescriptor(descriptors[1], closeAfterSpawningProcess: false),
          error: .fileDescriptor(descriptors[2], closeAfterSpawningProcess: false)
        ) { started.yield($0.processIdentifier.value) }
        return if case .exited(let code) = result.terminationStatus { code } else { Int32?.none }
      } catch {
        started.finish(throwing: error)
        throw error
      }
    }
    // It has its streams once it has a number.
    defer { withExtendedLifetime(streams) {} }
    for try await number in numbers { return ChildProcess(number, ending, hasEnded) }
    throw CancellationError()
  }

  /// What is written to a program that has ended is an error of that test, and ends no other.
  private static let survivesBrokenPipes: Void = {
    signal(SIGPIPE, SIG_IGN)
    return
  }()

  /// Whether it still runs.
  package var isRunning: Bool { !hasEnded.isRaised }

  /// Sends it a signal, if it still runs.
  package func send(_ signal: Int32) {
    if isRunning { kill(number, signal) }
  }

  /// Waits for its end.
  /// - Returns: The exit code; nil if a signal ended it.
  package func end() async throws -> Int32? { try await ending.value }
}

/// Something that happens once.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isRaised: Bool { lock.withLock { value } }

  func raise() { lock.withLock { value = true } }
}
