import Octets

/// Octets of which any can be read at any time: several may read them, each with a place of its own.
protocol OctetStore {
  /// How many octets there are; nil where that is not known.
  var size: Int? { get }
  /// Reads octets from a place on, as many as there are.
  /// - Returns: How many; 0 at the end.
  func read(into space: UnsafeMutableRawBufferPointer, at place: Int) throws(SourceError) -> Int
}

/// Stored octets as a source.
final class StoredSource: SeekableOctetSource {
  private let store: any OctetStore
  private var place: Int

  /// - Parameter place: The first octet to be read.
  init(_ store: any OctetStore, from place: Int = 0) { (self.store, self.place) = (store, place) }

  var size: Int? { store.size }

  func seek(to offset: Int) -> Bool {
    guard (0...(size ?? .max)).contains(offset) else { return false }
    place = offset
    return true
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = try unsafe store.read(into: space, at: place)
    place += count
    return count
  }
}

extension OctetSource {
  /// All octets up to the end.
  /// - Parameter start: Those that have been read already.
  /// - Returns: nil if there are more than a limit.
  mutating func all(behind start: Span<UInt8>, atMost limit: Int) throws(SourceError) -> ContiguousArray<UInt8>? {
    var octets = ContiguousArray(start)
    var buffer = OctetBuffer(longest: 0)
    while octets.count <= limit {
      guard try buffer.fill(from: &self) else { return octets }
      octets.append(buffer.octets)
      buffer.clear()
    }
    return nil
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
    let count = unsafe start.read(into: space, at: place)
    place += count
    return count
  }
}

extension ContiguousArray: OctetStore where Element == UInt8 {
  var size: Int? { count }

  func read(into space: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
    let count = Swift.min(space.count, self.count - place)
    unsafe withUnsafeBytes { octets in
      unsafe space.copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[place..<(place + count)]))
    }
    return count
  }
}
