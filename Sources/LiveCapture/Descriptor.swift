import CaptureSources

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Something that is open, and closed when nobody has it any more.
final class Descriptor: Sendable {
  let number: Int32
  private let isOwn: Bool

  /// Standard input, which stays open.
  static let standardInput = Descriptor(borrowed: STDIN_FILENO)

  private init(borrowed number: Int32) {
    self.number = number
    isOwn = false
  }

  /// - Throws: `SourceError` with the last call's error, if it did not give a descriptor.
  init(_ number: Int32, or what: String) throws(SourceError) {
    guard number >= 0 else { throw Self.lastError(what) }
    self.number = number
    isOwn = true
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { if isOwn { close(number) } }

  /// The two ends of a pipe.
  static func pipe() throws(SourceError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    _ = unsafe systemPipe(&ends)
    return (try Descriptor(ends[0], or: "no pipe"), try Descriptor(ends[1], or: "no pipe"))
  }

  /// Lets no call wait.
  func neverWait() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  /// Reads what is there.
  /// - Returns: How many octets; 0 at the end; nil if there are none so far.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int? {
    while true {
      let count = unsafe systemRead(number, space.baseAddress, space.count)
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw Self.lastError("cannot be read") }
    }
  }

  /// The last call's error in the system's words.
  static func lastError(_ what: String) -> SourceError { SourceError(what, code: errno) }

  /// An error in the system's words.
  static func words(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

/// `read` of the system: within the type its name means the method.
private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, base, count)
}

/// `pipe` of the system.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
