import Octets

// What is common to all blocks of pcapng: a type, and the length on both sides.

extension PCAPNG {
  /// What kind of block it is.
  enum BlockType {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let oldPacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let statistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
    static func isPacket(_ type: UInt32) -> Bool {
      type == enhancedPacket || type == simplePacket || type == oldPacket
    }

    /// Whether a block is a frame to Wireshark. Those that hold no packet are: systemd's journal, sysdig's events, Custom
    /// Blocks that may be copied and those that may not.
    static func isRecord(_ type: UInt32) -> Bool {
      switch type {
      case enhancedPacket, simplePacket, oldPacket, 9, 0x204, 0x216, 0x221: true
      default: isCustom(type)
      }
    }

    static func isCustom(_ type: UInt32) -> Bool { type == 0xBAD || type == 0x4000_0BAD }

    /// Those that chance does not make: the standard's own, and Custom Blocks.
    static func isKnown(_ type: UInt32) -> Bool { (1...10).contains(type) || isCustom(type) }

    /// Types that every writer may use as it likes, as Apple's tcpdump does.
    static func isLocal(_ type: UInt32) -> Bool { type & 0x8000_0000 != 0 }
  }

  /// The octet order of the section whose header is at an index, if one is.
  static func sectionOrder(_ octets: Span<UInt8>, at index: Int = 0) -> OctetOrder? {
    guard let header = OctetWindow(octets, at: index, count: 12), header.uint32(at: 0) == BlockType.section else {
      return nil
    }
    switch header.uint32(at: 8) {
    case 0x1A2B_3C4D: return .little
    case 0x4D3C_2B1A: return .big
    default: return nil
    }
  }

  /// What frames a block, or what seems to be one.
  struct Frame {
    private let type: UInt32
    private let total: UInt32
    /// The length behind the block; nil if the octets end before it.
    private let again: UInt32?

    /// The longest block of which at least the front is read. What claims to be longer is damaged.
    private static var longestBlock: UInt32 { 1 << 28 }
    /// The shortest block, which holds nothing.
    static var emptyLength: Int { 12 }

    /// - Parameter order: The octet order of the section at hand; what begins another tells its own.
    /// - Returns: nil if there are fewer octets than the shortest block has.
    @inline(__always)
    init?(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) {
      guard let header = OctetWindow(octets, at: index, count: Self.emptyLength) else { return nil }
      let order = sectionOrder(octets, at: index) ?? order
      type = header.uint32(at: 0, order)
      total = header.uint32(at: 4, order)
      let isThere = total >= Self.emptyLength && Int(total) <= octets.count &- index
      again = isThere ? OctetWindow(octets, at: index &+ Int(total) &- 4, count: 4)?.uint32(at: 0, order) : nil
    }

    var length: Int { Int(total) }

    /// Whether it is longer than any block with a packet.
    var isLong: Bool { total > BlockWindow.longestPacketBlock }

    /// Whether it may be the frame of a block.
    @inline(__always) var isSound: Bool { hasSoundLength && isClosed && hasSoundType }

    /// Whether it is one of the standard's own kinds, or a section's header.
    var hasKnownType: Bool { BlockType.isKnown(type) || type == BlockType.section }

    @inline(__always) private var hasSoundLength: Bool {
      total >= Self.emptyLength && total & 3 == 0 && total <= Self.longestBlock
    }

    @inline(__always) private var isClosed: Bool { again == nil || again == total }

    @inline(__always) private var hasSoundType: Bool {
      !isLong || type < 0x10000 || BlockType.isLocal(type) || BlockType.isCustom(type)
    }

    /// What is wrong with it.
    @inline(never)
    func damage(at index: Int) -> ParsingError {
      let (field, what, place) =
        if !hasSoundLength {
          ("Total length", total.octetWords, 4)
        } else if let again, !isClosed {
          ("Total length", "\(total) before the block, \(again) after it", length - 4)
        } else {
          ("Block type", "\(type)", 0)
        }
      return ParsingError(layer: "pcapng", field: field, problem: .invalid(what), offset: index + place)
    }
  }
}
