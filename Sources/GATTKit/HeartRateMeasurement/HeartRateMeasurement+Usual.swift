public import Octets

extension HeartRateMeasurement {
  /// Reads a measurement that is right and short enough to need no allocation; nil for all others, of which `Reading` can say
  /// what is wrong.
  @inlinable @inline(__always)
  init?(usual octets: Span<UInt8>) {
    guard let view = View(octets), view.rrCount <= RRIntervals.inlineMost else { return nil }
    bits = view.flags
    rate = view.beatsPerMinute
    energy = view.energyExpended ?? 0
    rr = RRIntervals(usual: octets, from: view.flags.fixedLength)
  }

  /// Reads what there is of a measurement that is long, wrong or cut; zeros for the rest.
  @inline(never) @usableFromInline
  init(unusual octets: Span<UInt8>, length: Int) {
    self.init(beatsPerMinute: 0)
    let count = min(octets.count, length, Int(UInt16.max))
    guard count > 0 else { return }
    bits = Flags(rawValue: octets[0])
    let isLong = bits.contains(.uint16Format)
    if count >= (isLong ? 3 : 2) { rate = isLong ? octets.uint16(at: 1) : UInt16(octets[1]) }
    let fixed = bits.fixedLength
    guard count >= fixed else { return }
    if bits.contains(.energyExpended) { energy = octets.uint16(at: fixed - 2) }
    guard bits.contains(.rrIntervals) else { return }
    for index in stride(from: fixed, to: count - 1, by: 2) {
      rr.append(RRInterval(rawValue: octets.uint16(at: index)))
    }
  }
}

extension RRIntervals {
  /// Reads at most ten whole intervals, from an index up to the end.
  @inlinable @inline(__always)
  init(usual octets: Span<UInt8>, from index: Int) {
    overflow = nil
    inlineCount = UInt16(truncatingIfNeeded: (octets.count &- index) &>> 1)
    let window = OctetWindow(octets)
    first = window.word(at: index)
    // More than four are rare.
    let isLong = inlineCount > 4
    second = isLong ? window.word(at: index &+ 8) : 0
    third = isLong ? UInt32(truncatingIfNeeded: window.word(at: index &+ 16)) : 0
  }
}

extension Span<UInt8> {
  /// The little-endian number at an index; both octets must be there.
  @inlinable func uint16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index &+ 1]) &<< 8 }
}
