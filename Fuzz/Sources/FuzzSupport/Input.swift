/// Lends a fuzzer's input as a span, for as long as `body` runs.
public func withInput(_ start: UnsafePointer<UInt8>?, _ count: Int, _ body: (Span<UInt8>) -> Void) {
  let input = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  unsafe body(input.span)
}

/// Ends the run: what must hold does not. libFuzzer keeps the input.
public func fail(_ message: String) -> Never {
  fatalError(message)
}

/// Ends the run unless something holds.
@inline(__always) public func check(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fail(message()) }
}

/// A checksum of octets and numbers, FNV-1a: keeps the optimizer from leaving out what is computed, and tells two
/// outputs apart without keeping them.
public struct Checksum: Hashable, Sendable {
  /// The sum of what was added so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The sum of nothing.
  public init() {}

  /// The sum of octets.
  public init(of octets: Span<UInt8>) { add(octets) }

  /// Adds octets.
  public mutating func add(_ octets: Span<UInt8>) {
    for index in octets.indices { add(UInt64(octets[index])) }
  }

  /// Adds a number.
  @inline(__always) public mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01B3
  }

  /// Adds a number.
  public mutating func add(_ number: some BinaryInteger) { add(UInt64(truncatingIfNeeded: number)) }

  /// Adds text.
  public mutating func add(_ text: String) {
    for octet in text.utf8 { add(UInt64(octet)) }
  }
}

/// Sizes that look random and are the same for the same input, so that a finding can be repeated.
public struct Sizes {
  private var state: UInt64

  /// Sizes that follow from a seed.
  public init(seed: UInt64) {
    state = seed | 1
  }

  /// The next size: mostly small, at times large, never zero.
  public mutating func next() -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let limit: UInt64 = state >> 60 == 0 ? 5000 : state >> 62 == 0 ? 400 : 40
    return 1 + Int((state >> 20) % limit)
  }
}
