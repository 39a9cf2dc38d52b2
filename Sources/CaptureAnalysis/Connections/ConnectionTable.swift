/// Finds the link of an adapter and a connection handle: a small open-addressing table, since it is asked for every
/// packet.
struct ConnectionTable {
  private var keys: [UInt32]
  private var places: [Int32]
  private var mask: Int
  private var count = 0

  /// No capture has as many; a file that does is made to exhaust memory.
  static let capacityLimit = 1 << 16

  init() {
    keys = Array(repeating: .max, count: 64)
    places = Array(repeating: -1, count: 64)
    mask = 63
  }

  private static func key(_ adapter: UInt16, _ handle: UInt16) -> UInt32 {
    UInt32(adapter) << 16 | UInt32(handle)
  }

  private func slot(_ key: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 16) & mask
    while places[slot] >= 0, keys[slot] != key { slot = (slot &+ 1) & mask }
    return slot
  }

  /// The place of a link, if there is one.
  func place(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    let place = places[slot(Self.key(adapter, handle))]
    return place < 0 ? nil : Int(place)
  }

  /// Puts a link at a place.
  /// - Returns: Whether there was room.
  mutating func insert(_ adapter: UInt16, _ handle: UInt16, place: Int) -> Bool {
    guard count < Self.capacityLimit else { return false }
    if count * 2 > mask { grow() }
    let slot = slot(Self.key(adapter, handle))
    keys[slot] = Self.key(adapter, handle)
    places[slot] = Int32(truncatingIfNeeded: place)
    count += 1
    return true
  }

  private mutating func grow() {
    let old = (keys, places)
    mask = keys.count * 4 - 1
    keys = Array(repeating: .max, count: mask + 1)
    places = Array(repeating: -1, count: mask + 1)
    for index in old.0.indices where old.1[index] >= 0 {
      let slot = slot(old.0[index])
      keys[slot] = old.0[index]
      places[slot] = old.1[index]
    }
  }
}
