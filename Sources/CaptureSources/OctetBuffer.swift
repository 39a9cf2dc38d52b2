import Octets

/// The one buffer between a source and what reads captures: filled from behind, consumed from the front, never longer,
/// however large the input.
public struct OctetBuffer: Sendable {
  /// As many octets as are read at once: few enough to stay in the processor's cache until they have been looked at.
  static let piece = 256 * 1024

  private var storage: ContiguousArray<UInt8>
  private var start = 0
  private var end = 0

  /// Creates an empty buffer.
  /// - Parameter longest: As many octets as a reader may want to see at once.
  public init(longest: Int) {
    storage = ContiguousArray(repeating: 0, count: longest + Self.piece)
  }

  /// The octets that have been read and not consumed.
  public var octets: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(start..<end) }
  }

  /// Forgets octets from the front.
  public mutating func consume(_ count: Int) {
    start = min(start + count, end)
  }

  /// Forgets all octets, to begin with another source.
  public mutating func clear() { (start, end) = (0, 0) }

  /// Reads a piece more.
  /// - Returns: Whether there was any more.
  /// - Throws: `SourceError`; the octets that were there stay.
  public mutating func fill(from source: inout some OctetSource & ~Copyable) throws(SourceError) -> Bool {
    if start > 0 {
      moveToFront()
    }
    let space = min(Self.piece, storage.count - end)
    guard space > 0 else { throw SourceError("a record is longer than \(storage.count) octets") }
    let place = end
    let count = try Self.read(into: &storage, place..<(place + space), from: &source)
    end += count
    return count > 0
  }

  private mutating func moveToFront() {
    let (from, to) = (start, end)
    unsafe storage.withUnsafeMutableBytes { octets in
      guard let base = octets.baseAddress else { return }
      unsafe base.copyMemory(from: base + from, byteCount: to - from)
    }
    end -= start
    start = 0
  }

  private static func read(
    into storage: inout ContiguousArray<UInt8>, _ range: Range<Int>, from source: inout some OctetSource & ~Copyable
  ) throws(SourceError) -> Int {
    var result: Result<Int, SourceError> = .success(0)
    unsafe storage.withUnsafeMutableBytes { octets in
      do throws(SourceError) {
        result = .success(try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: octets[range])))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
