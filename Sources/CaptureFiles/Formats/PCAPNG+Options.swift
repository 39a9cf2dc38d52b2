import Octets

// What blocks say of interfaces, and the options behind them.

extension PCAPNG {
  /// What an Interface Description Block says: link type, snapshot length, clock.
  struct Interface {
    var linkType = LinkType.unknown
    /// Which adapter it is; where its link type tells that of each packet, what all have in common.
    var adapter: UInt16 = 0
    /// In octets: packets are cut to so many; 0 if they are not.
    var snapshotLength = 0
    /// `if_tsresol`: the exponent of a negative power of 10, or of 2 where the top bit is set.
    var resolution: UInt8 = 6
    /// `if_tsoffset`, in seconds.
    var offset: Int64 = 0
    /// Whether it has a name, as interfaces have that were captured together: others are of files that were merged.
    var hasName = false
    /// How many packets were dropped on it, as far as that was told.
    var drops: UInt64 = 0

    /// Whether packets of an adapter may come on it.
    func holds(_ adapter: UInt16) -> Bool {
      self.adapter == adapter || linkType.tellsAdapter && self.adapter >> 8 == adapter >> 8
    }

    /// Whether the packets of another are read as those of this one.
    func isLike(_ other: Interface) -> Bool {
      linkType == other.linkType && adapter == other.adapter && resolution == other.resolution && offset == other.offset
    }

    /// - Parameter name: Becomes `if_name`, if there is one.
    init(_ body: inout OctetReader, _ order: OctetOrder, name: inout InterfaceName?) {
      guard let number = try? body.uint16("Link type", order), (try? body.skip(2, "Reserved")) != nil,
        let snapshotLength = try? body.uint32("Snapshot length", order)
      else { return }
      linkType = LinkType(number: UInt32(number))
      self.snapshotLength = Int(snapshotLength)
      PCAPNG.forEachOption(&body, order) { code, value in
        var value = OctetReader(value, layer: "pcapng")
        switch code {
        case 2: name = value.count == 0 ? nil : InterfaceName(value.prefix(64))
        case 9: resolution = (try? value.uint8("if_tsresol")) ?? resolution
        case 14: offset = (try? value.integer(Int64.self, "if_tsoffset", order)) ?? offset
        default: break
        }
      }
    }

    /// A time stamp of this interface; unknown where it lies behind all that can be counted.
    func time(_ stamp: UInt64) -> Timestamp {
      guard let microseconds = Int64(exactly: resolution == 6 ? stamp : Self.microseconds(stamp, resolution)) else {
        return .unknown
      }
      let (offset, overflow) = offset.multipliedReportingOverflow(by: 1_000_000)
      return Timestamp(microseconds: microseconds).advanced(byMicroseconds: overflow ? 0 : offset)
    }

    private static func microseconds(_ stamp: UInt64, _ resolution: UInt8) -> UInt64 {
      let exponent = resolution & 0x7F
      let isDecimal = resolution & 0x80 == 0
      // Smaller fractions of a second than a stamp has room for come to nothing.
      guard exponent <= (isDecimal ? 19 : 63) else { return 0 }
      let (high, low) = stamp.multipliedFullWidth(by: 1_000_000)
      let divisor: UInt64 =
        isDecimal ? (0..<exponent).reduce(1) { power, _ in power * 10 } : 1 << UInt64(exponent)
      return high < divisor ? divisor.dividingFullWidth((high, low)).quotient : .max
    }
  }

  /// The options behind a packet that matter here: `epb_flags` (direction in bits 0 and 1) and `epb_dropcount`.
  struct PacketOptions {
    var direction: Direction?
    var drops: UInt64 = 0

    init() {}

    init(_ body: inout OctetReader, _ order: OctetOrder) {
      PCAPNG.forEachOption(&body, order) { code, value in
        var value = OctetReader(value, layer: "pcapng")
        switch code {
        case 2:
          let flags = (try? value.uint32("epb_flags", order)) ?? 0
          direction = flags & 3 == 1 ? .received : flags & 3 == 2 ? .sent : nil
        case 4:
          drops = (try? value.uint64("epb_dropcount", order)) ?? 0
        default: break
        }
      }
    }
  }

  /// How many packets an interface has dropped since the beginning, by its statistics: `isb_ifdrop`, and `isb_osdrop`, of
  /// which the system had no room for.
  static func drops(_ options: inout OctetReader, _ order: OctetOrder) -> UInt64 {
    var drops: UInt64 = 0
    forEachOption(&options, order) { code, value in
      guard code == 5 || code == 7 else { return }
      var value = OctetReader(value, layer: "pcapng")
      drops = drops.withDrops((try? value.uint64("Drops", order)) ?? 0)
    }
    return drops
  }

  /// Options: code, length, value padded to 4; code 0 ends them.
  @_lifetime(body: copy body)
  static func forEachOption(
    _ body: inout OctetReader, _ order: OctetOrder, _ apply: (UInt16, Span<UInt8>) -> Void
  ) {
    while let code = try? body.uint16("Option code", order), code != 0,
      let length = try? body.uint16("Option length", order),
      let value = try? body.octets(Int(length), "Option value")
    {
      apply(code, value)
      body.skip(upTo: (4 - Int(length) % 4) % 4)
    }
  }
}
