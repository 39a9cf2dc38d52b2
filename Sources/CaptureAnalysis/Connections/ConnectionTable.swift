/// Finds the link of an adapter and a connection handle: a small open-addressing table, since it is asked for every
/// packet.
///
/// Links are awake or asleep: whoever looks for one that is awake finds it at once. So what all of them have to learn need
/// only be told to those that were looked for since the last time.
struct ConnectionTable {
  private var entries: ContiguousArray<Entry>
  private var count = 0
  /// The keys of the links that are awake.
  private var awake: ContiguousArray<UInt32> = []

  private struct Entry {
    /// Of a link that is asleep, another one than anybody looks for.
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

  /// What is added to the key of a link that is asleep: handles have 12 bits.
  private static var asleep: UInt32 { 0x8000 }

  /// The entry of a key: its own, or the free one that it would take.
  /// - Parameter home: The key that it has when awake.
  @inline(__always)
  private func slot(_ key: UInt32, at home: UInt32) -> Int {
    // Handles are small numbers in a row, and adapters too.
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: home ^ home >> 13) & mask
    while entries[slot].place >= 0, entries[slot].key != key { slot = (slot &+ 1) & mask }
    return slot
  }

  /// The place of a link, if there is one that is awake.
  @inline(__always)
  func awake(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    let key = Self.key(adapter, handle)
    let place = entries[slot(key, at: key)].place
    return place < 0 ? nil : Int(place)
  }

  /// The place of a link, if there is one.
  func place(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    if let place = awake(adapter, handle) { return place }
    let key = Self.key(adapter, handle)
    let place = entries[slot(key | Self.asleep, at: key)].place
    return place < 0 ? nil : Int(place)
  }

  /// Wakes a link that is asleep, if there is one.
  /// - Returns: Its place.
  mutating func wake(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    let key = Self.key(adapter, handle)
    let slot = slot(key | Self.asleep, at: key)
    guard entries[slot].place >= 0 else { return nil }
    entries[slot].key = key
    awake.append(key)
    return Int(entries[slot].place)
  }

  /// Sends all links to sleep.
  /// - Returns: The places of those that were awake.
  mutating func sleep() -> [Int] {
    defer { awake.removeAll(keepingCapacity: true) }
    return awake.map { key in
      let slot = slot(key, at: key)
      entries[slot].key = key | Self.asleep
      return Int(entries[slot].place)
    }
  }

  /// Puts a link at a place, where its handle had none; it is awake.
  mutating func insert(_ adapter: UInt16, _ handle: UInt16, place: Int) {
    if (count + 1) * 2 > entries.count { grow() }
    let key = Self.key(adapter, handle)
    entries[slot(key, at: key)] = Entry(key: key, place: Int32(truncatingIfNeeded: place))
    awake.append(key)
    count += 1
  }

  private mutating func grow() {
    let old = entries
    entries = ContiguousArray(repeating: Entry(), count: old.count * 4)
    for entry in old where entry.place >= 0 { entries[slot(entry.key, at: entry.key & ~Self.asleep)] = entry }
  }
}
