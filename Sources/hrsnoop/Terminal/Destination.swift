import CaptureReports
import CaptureSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a result can't be written.
struct DestinationError: Error, CustomStringConvertible {
  let description: String

  /// Whoever reads a file may not write over it.
  static func isInput(_ path: FilePath) -> DestinationError {
    DestinationError(description: "\(path): is an input too; write the result to another file")
  }
}

/// Where a result goes: standard output, or a file.
final class Destination {
  let descriptor: Int32
  private let path: FilePath?
  /// Whether a file may still hold what it held before: until there is something to put in its place.
  private var isUntouched: Bool

  /// Standard output.
  init() {
    descriptor = STDOUT_FILENO
    path = nil
    isUntouched = false
    // A reader that closes the pipe early is told by `write`, not by a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  /// A file, which is made where there is none.
  /// - Parameter inputs: What is read: none of it may be written over.
  init(path: FilePath, sparing inputs: ReadFiles) throws(DestinationError) {
    if inputs.contain(path) { throw .isInput(path) }
    descriptor = Self.create(path)
    self.path = path
    isUntouched = true
    guard descriptor >= 0 else {
      let code = errno
      throw DestinationError(description: "\(path): cannot be written: \(unsafe String(cString: strerror(code)))")
    }
  }

  deinit {
    if path != nil { close(descriptor) }
  }

  private static func create(_ path: FilePath) -> Int32 {
    unsafe open(path.terminated, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
  }

  /// Whether a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// What a file held before is no more: what is written now, or nothing, is the result.
  func replaceEarlier() {
    guard isUntouched else { return }
    isUntouched = false
    // What is no plain file holds nothing, and says so.
    _ = ftruncate(descriptor, 0)
  }

  /// Writes all of the octets. A reader that has gone away is no error: the program ends, having nothing left to do.
  func write(_ octets: Span<UInt8>) {
    guard !octets.isEmpty else { return }
    replaceEarlier()
    unsafe octets.withUnsafeBytes { all in
      var left = unsafe all[...]
      while unsafe !left.isEmpty {
        let count = unsafe systemWrite(descriptor, left)
        if count >= 0 {
          unsafe left = left.dropFirst(count)
        } else if errno == EPIPE {
          exit(0)
        } else if errno != EINTR, errno != EAGAIN {
          let words = unsafe String(cString: strerror(errno))
          StandardError.complain("\(path?.description ?? "standard output"): cannot be written: \(words)")
          exit(ExitStatus.unreadable)
        }
      }
    }
  }
}

/// `write` of the system: within the type its name means the method.
private func systemWrite(_ descriptor: Int32, _ octets: Slice<UnsafeRawBufferPointer>) -> Int {
  let piece = unsafe UnsafeRawBufferPointer(rebasing: octets)
  return unsafe write(descriptor, piece.baseAddress, piece.count)
}

/// What is said beside the result.
enum StandardError {
  /// Whether a person looks at it.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Says what is wrong, after the program's name.
  static func complain(_ message: String) {
    let sentence = "hrsnoop: \(AirText.shown(message, limit: 2000))"
    guard isTerminal else { return say(sentence + "\n") }
    say(TextLayout.sentence(sentence, indent: 0, width: Terminal.width(of: STDERR_FILENO)))
  }

  /// Says something as it is.
  static func say(_ text: String) {
    var text = text
    text.withUTF8 { octets in
      _ = unsafe write(STDERR_FILENO, octets.baseAddress, octets.count)
    }
  }
}
