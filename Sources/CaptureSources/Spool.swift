import Octets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What comes through a pipe, kept so that it can be read again: the first octets in memory, and those behind them in a file,
/// where they are written while they are read for the first time. The file has no name and is nobody else's to read; it is
/// gone when the program is. What is all in memory needs none.
final class Spool: OctetStore {
  private var source: any OctetSource
  /// The first octets.
  private var held: ContiguousArray<UInt8>
  /// Those behind them; nil where there are none, or nothing can be written.
  private let file: FileSource?
  /// How many octets are kept.
  private var count: Int
  /// Whether no more will come.
  private var hasEnded = false
  /// Why no more came, if that was not all.
  private var interruption: SourceError?
  /// Why not all could be kept.
  private var failure: SourceError?
  private var isBegun = false

  /// No more than these, and one piece, are kept in memory, whatever comes.
  private static let mostHeld = 2 << 20

  /// Begins to keep a capture: reads as much of it as memory is to hold, so that it is known whether a file is needed.
  init(_ opened: OpenedCapture) {
    source = opened.source
    held = ContiguousArray()
    held.reserveCapacity(Self.mostHeld + OctetBuffer.piece)
    held.append(opened.octets)
    var buffer = OctetBuffer(longest: 0)
    do throws(SourceError) {
      while !hasEnded, held.count < Self.mostHeld {
        hasEnded = try !buffer.fill(from: &source)
        held.append(buffer.octets)
        buffer.clear()
      }
    } catch {
      (hasEnded, interruption) = (true, error)
    }
    count = held.count
    file = hasEnded ? nil : Self.newFile().map(FileSource.init)
    if !hasEnded, file == nil { failure = SourceError("no file can be made") }
  }

  /// Whether it can be read again; before it has been read, it may still turn out that it cannot.
  var canBeReadAgain: Bool { failure == nil }

  /// How many octets there are, once no more will come.
  var size: Int? { hasEnded ? count : nil }

  /// The capture from its beginning.
  func open() throws(SourceError) -> OpenedCapture {
    if isBegun, let failure {
      throw SourceError("it must be read twice, and could not be kept: \(failure). Save it to a file, and give that")
    }
    isBegun = true
    return OpenedCapture(StoredSource(self), size: size)
  }

  /// Reads octets from a place on: as they were kept, or else as they come.
  func read(into space: UnsafeMutableRawBufferPointer, at place: Int) throws(SourceError) -> Int {
    if place < held.count { return unsafe held.read(into: space, at: place) }
    if place < count, let file { return try unsafe file.read(into: space, at: place - held.count) }
    if !hasEnded { return try unsafe readOn(into: space) }
    if let interruption { throw interruption }
    return 0
  }

  private func readOn(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    do throws(SourceError) {
      let read = try unsafe source.read(into: space)
      hasEnded = read == 0
      unsafe write(UnsafeRawBufferPointer(rebasing: space[..<read]))
      return read
    } catch {
      (hasEnded, interruption) = (true, error)
      throw error
    }
  }

  private func write(_ octets: UnsafeRawBufferPointer) {
    guard failure == nil, let file else { return }
    do throws(SourceError) {
      try unsafe file.write(octets)
      count += octets.count
    } catch { failure = error }
  }

  /// A file that has no name any more, where the user wants such files, or else where there is room for large ones: `/tmp`
  /// often lies in memory.
  private static func newFile() -> Descriptor? {
    if let wanted = unsafe getenv("TMPDIR").map({ unsafe String(cString: $0) }) { return newFile(in: wanted) }
    return newFile(in: "/var/tmp") ?? newFile(in: "/tmp")
  }

  private static func newFile(in folder: String) -> Descriptor? {
    var template = Array("\(folder)/hrsnoop-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { name in
      guard let base = name.baseAddress else { return nil }
      guard let file = try? Descriptor(unsafe mkstemp(base), or: "no file") else { return nil }
      unsafe unlink(base)
      return file
    }
  }
}
