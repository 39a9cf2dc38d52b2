import Octets

// Blocks whose lengths cannot both be right, and how far they reach all the same.

extension PCAPNG {
  /// Which lengths are believed though they cannot be right.
  enum Lenience: CaseIterable {
    /// Those that one end of a block tells, where the other end tells another: one of the two is damaged.
    case atOneEnd
    /// Those that do not count the padding that is there: so some writers tell all of them.
    case withoutPadding
  }
}

extension PCAPNG.Frame {
  /// How far a block reaches whose lengths cannot both be right, if one of them is to be believed.
  @inline(never)
  static func length(_ lenience: PCAPNG.Lenience, _ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Int? {
    guard let header = OctetWindow(octets, at: index, count: emptyLength) else { return nil }
    let (type, total) = (header.uint32(at: 0, order), header.uint32(at: 4, order))
    switch lenience {
    case .atOneEnd:
      if type == PCAPNG.BlockType.enhancedPacket, let length = lengthBehind(octets, at: index, order) { return length }
      return lengthInFront(type, total, octets, at: index, order)
        ?? (type == PCAPNG.BlockType.interface ? lengthBehindInterface(octets, at: index, order) : nil)
    case .withoutPadding:
      return PCAPNG.BlockType.isPacket(type) ? roundedLength(total, octets, at: index, order) : nil
    }
  }

  /// The length before a block, if there is room for the packet, and another block where that ends, as far as it is there.
  private static func lengthInFront(
    _ type: UInt32, _ total: UInt32, _ octets: Span<UInt8>, at index: Int, _ order: OctetOrder
  ) -> Int? {
    guard total >= emptyLength, total & 3 == 0, total <= BlockWindow.longestPacketBlock else { return nil }
    let length = Int(total)
    switch type {
    // Without it nothing can be made of the packets of the section.
    case PCAPNG.BlockType.interface: break
    case PCAPNG.BlockType.enhancedPacket:
      guard let end = packetEnd(octets, at: index, order), end <= length - 4 else { return nil }
    default: return nil
    }
    return isKnownBlock(octets, at: index + length, order) != false ? length : nil
  }

  /// Whether a block that chance does not make stands at an index; nil if too little is there to tell.
  private static func isKnownBlock(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Bool? {
    Self(octets, at: index, order).map { $0.isSound && !$0.isLong && $0.hasKnownType }
  }

  /// The length behind a packet's block, if it stands as far behind the block's beginning as it says.
  private static func lengthBehind(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Int? {
    guard let end = packetEnd(octets, at: index, order) else { return nil }
    return stride(from: end + 4, through: end + 4 + longestOptions, by: 4).first { length in
      OctetWindow(octets, at: index + length - 4, count: 4)?.uint32(at: 0, order) == UInt32(length)
    }
  }

  /// The length behind the description of an interface of HCI, if it stands as far behind its beginning as it says, and
  /// another block behind it. Where the rest is damaged as well, the description is not to be believed.
  private static func lengthBehindInterface(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Int? {
    guard let number = OctetWindow(octets, at: index + 8, count: 2)?.uint16(at: 0, order), LinkType.other(number).isHCI
    else { return nil }
    return stride(from: emptyInterface, through: emptyInterface + longestOptions, by: 4).first { length in
      OctetWindow(octets, at: index + length - 4, count: 4)?.uint32(at: 0, order) == UInt32(length)
        && isKnownBlock(octets, at: index + length, order) == true
    }
  }

  /// The length of an Interface Description Block without options.
  private static var emptyInterface: Int { 20 }

  /// Where a packet and its padding end in an Enhanced Packet Block, if its lengths may be a packet's.
  private static func packetEnd(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Int? {
    guard let header = OctetWindow(octets, at: index, count: 28) else { return nil }
    let (captured, original) = (header.uint32(at: 20, order), header.uint32(at: 24, order))
    guard captured <= original, captured < BlockWindow.longestPacketBlock else { return nil }
    return header.count + (Int(captured) + 3) & ~3
  }

  /// So many octets of options, at most, are looked through for the length behind them.
  private static var longestOptions: Int { 1024 }

  /// How far a packet's block reaches whose length does not count the padding before the other length, if that says the
  /// same, as far as it is there.
  private static func roundedLength(_ total: UInt32, _ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) -> Int?
  {
    guard total > emptyLength, total < BlockWindow.longestPacketBlock, total & 3 != 0 else { return nil }
    let length = Int((total + 3) & ~3)
    let again = OctetWindow(octets, at: index + length - 4, count: 4)?.uint32(at: 0, order)
    return again == nil || again == total ? length : nil
  }
}
