import Octets

/// What bzip2, xz or Zstandard has packed, unpacked: as much as comes out before the packed octets end or are damaged,
/// and only then the error. As with gzip, what stands behind it is padding.
///
/// libarchive hands out what it has unpacked of such a file in blocks of 64 KiB, and 128 KiB with Zstandard, and drops
/// the one in which it meets anything it does not expect: of a small log, all. So it is read once more then, piece by
/// piece, from where the block began.
final class StreamSource: OctetSource {
  private let packed: any OctetSource
  private let packing: Packing
  private let budget: UnpackingBudget?
  private var state = State.atBeginning
  /// How many octets have come out.
  private var count = 0

  private enum State {
    case atBeginning
    case inBlocks(ArchiveReader)
    /// A block was dropped for this reason: it comes in pieces.
    case inPieces(PieceSource, SourceError)
  }

  /// - Parameter budget: What counts the octets that are read; nil if they are counted elsewhere.
  init(_ packed: any OctetSource, _ packing: Packing, _ budget: UnpackingBudget?) {
    (self.packed, self.packing, self.budget) = (packed, packing, budget)
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    if case .inPieces(let pieces, let failure) = state { return try unsafe read(pieces, into: space, failure) }
    do throws(SourceError) {
      let more = try unsafe blocks().read(into: space)
      count += more
      return more
    } catch {
      guard let file = packed as? any SeekableOctetSource, file.seek(to: 0) else { throw error }
      let pieces = PieceSource(file, packing, from: count)
      state = .inPieces(pieces, error)
      return try unsafe read(pieces, into: space, error)
    }
  }

  /// To be opened, it must unpack the first.
  private func blocks() throws(SourceError) -> ArchiveReader {
    if case .inBlocks(let reader) = state { return reader }
    let reader = try ArchiveReader(packed, allowing: [.raw], within: packing.filter, packed: budget, unpacked: nil)
    _ = try reader.next()
    state = .inBlocks(reader)
    return reader
  }

  /// What is wrong with the stream is told as it was seen in pieces, and what is wrong with that, not at all.
  private func read(
    _ pieces: PieceSource, into space: UnsafeMutableRawBufferPointer, _ failure: SourceError
  ) throws(SourceError) -> Int {
    do throws(SourceError) {
      return try unsafe pieces.read(into: space)
    } catch {
      throw pieces.count < count || error.tellsOfStreamEnd || error.tellsOfMethod ? failure : error
    }
  }
}

/// What is packed, unpacked in pieces: what comes out of each is handed out before the next is looked at.
///
/// libarchive does so with the members of a zip, and a zip may pack its members in these ways: each stream is given to
/// it as one, a zip's header before it, that is longer than it will ever be.
private final class PieceSource: OctetSource {
  private var stream: PackedStream
  private let packing: Packing
  private var reader: ArchiveReader?
  /// How many octets have come out, those that are passed over too.
  private(set) var count = 0
  /// How many are passed over.
  private let start: Int

  /// - Parameters:
  ///   - packed: The packed octets, from their beginning.
  ///   - start: The first octet to be handed out.
  init(_ packed: any OctetSource, _ packing: Packing, from start: Int) {
    stream = PackedStream(packed, packing)
    (self.packing, self.start) = (packing, start)
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while true {
      let room = count < start ? min(space.count, start - count) : space.count
      let more = try unsafe readOn(into: UnsafeMutableRawBufferPointer(rebasing: space[..<room]))
      count += more
      if count > start || more == 0 { return more }
    }
  }

  private func readOn(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while true {
      if let reader {
        do throws(SourceError) {
          let more = try unsafe reader.read(into: space)
          if more > 0 { return more }
        } catch {
          if error.tellsOfChecksum { throw .altered("its checksum is another") }
          // Where more was looked at than its last octet, nobody knows where the next one begins.
          guard error.tellsOfStreamEnd, stream.pieceLength == 1 else { throw error }
        }
      }
      guard try stream.goToNext() else { return 0 }
      let next = try ArchiveReader(stream, allowing: [.zip], packed: nil, unpacked: nil)
      _ = try next.next()
      reader = next
    }
  }
}

/// One stream after another, each as a zip would have it, in pieces.
private final class PackedStream: OctetSource {
  private var packed: any OctetSource
  private let packing: Packing
  private var buffer = OctetBuffer(longest: 0)
  private var isAtBeginning = true
  private var place = 0
  /// How long the last piece was.
  private(set) var pieceLength = 1

  init(_ packed: any OctetSource, _ packing: Packing) { (self.packed, self.packing) = (packed, packing) }

  /// Octet by octet up to 2 MiB, and then so that it takes no longer for ever: no more than the millionth part is lost.
  private var nextPieceLength: Int { max(1, place >> 20) }

  /// Goes to where the next stream begins, behind zeros.
  /// - Returns: Whether there is one.
  /// - Throws: `SourceError` if there is not all of its signature.
  func goToNext() throws(SourceError) -> Bool {
    isAtBeginning = true
    while true {
      while buffer.octets.count < Packing.longestSignature, try buffer.fill(from: &packed) {}
      guard place > 0, !buffer.octets.isEmpty, buffer.octets[0] == 0 else { break }
      take(1)
    }
    let count = min(buffer.octets.count, Packing.longestSignature)
    let rest = ContiguousArray(buffer.octets.extracting(0..<count))
    return try packing.goesOn(in: rest.span)
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    if isAtBeginning {
      isAtBeginning = false
      return unsafe packing.zipHeader.read(into: space, at: 0)
    }
    if buffer.octets.isEmpty { _ = try buffer.fill(from: &packed) }
    pieceLength = min(nextPieceLength, space.count, buffer.octets.count)
    for index in 0..<pieceLength { unsafe space[index] = buffer.octets[index] }
    defer { take(pieceLength) }
    return pieceLength
  }

  private func take(_ count: Int) {
    buffer.consume(count)
    place += count
  }
}

extension Packing {
  fileprivate var filter: ArchiveLibrary.Filter {
    switch self {
    case .gzip: .gzip
    case .bzip2: .bzip2
    case .xz: .xz
    case .zstandard: .zstandard
    }
  }

  /// The header of a member that is packed so, as long as can be told, by the name `-`.
  /// PKWARE, .ZIP File Format Specification 6.3.10, 4.3.7 and 4.4.5.
  fileprivate var zipHeader: ContiguousArray<UInt8> {
    let method: UInt8 =
      switch self {
      case .gzip: 8
      case .bzip2: 12
      case .zstandard: 93
      case .xz: 95
      }
    return [0x50, 0x4B, 0x03, 0x04, 63, 0, 0, 0, method, 0] + Array(repeating: 0, count: 8)
      + Array(repeating: 0xFF, count: 8) + [1, 0, 0, 0, UInt8(ascii: "-")]
  }
}

extension SourceError {
  /// Whether the stream has ended, and not the member that it was said to be.
  fileprivate var tellsOfStreamEnd: Bool {
    description.contains("xz premature end of stream") || description.contains("ZIP compressed data is wrong size")
  }

  /// Whether libarchive does not know the member's method.
  fileprivate var tellsOfMethod: Bool { description.contains("Unsupported ZIP compression method") }

  /// Whether nothing is wrong but Zstandard's checksum.
  fileprivate var tellsOfChecksum: Bool { description.contains("Restored data doesn't match checksum") }
}
