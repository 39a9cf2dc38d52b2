import Octets

/// Octets that are kept: those of a pipe in which one must go back.
@safe final class HeldOctets {
  private(set) var octets: ContiguousArray<UInt8>

  /// More octets than these are not kept.
  static let most = 256 << 20

  /// Reads a source to its end.
  /// - Parameter start: What has been read of it already.
  init(_ start: Span<UInt8>, _ source: inout any OctetSource) throws(SourceError) {
    octets = ContiguousArray(start)
    var buffer = OctetBuffer(longest: 0)
    while try buffer.fill(from: &source) {
      octets.append(buffer.octets)
      buffer.clear()
      guard octets.count <= Self.most else {
        throw SourceError(
          "more than \(Self.most >> 20) MiB of an archive come through a pipe: save it, and give the file",
          .limit)
      }
    }
  }
}

/// Held octets as a source.
final class HeldSource: SeekableOctetSource {
  private let held: HeldOctets
  private var place = 0

  init(_ held: HeldOctets) { self.held = held }

  var size: Int? { held.octets.count }

  func seek(to offset: Int) -> Bool {
    guard (0...held.octets.count).contains(offset) else { return false }
    place = offset
    return true
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = unsafe held.octets.copy(from: place, into: space)
    place += count
    return count
  }
}

/// A source of which the first octets have been read already.
final class RejoinedSource: OctetSource {
  private var start: ContiguousArray<UInt8>
  private var place = 0
  private var rest: any OctetSource

  init(_ start: Span<UInt8>, then rest: any OctetSource) {
    self.start = ContiguousArray(start)
    self.rest = rest
  }

  var wouldWait: Bool { place == start.count && rest.wouldWait }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    guard place < start.count else { return try unsafe rest.read(into: space) }
    let count = unsafe start.copy(from: place, into: space)
    place += count
    return count
  }
}

extension ContiguousArray<UInt8> {
  /// Copies octets from a place on, as many as there is room for.
  /// - Returns: How many.
  func copy(from place: Int, into space: UnsafeMutableRawBufferPointer) -> Int {
    let count = Swift.min(space.count, self.count - place)
    unsafe withUnsafeBytes { octets in
      unsafe space.copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[place..<(place + count)]))
    }
    return count
  }
}
