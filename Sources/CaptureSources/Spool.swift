import Octets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What comes through a pipe, written down while it is read for the first time, so that it can be read again. The file has
/// no name and is nobody else's to read; it is gone when the program is.
final class Spool {
  private let opened: OpenedCapture
  private let file: FileSource
  private var isBegun = false
  /// How many octets are written.
  private var count = 0
  /// Why not all could be written.
  private var failure: SourceError?
  /// Why no more came.
  private var end: SourceError?

  /// Nil where nothing can be written.
  init?(_ opened: OpenedCapture) {
    guard let descriptor = Self.newFile() else { return nil }
    file = FileSource(descriptor: descriptor)
    self.opened = opened
  }

  /// Whether it can be read again; before it has been, nobody knows.
  var canBeReadAgain: Bool { failure == nil }

  /// The capture from its beginning: as it comes for the first time, and then as it was written.
  func open() throws(SourceError) -> OpenedCapture {
    if isBegun {
      if let failure {
        throw SourceError("it must be read twice, and could not be kept: \(failure). Save it to a file, and give that")
      }
      return OpenedCapture(SpooledSource(self), size: count)
    }
    isBegun = true
    let opened = opened
    write(opened.octets)
    return opened.reading { SpoolingSource(self, $0) }
  }

  private func write(_ octets: Span<UInt8>) {
    unsafe octets.withUnsafeBytes { unsafe write($0) }
  }

  fileprivate func write(_ octets: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(SourceError) {
      try unsafe file.write(octets)
      count += octets.count
    } catch { failure = error }
  }

  fileprivate func read(into space: UnsafeMutableRawBufferPointer, at place: Int) throws(SourceError) -> Int {
    let count = try unsafe file.read(into: space, at: place)
    if count == 0, let end { throw end }
    return count
  }

  fileprivate func noteEnd(_ error: SourceError) { end = error }

  /// A file that has no name any more, where the user wants such files, or else where there is room for large ones: `/tmp`
  /// often lies in memory.
  private static func newFile() -> Int32? {
    if let wanted = unsafe getenv("TMPDIR").map({ unsafe String(cString: $0) }) { return newFile(in: wanted) }
    return newFile(in: "/var/tmp") ?? newFile(in: "/tmp")
  }

  private static func newFile(in folder: String) -> Int32? {
    var template = Array("\(folder)/hrsnoop-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { name in
      guard let base = name.baseAddress else { return nil }
      let descriptor = unsafe mkstemp(base)
      guard descriptor >= 0 else { return nil }
      unsafe unlink(base)
      return descriptor
    }
  }
}

/// A source that writes down what it passes on.
private final class SpoolingSource: OctetSource {
  private let spool: Spool
  private var source: any OctetSource

  init(_ spool: Spool, _ source: any OctetSource) { (self.spool, self.source) = (spool, source) }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    do throws(SourceError) {
      let count = try unsafe source.read(into: space)
      unsafe spool.write(UnsafeRawBufferPointer(rebasing: space[..<count]))
      return count
    } catch {
      spool.noteEnd(error)
      throw error
    }
  }
}

/// What was written down.
private final class SpooledSource: OctetSource {
  private let spool: Spool
  private var place = 0

  init(_ spool: Spool) { self.spool = spool }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = try unsafe spool.read(into: space, at: place)
    place += count
    return count
  }
}
