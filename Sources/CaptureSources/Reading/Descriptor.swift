#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Something that is open, and closed when nobody has it any more.
package final class Descriptor: Sendable {
  package let number: Int32
  private let isOwn: Bool

  /// Standard input, which stays open.
  package static let standardInput = Descriptor(borrowed: STDIN_FILENO)

  private init(borrowed number: Int32) {
    self.number = number
    isOwn = false
  }

  /// - Throws: `SourceError` with the last call's error, if it did not give a descriptor.
  package init(_ number: Int32, or what: String) throws(SourceError) {
    guard number >= 0 else { throw SourceError(lastError: what) }
    self.number = number
    isOwn = true
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  /// A file, to be read.
  /// - Parameter flags: Those of `open` that are wanted besides.
  package convenience init(opening path: FilePath, _ flags: Int32 = 0) throws(SourceError) {
    var number: Int32
    // Opening a named pipe waits for its writer, and may be interrupted.
    repeat { number = systemOpen(path, O_RDONLY | O_CLOEXEC | flags) } while number < 0 && errno == EINTR
    try self.init(number, or: "cannot be opened")
  }

  deinit { if isOwn { close(number) } }

  /// The two ends of a pipe.
  package static func pipe() throws(SourceError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    _ = unsafe systemPipe(&ends)
    return (try Descriptor(ends[0], or: "no pipe"), try Descriptor(ends[1], or: "no pipe"))
  }

  /// Lets no call wait.
  package func neverWait() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  /// A pipe of 1 MiB passes on a capture several times as fast as one of the usual 64 KiB, and bridges a moment in which
  /// nobody reads.
  package func widenPipe() {
    #if os(Linux)
      let setPipeSize: Int32 = 1031
      _ = fcntl(number, setPipeSize, 1 << 20)
    #endif
  }

  /// Reads what is there.
  /// - Returns: How many octets; 0 at the end; nil if there are none so far.
  package func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int? {
    while true {
      let count = unsafe systemRead(number, space.baseAddress, space.count)
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw SourceError(lastError: "cannot be read") }
    }
  }
}

extension SourceError {
  /// The last call's error in the system's words.
  package init(lastError what: String) { self.init(what, code: errno) }

  /// An error of the system in its own words, or in plainer ones where users have met it.
  package init(_ what: String, code: Int32) {
    switch code {
    case ENOENT: self.init("there is no such file")
    case EACCES, EPERM: self.init("permission denied: it may not be read by this user")
    case EISDIR: self.init("it is a directory")
    default: self.init("\(what): \(Self.words(code))")
    }
  }

  /// An error of the system in its own words.
  package static func words(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

// Within the type, the system's names mean the methods.

private func systemOpen(_ path: FilePath, _ flags: Int32) -> Int32 { unsafe open(path.terminated, flags) }

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, base, count)
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
