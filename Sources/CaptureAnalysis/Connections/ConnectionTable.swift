/// Finds the link of an adapter and a connection handle: a small open-addressing table, since it is asked for every
/// packet.
struct ConnectionTable {
  private var entries: ContiguousArray<Entry>
  private var count = 0

  private struct Entry {
    var key: UInt32 = 0
    /// Where the link stands; negative if the entry is free.
    var place: Int32 = -1
  }

  init() {
    entries = ContiguousArray(repeating: Entry(), count: 64)
  }

  private static func key(_ adapter: UInt16, _ handle: UInt16) -> UInt32 {
    UInt32(adapter) << 16 | UInt32(handle)
  }

  /// The entry of a key: its own, or the free one that it would take.
  @inline(__always)
  private func slot(_ key: UInt32) -> Int {
    // Handles are small numbers in a row, and adapters too.
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: key ^ key >> 13) & mask
    while entries[slot].place >= 0, entries[slot].key != key { slot = (slot &+ 1) & mask }
    return slot
  }

  /// The place of a link, if there is one.
  @inline(__always)
  func place(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    let place = entries[slot(Self.key(adapter, handle))].place
    return place < 0 ? nil : Int(place)
  }

  /// Puts a link at a place.
  mutating func insert(_ adapter: UInt16, _ handle: UInt16, place: Int) {
    if (count + 1) * 2 > entries.count { grow() }
    let key = Self.key(adapter, handle)
    entries[slot(key)] = Entry(key: key, place: Int32(truncatingIfNeeded: place))
    count += 1
  }

  private mutating func grow() {
    let old = entries
    entries = ContiguousArray(repeating: Entry(), count: old.count * 4)
    for entry in old where entry.place >= 0 { entries[slot(entry.key)] = entry }
  }
}
