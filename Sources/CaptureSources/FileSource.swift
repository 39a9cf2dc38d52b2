import Octets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file, a pipe or standard input.
public final class FileSource: SeekableOctetSource {
  private let descriptor: Int32
  private let closesAtEnd: Bool
  /// Where reading began: who gave standard input may have read of it.
  private let beginning: Int
  /// Whether octets come by and by: then there is no going back.
  private let isStream: Bool

  /// Opens a file; `-` is standard input.
  /// - Throws: `SourceError` if there is none, it is a directory or it may not be read.
  public init(path: FilePath) throws(SourceError) {
    if path.isStandardInput {
      descriptor = STDIN_FILENO
      closesAtEnd = false
    } else {
      descriptor = Self.open(path)
      closesAtEnd = true
    }
    guard descriptor >= 0 else { throw SourceError(lastError: "cannot be opened") }
    let place = Int(lseek(descriptor, 0, SEEK_CUR))
    (beginning, isStream) = (max(0, place), place < 0)
    widenPipe()
  }

  /// A file that is open, and nobody else's.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    closesAtEnd = true
    (beginning, isStream) = (0, false)
  }

  /// How many octets there are; nil where that is not known beforehand, as for a pipe.
  public var size: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  private static func open(_ path: FilePath) -> Int32 {
    while true {
      let descriptor = systemOpen(path)
      // Opening a named pipe waits for its writer, and may be interrupted.
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }

  deinit {
    if closesAtEnd, descriptor >= 0 { close(descriptor) }
  }

  /// Reads the next octets, as many as there are at the moment.
  /// - Returns: How many; 0 at the end.
  /// - Throws: `SourceError` if they cannot be read.
  public func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while true {
      let count = unsafe Self.systemRead(descriptor, space.baseAddress, space.count)
      if count >= 0 { return count }
      if errno != EINTR { throw SourceError(lastError: "cannot be read") }
    }
  }

  /// Whether there is nothing more at the moment. Files are not asked: it would be a call for each piece.
  public var wouldWait: Bool {
    guard isStream else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) == 0
  }

  /// Reads octets from a place on, counted from where reading began, as many as there are, and stays where it is.
  func read(into space: UnsafeMutableRawBufferPointer, at place: Int) throws(SourceError) -> Int {
    while true {
      let count = unsafe pread(descriptor, space.baseAddress, space.count, off_t(beginning + place))
      if count >= 0 { return count }
      if errno != EINTR { throw SourceError(lastError: "cannot be read") }
    }
  }

  /// Writes octets behind those that were written.
  func write(_ octets: UnsafeRawBufferPointer) throws(SourceError) {
    var written = 0
    while written < octets.count {
      let count = unsafe systemCallWrite(descriptor, UnsafeRawBufferPointer(rebasing: octets[written...]))
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw SourceError(lastError: "cannot be written")
      }
    }
  }

  private static func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe systemCallRead(descriptor, base, count)
  }

  /// Goes to an octet, counted from the beginning.
  /// - Returns: Whether that was possible.
  func seek(to offset: Int) -> Bool { lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) }

  /// A pipe of 1 MiB passes on a capture several times as fast as one of the usual 64 KiB.
  private func widenPipe() {
    #if os(Linux)
      let setPipeSize: Int32 = 1031
      _ = fcntl(descriptor, setPipeSize, 1 << 20)
    #endif
  }
}

/// A file that has no path to be opened by again, as standard input: each of those who read it has a place of its own.
final class SharedFile: SeekableOctetSource {
  private let file: FileSource
  private var place = 0

  init(_ file: FileSource) { self.file = file }

  var size: Int? { file.size }

  func seek(to offset: Int) -> Bool {
    place = offset
    return offset >= 0
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = try unsafe file.read(into: space, at: place)
    place += count
    return count
  }
}

/// `open` of the system: within the type its name means the method.
private func systemOpen(_ path: FilePath) -> Int32 {
  unsafe open(path.terminated, O_RDONLY | O_CLOEXEC)
}

/// `read` of the system: within the type its name means the method.
private func systemCallRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, base, count)
}

/// `write` of the system.
private func systemCallWrite(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, octets.baseAddress, octets.count)
}

extension SourceError {
  /// The last call's error in the system's words.
  init(lastError what: String) { self.init(what, code: errno) }

  /// An error of the system in its own words, or in plainer ones where users have met it.
  package init(_ what: String, code: Int32) {
    switch code {
    case ENOENT: self.init("there is no such file")
    case EACCES, EPERM: self.init("permission denied: it may not be read by this user")
    case EISDIR: self.init("it is a directory")
    default: self.init("\(what): \(unsafe String(cString: strerror(code)))")
    }
  }
}

extension FileSource {
  /// All octets of a file that is to be read as a whole.
  /// - Throws: `SourceError` if it cannot be read, or is longer than `limit` octets.
  public static func all(of path: FilePath, limit: Int) throws(SourceError) -> ContiguousArray<UInt8> {
    var source = try FileSource(path: path)
    var buffer = OctetBuffer(longest: limit)
    while buffer.octets.count <= limit, try buffer.fill(from: &source) {}
    guard buffer.octets.count <= limit else { throw SourceError("it is longer than \(limit) octets") }
    return ContiguousArray(buffer.octets)
  }
}
