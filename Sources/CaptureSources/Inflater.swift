internal import CZlib

/// A zlib stream, unpacked from octets that are held.
@safe final class Inflater {
  private let packed: ContiguousArray<UInt8>
  private var consumed: Int
  /// At one place for good: zlib checks that it is.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isAtEnd = false

  /// - Parameter start: Where the stream begins in the octets.
  init(_ packed: ContiguousArray<UInt8>, from start: Int) throws(SourceError) {
    self.packed = packed
    consumed = start
    unsafe stream.initialize(to: z_stream())
    let result = unsafe inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard result == Z_OK else { throw SourceError("there is no memory to unpack it") }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Unpacks the next octets; what can be unpacked before damage is.
  /// - Returns: How many there are; 0 at the end.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    guard !isAtEnd, unsafe !space.isEmpty else { return 0 }
    let (count, result) = unsafe packed.withUnsafeBytes { octets in
      unsafe inflate(UnsafeRawBufferPointer(rebasing: octets[consumed...]), into: space)
    }
    if result == Z_STREAM_END {
      isAtEnd = true
      return count
    }
    if count > 0 { return count }
    throw SourceError("its packed octets are \(result == Z_DATA_ERROR ? "damaged" : "not all there")")
  }

  private func inflate(
    _ octets: UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer
  ) -> (count: Int, result: Int32) {
    let offered = min(octets.count, Int(Int32.max))
    let wanted = min(space.count, Int(Int32.max))
    // zlib does not write to what it reads.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: octets.bindMemory(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = UInt32(offered)
    unsafe stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = UInt32(wanted)
    let result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    unsafe consumed += offered - Int(stream.pointee.avail_in)
    return unsafe (wanted - Int(stream.pointee.avail_out), result)
  }
}
