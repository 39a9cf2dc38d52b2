import Octets

/// Octets that are held, as a source.
final class HeldSource: SeekableOctetSource {
  private let octets: ContiguousArray<UInt8>
  private var place = 0

  init(_ octets: ContiguousArray<UInt8>) { self.octets = octets }

  var size: Int? { octets.count }

  func seek(to offset: Int) -> Bool {
    guard (0...octets.count).contains(offset) else { return false }
    place = offset
    return true
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = unsafe octets.copy(from: place, into: space)
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
