import Octets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file, a pipe or standard input.
public final class FileSource: SeekableOctetSource, OctetStore {
  private let file: Descriptor
  /// Where reading began: who gave standard input may have read of it.
  private let beginning: Int
  /// Whether octets come by and by: then there is no going back.
  private let isStream: Bool

  /// Opens a file; `-` is standard input.
  /// - Throws: `SourceError` if there is none, it is a directory or it may not be read.
  public init(path: FilePath) throws(SourceError) {
    file = path.isStandardInput ? .standardInput : try Descriptor(opening: path)
    let place = Int(lseek(file.number, 0, SEEK_CUR))
    (beginning, isStream) = (max(0, place), place < 0)
    file.widenPipe()
  }

  /// A file that is open, from its beginning.
  init(_ file: Descriptor) {
    self.file = file
    (beginning, isStream) = (0, false)
  }

  /// How many octets there are from where reading began; nil where that is not known beforehand, as for a pipe.
  public var size: Int? {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return max(0, Int(status.st_size) - beginning)
  }

  /// Reads the next octets, as many as there are at the moment.
  /// - Returns: How many; 0 at the end.
  /// - Throws: `SourceError` if they cannot be read.
  public func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while true {
      if let count = unsafe try file.read(into: space) { return count }
      // Who shares a pipe may have let its calls not wait.
      _ = hasNothing(within: -1)
    }
  }

  /// Whether there is nothing more at the moment. Files are not asked: it would be a call for each piece.
  public var wouldWait: Bool { isStream && hasNothing(within: 0) }

  /// - Parameter limit: How long it is waited for, in milliseconds; -1: until there is something, or the end.
  private func hasNothing(within limit: Int32) -> Bool {
    var state = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, limit) == 0
  }

  /// Reads octets from a place on, counted from where reading began, and stays where it is.
  func read(into space: UnsafeMutableRawBufferPointer, at place: Int) throws(SourceError) -> Int {
    while true {
      let count = unsafe pread(file.number, space.baseAddress, space.count, off_t(beginning + place))
      if count >= 0 { return count }
      if errno != EINTR { throw SourceError(lastError: "cannot be read") }
    }
  }

  /// Writes octets behind those that were written.
  func write(_ octets: UnsafeRawBufferPointer) throws(SourceError) {
    var written = 0
    while written < octets.count {
      let count = unsafe systemWrite(file.number, UnsafeRawBufferPointer(rebasing: octets[written...]))
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw SourceError(lastError: "cannot be written")
      }
    }
  }

  /// Goes to an octet, counted from the beginning.
  /// - Returns: Whether that was possible.
  func seek(to offset: Int) -> Bool {
    let place = off_t(beginning + offset)
    return lseek(file.number, place, SEEK_SET) == place
  }
}

/// `write` of the system: within the type its name means the method.
private func systemWrite(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, octets.baseAddress, octets.count)
}

extension FileSource {
  /// All octets of a file that is to be read as a whole.
  /// - Throws: `SourceError` if it cannot be read, or is longer than `limit` octets.
  public static func all(of path: FilePath, limit: Int) throws(SourceError) -> ContiguousArray<UInt8> {
    var source = try FileSource(path: path)
    guard let octets = try source.all(behind: Span(), atMost: limit) else {
      throw SourceError("it is longer than \(limit) octets")
    }
    return octets
  }
}
