internal import CZlib
import Octets

/// What gzip has packed (RFC 1952), or zlib (RFC 1950), unpacked: each octet that comes out before the packed ones end or
/// are damaged, and only then the error. Checksums and lengths are compared.
///
/// libarchive would drop up to 64 KiB of what it has unpacked when it meets an error, and compares nothing.
@safe final class InflatedSource: OctetSource {
  private var packed: any OctetSource
  private let wrapping: Wrapping
  private let budget: UnpackingBudget?
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  /// At one place for good: zlib checks that it is.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var state = State.inMember
  private var failure: SourceError?

  private enum State { case inMember, behindMember, atEnd }

  /// What stands around what is packed.
  enum Wrapping {
    case gzip, zlib

    /// zlib's longest window, and 16 for a header and a trailer of gzip.
    fileprivate var windowBits: Int32 { self == .gzip ? 15 + 16 : 15 }
  }

  /// - Parameter budget: What counts the octets that are read; nil if they are counted elsewhere.
  init(_ packed: any OctetSource, _ wrapping: Wrapping, _ budget: UnpackingBudget? = nil) throws(SourceError) {
    self.packed = packed
    self.wrapping = wrapping
    self.budget = budget
    unsafe stream.initialize(to: z_stream())
    let result = unsafe inflateInit2_(
      stream, wrapping.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard result == Z_OK else { throw SourceError("there is no memory to unpack it") }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe space.deallocate()
  }

  func read(into wanted: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    guard unsafe !wanted.isEmpty else { return 0 }
    while true {
      if let failure { throw failure }
      if state == .behindMember { try goToNextMember() }
      if state == .atEnd { return 0 }
      let count = unsafe unpack(into: wanted)
      if count > 0 { return count }
      let isHungry = unsafe state == .inMember && stream.pointee.avail_in == 0
      if failure == nil, isHungry, try !refill() { failure = .cutOff }
    }
  }

  /// Unpacks what has been read, as far as there is room. An error waits until the octets before it have been taken.
  private func unpack(into wanted: UnsafeMutableRawBufferPointer) -> Int {
    let room = UInt32(clamping: wanted.count)
    unsafe stream.pointee.next_out = wanted.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = room
    let offered = unsafe stream.pointee.avail_in
    switch unsafe inflate(stream, Z_NO_FLUSH) {
    case Z_OK: break
    case Z_STREAM_END: state = wrapping == .gzip ? .behindMember : .atEnd
    // There was nothing to be unpacked: more is read.
    case Z_BUF_ERROR where offered == 0: break
    default: failure = reason()
    }
    return unsafe Int(room - stream.pointee.avail_out)
  }

  /// What zlib says is wrong: of its words, these two are about the trailer alone. Anything else is seen late: octets that
  /// came out before were made of the damage already.
  private func reason() -> SourceError {
    let words = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "unknown reason"
    switch words {
    case "incorrect data check": return .altered("its checksum is another")
    case "incorrect length check": return .altered("its length is another")
    default: return .damaged(words, unpacked: Int(clamping: unsafe stream.pointee.total_out))
    }
  }

  /// Files that are packed one by one and put together are one file, unpacked. What else stands behind one is padding.
  private func goToNextMember() throws(SourceError) {
    let signature = Packing.gzip.signature
    while unsafe Int(stream.pointee.avail_in) < signature.count, try refill() {}
    let rest = unsafe UnsafeRawBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in))
    guard unsafe rest.starts(with: signature) else {
      state = .atEnd
      if unsafe !rest.isEmpty, unsafe signature.starts(with: rest) { throw .cutOff }
      return
    }
    unsafe inflateReset(stream)
    state = .inMember
  }

  /// Reads a piece behind what has not been unpacked yet.
  /// - Returns: Whether there was any more.
  private func refill() throws(SourceError) -> Bool {
    let kept = unsafe Int(stream.pointee.avail_in)
    if kept > 0, let start = unsafe stream.pointee.next_in {
      unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<kept])
        .copyMemory(from: UnsafeRawBufferPointer(start: start, count: kept))
    }
    let count = try unsafe packed.read(into: UnsafeMutableRawBufferPointer(rebasing: space[kept...]))
    unsafe stream.pointee.next_in = space.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_in = UInt32(clamping: kept + count)
    budget?.notePacked(count)
    return count > 0
  }
}
