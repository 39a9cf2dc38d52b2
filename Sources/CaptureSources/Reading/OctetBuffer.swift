import Octets

/// The one buffer between a source and what reads captures: filled from behind, consumed from the front, never longer,
/// however large the input.
public struct OctetBuffer: Sendable {
  /// As many octets as are read at once: few enough to stay in the processor's cache until they have been looked at.
  static let piece = 256 * 1024
  /// What is read comes to the beginning of a page of memory: the kernel takes up to four times as long to copy to the
  /// first octets behind it, and a little longer to anywhere else.
  private static let page = 4096

  private var storage: ContiguousArray<UInt8>
  /// No more octets than these are held.
  private let capacity: Int
  private var start = 0
  private var end = 0

  /// Creates an empty buffer.
  /// - Parameter longest: As many octets as a reader may want to see at once.
  public init(longest: Int) {
    capacity = longest + Self.piece
    let room = capacity + Self.page
    // What has not been read is never looked at; to set it to anything first would take longer than to read a small file.
    storage = unsafe ContiguousArray(unsafeUninitializedCapacity: room) { $1 = room }
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
    moveToFront()
    let space = min(Self.piece, capacity - (end - start))
    guard space > 0 else { throw SourceError("a record is longer than \(capacity) octets") }
    let place = end
    let count = try Self.read(into: &storage, place..<(place + space), from: &source)
    end += count
    return count > 0
  }

  /// Moves what is there to the front, so far that it ends with a page.
  private mutating func moveToFront() {
    let (from, count) = (start, end - start)
    start = unsafe storage.withUnsafeMutableBytes { octets in
      guard let base = octets.baseAddress else { return 0 }
      let front = (0 &- Int(bitPattern: base) &- count) & (Self.page - 1)
      unsafe (base + front).copyMemory(from: base + from, byteCount: count)
      return front
    }
    end = start + count
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
