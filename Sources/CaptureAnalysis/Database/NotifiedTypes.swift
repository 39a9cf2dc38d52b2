import GATTKit

/// The types of the attributes whose values came last, as the databases tell them: sensors notify the same few
/// attributes over and over, and looking up their types would take longer than all else there is to do.
struct NotifiedTypes {
  /// By the lowest bits of the handle; empty until a value comes.
  private var entries: ContiguousArray<Entry> = []

  private struct Entry {
    /// What the databases were like when the type was looked up; none has the number 0.
    var edition = 0
    var handle: UInt16 = 0
    var place: DatabaseShelf.Place?
    var type: BluetoothUUID?

    func isAbout(_ handle: UInt16, _ place: DatabaseShelf.Place, _ databases: DatabaseShelf) -> Bool {
      self.handle == handle && edition == databases.edition && self.place == place
    }
  }

  /// The type of an attribute in the database at a place.
  mutating func type(of handle: UInt16, in place: DatabaseShelf.Place, _ databases: DatabaseShelf) -> BluetoothUUID? {
    let slot = Int(handle & 7)
    if slot < entries.count, entries[slot].isAbout(handle, place, databases) { return entries[slot].type }
    return lookUp(handle, slot, place, databases)
  }

  @inline(never)
  private mutating func lookUp(
    _ handle: UInt16, _ slot: Int, _ place: DatabaseShelf.Place, _ databases: DatabaseShelf
  ) -> BluetoothUUID? {
    if entries.isEmpty { entries = ContiguousArray(repeating: Entry(), count: 8) }
    let type = databases[place].type(of: handle)
    entries[slot] = Entry(edition: databases.edition, handle: handle, place: place, type: type)
    return type
  }
}
