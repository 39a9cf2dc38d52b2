import GATTKit

/// The types of the attributes whose values came last, as the databases tell them: sensors notify the same few
/// attributes over and over, and looking up their types would take longer than all else there is to do.
struct NotifiedTypes {
  /// By the lowest bits of the handle, or, where that place is taken, beside it; empty until a value comes.
  private var entries: ContiguousArray<Entry> = []

  /// What is known of an attribute.
  struct Attribute {
    /// Its type; nil if it is not known.
    var type: BluetoothUUID?
    /// Whether its values may turn out to be heart rate measurements.
    var isCandidate = false
    /// Whether its server has nothing there that notifies, as far as was told.
    var isDenied = false
  }

  private struct Entry {
    /// What the databases were like when the type was looked up; none has the number 0.
    var edition = 0
    var handle: UInt16 = 0
    var place: DatabaseShelf.Place?
    var attribute = Attribute()

    func isAbout(_ handle: UInt16, _ place: DatabaseShelf.Place, _ edition: Int) -> Bool {
      self.handle == handle && self.edition == edition && self.place == place
    }
  }

  /// What was found of an attribute in the database at a place, if the databases are still what they were.
  @inline(__always)
  func attribute(_ handle: UInt16, in place: DatabaseShelf.Place, edition: Int) -> Attribute? {
    let slot = Self.slot(handle)
    guard slot < entries.count else { return nil }
    if entries[slot].isAbout(handle, place, edition) { return entries[slot].attribute }
    return entries[Self.beside(slot)].isAbout(handle, place, edition) ? entries[Self.beside(slot)].attribute : nil
  }

  private static func slot(_ handle: UInt16) -> Int { Int(handle & 7) }
  private static func beside(_ slot: Int) -> Int { slot ^ 1 }

  /// Something was inferred, mistold, changed or missed: what was looked up before does not hold any more.
  mutating func forget() { entries = [] }

  /// The values of an attribute are none that are looked for.
  mutating func dismiss(_ handle: UInt16) {
    for slot in [Self.slot(handle), Self.beside(Self.slot(handle))] where slot < entries.count {
      if entries[slot].handle == handle { entries[slot].attribute.isCandidate = false }
    }
  }

  /// Keeps what is known of an attribute.
  mutating func keep(_ attribute: Attribute, of handle: UInt16, in place: DatabaseShelf.Place, edition: Int) {
    if entries.isEmpty { entries = ContiguousArray(repeating: Entry(), count: 8) }
    let own = Self.slot(handle)
    let isTaken = entries[own].edition == edition && entries[own].handle != handle
    let slot = isTaken && entries[Self.beside(own)].edition != edition ? Self.beside(own) : own
    entries[slot] = Entry(edition: edition, handle: handle, place: place, attribute: attribute)
  }
}
