import CaptureSources

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that another program writes to: read from its beginning, and on as it grows. Where the path leads to another
/// file, or the file has become shorter or begins otherwise, a new capture begins there.
final class FollowedFile: LiveSource {
  private let path: FilePath
  private var file: Descriptor
  private var offset: Int64 = 0
  private var isAtEnd = false
  /// Its first octets: where it is longer than before, they tell whether it has grown, or was written anew.
  private var start: [UInt8] = []
  /// Since when nothing is where the path leads; nil while something is.
  private var missingSince: ContinuousClock.Instant?

  /// So often is looked whether there is more: no system call waits for a file to grow that all systems have.
  private static let pause = Duration.milliseconds(40)
  /// Who rotates a file has the next one sooner. After a longer time nobody knows what was written nowhere.
  private static let longestRotation = Duration.seconds(2)

  /// In so many octets, the first packets of a capture have their times.
  private static let longestStart = 256

  init(path: FilePath) throws(SourceError) {
    self.path = path
    file = try Self.open(path)
  }

  private static func open(_ path: FilePath) throws(SourceError) -> Descriptor {
    // A named pipe without a writer must not be waited for.
    let file = try Descriptor(opening: path, O_NONBLOCK)
    guard status(file)?.kind != S_IFDIR else { throw SourceError("it is a directory") }
    return file
  }

  var readiness: Readiness { .after(isAtEnd ? Self.pause : .zero) }

  var isHere: Bool { missingSince == nil }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> LiveStep {
    if isAtEnd, let change = try changed() { return change }
    let count = unsafe try file.read(into: space) ?? 0
    isAtEnd = count == 0
    if offset == start.count, count > 0, start.count < Self.longestStart {
      unsafe start += space.prefix(min(count, Self.longestStart - start.count))
    }
    offset += Int64(count)
    return isAtEnd ? .nothing : .octets(count)
  }

  /// What has happened to the file since its end was reached.
  private func changed() throws(SourceError) -> LiveStep? {
    guard let here = Self.status(file) else { return nil }
    if here.kind == S_IFREG, here.size > offset { return isSame ? nil : try anew("was written anew") }
    if here.kind == S_IFREG, here.size < offset { return try anew("has become shorter") }
    // A directory is no file, either: one may stand there while files are put in order.
    guard let there = Self.status(path), there.kind != S_IFDIR else {
      guard missingSince == nil else { return nil }
      missingSince = .now
      return .said("is gone: waiting for a new one")
    }
    guard there.identity != here.identity else {
      missingSince = nil
      return nil
    }
    // It may not be readable yet.
    guard let next = try? Self.open(path) else { return nil }
    let isGap = missingSince.map { .now - $0 > Self.longestRotation } ?? false
    (file, offset, start, isAtEnd, missingSince) = (next, 0, [], false, nil)
    return .anew(isGap: isGap, "is another file now: it goes on there")
  }

  /// Another capture begins in the same file.
  private func anew(_ what: String) throws(SourceError) -> LiveStep {
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SourceError(lastError: "cannot be read again") }
    (offset, start, isAtEnd) = (0, [], false)
    return .anew(isGap: true, "\(what): it is read from its beginning")
  }

  /// Whether it begins as it did.
  private var isSame: Bool {
    var octets = [UInt8](repeating: 0, count: start.count)
    let count = unsafe pread(file.number, &octets, octets.count, 0)
    return count < octets.count || octets == start
  }

  private struct Status {
    let kind: mode_t
    let size: Int64
    let identity: [UInt64]

    init(_ status: stat) {
      kind = status.st_mode & S_IFMT
      size = Int64(status.st_size)
      identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    }
  }

  private static func status(_ file: Descriptor) -> Status? {
    var status = stat()
    return unsafe fstat(file.number, &status) == 0 ? Status(status) : nil
  }

  private static func status(_ path: FilePath) -> Status? {
    var status = stat()
    return unsafe stat(path.terminated, &status) == 0 ? Status(status) : nil
  }
}
