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

  init(description: String) { self.description = description }

  /// What the system does not let do with a place.
  /// - Parameter code: Why, as `errno` has it.
  init(_ place: String, _ what: String = "cannot be written", code: Int32) {
    description = "\(place): \(what): \(unsafe String(cString: strerror(code)))"
  }

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
  /// Whether whoever reads it has gone away.
  private var isGone = false
  /// How the program ends as soon as that is so; nil where it goes on, to tell by its exit code what it has found.
  private let whenGone: (() -> Int32)?

  /// Standard output.
  init(whenGone: (() -> Int32)? = nil) {
    descriptor = STDOUT_FILENO
    path = nil
    isUntouched = false
    self.whenGone = whenGone
  }

  /// A file, which is made where there is none.
  /// - Parameter inputs: What is read: none of it may be written over.
  init(
    path: FilePath, sparing inputs: ReadFiles, whenGone: (() -> Int32)? = nil
  ) throws(DestinationError) {
    if inputs.contain(path) { throw .isInput(path) }
    descriptor = Self.create(path)
    self.path = path
    isUntouched = true
    self.whenGone = whenGone
    guard descriptor >= 0 else {
      let code = errno
      throw DestinationError(path.shown, code: code)
    }
  }

  deinit {
    if path != nil { close(descriptor) }
  }

  /// The pipe or socket that it is, whose reader may go away; nil if it is neither.
  var pipe: Int32? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? descriptor : nil
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

  /// Nobody reads it any more.
  func noteGone() {
    isGone = true
    if let whenGone { exit(whenGone()) }
  }

  /// Writes all of the octets. A reader that has gone away is no error: what is left is written for nobody.
  func write(_ octets: Span<UInt8>) {
    guard !octets.isEmpty, !isGone else { return }
    replaceEarlier()
    unsafe octets.withUnsafeBytes { all in
      var left = unsafe all[...]
      switch unsafe systemWrite(&left, to: descriptor) {
      case 0: return
      case EPIPE: noteGone()
      case let code:
        StandardError.complain(DestinationError(path?.description ?? "standard output", code: code).description)
        exit(ExitStatus.unreadable)
      }
    }
  }
}
