// Which adapter an interface is.

extension PCAPNG {
  /// What an interface is called, by `if_name`.
  typealias InterfaceName = ContiguousArray<UInt8>

  /// The numbers of adapters, given to the interfaces of HCI as they are described.
  ///
  /// Where an interface is an adapter, its number is the one in its name, as in bluetooth1, or else its place among the
  /// section's; another one where that is taken. Where it tells the adapters of its packets, two interfaces are two
  /// computers, or two looks at one: their adapters are kept apart by the interface's place, in the upper octet.
  struct AdapterNumbers {
    /// Whose each number is, throughout the file: what has a name keeps its number from section to section. Nil where it is
    /// nobody's.
    private var owners: [Owner?] = []
    /// How many interfaces of HCI this section has so far.
    private var count = 0
    /// Which numbers they have.
    private var taken: Set<UInt16> = []
    /// The upper octet of the first of them that tells the adapters of its packets; nil if none does.
    private var monitor: UInt16?

    /// Whose a number is.
    private enum Owner: Equatable {
      /// That of interfaces without a name, each in a section of its own.
      case nameless
      /// That of all interfaces of a name.
      case named(InterfaceName)

      init(_ name: InterfaceName?) {
        self = name.map(Owner.named) ?? .nameless
      }
    }

    /// Another section begins, in which interfaces are described anew.
    mutating func beginSection() {
      (count, taken, monitor) = (0, [], nil)
    }

    /// The number of an interface, or what those of its packets' adapters have in common.
    /// - Parameters:
    ///   - name: nil if it has none.
    ///   - isLate: Whether it is described only behind packets: then it is the first one, described anew.
    mutating func number(of linkType: LinkType, named name: InterfaceName?, isLate: Bool) -> UInt16 {
      if linkType.tellsAdapter, isLate, let monitor { return monitor }
      // No computer has as many.
      let place = min(count, 255)
      count += 1
      if linkType.tellsAdapter, monitor == nil { monitor = UInt16(place) << 8 }
      if monitor != nil { return UInt16(place) << 8 }
      let number = UInt16(self.number(at: place, named: name))
      taken.insert(number)
      return number
    }

    private mutating func number(at place: Int, named name: InterfaceName?) -> Int {
      if let name, let known = owners.firstIndex(of: .named(name)) { return known }
      let number = name.flatMap(Self.number) ?? place
      while owners.count <= number { owners.append(nil) }
      if isFree(number, at: place, named: name) {
        if owners[number] == nil || name != nil { owners[number] = Owner(name) }
        return number
      }
      if let other = owners.firstIndex(of: nil) {
        owners[other] = Owner(name)
        return other
      }
      if owners.count < 256 { owners.append(Owner(name)) }
      return owners.count - 1
    }

    private func isFree(_ number: Int, at place: Int, named name: InterfaceName?) -> Bool {
      // Without a name, it is any adapter that no other interface of the section is.
      if name == nil { return !taken.contains(UInt16(number)) }
      // What has no name in one section may have one in another, where it stands at the same place.
      return owners[number] == nil || owners[number] == .nameless && number == place
    }

    /// What Linux and libpcap call adapters: "bluetooth" and the number; nil for any other name.
    private static func number(in name: InterfaceName) -> Int? {
      guard name.starts(with: "bluetooth".utf8) else { return nil }
      return UInt8(String(decoding: name.dropFirst("bluetooth".utf8.count), as: UTF8.self)).map(Int.init)
    }
  }
}
