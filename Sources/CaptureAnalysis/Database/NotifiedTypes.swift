import GATTKit

/// The types of the attributes whose values came last, as the databases tell them: sensors notify the same few
/// attributes over and over, and looking up their types would take longer than all else there is to do.
struct NotifiedTypes {
  /// By the lowest bits of the handle; empty until a value comes.
  private var entries: ContiguousArray<Entry> = []

  /// What is known of an attribute.
  struct Attribute {
    /// Its type; nil if it is not known.
    var type: BluetoothUUID?
    /// Whether its values may turn out to be heart rate measurements.
    var isCandidate = false
  }

  private struct Entry {
    /// What the databases were like when the type was looked up; none has the number 0.
    var edition = 0
    var handle: UInt16 = 0
    var place: DatabaseShelf.Place?
    var attribute = Attribute()

    func isAbout(_ handle: UInt16, _ place: DatabaseShelf.Place, _ databases: DatabaseShelf) -> Bool {
      self.handle == handle && edition == databases.edition && self.place == place
    }
  }

  /// What is known of an attribute in the database at a place.
  /// - Parameter inferred: Whether it was inferred to be a heart rate measurement.
  @inline(__always)
  mutating func attribute(
    _ handle: UInt16, in place: DatabaseShelf.Place, _ databases: DatabaseShelf, inferred: (UInt16) -> Bool
  ) -> Attribute {
    let slot = Int(handle & 7)
    if slot < entries.count, entries[slot].isAbout(handle, place, databases) { return entries[slot].attribute }
    return lookUp(handle, slot, place, databases, isInferred: inferred(handle))
  }

  /// Something was inferred: what was looked up before does not hold any more.
  mutating func forget() { entries = [] }

  /// The values of an attribute are none that are looked for.
  mutating func dismiss(_ handle: UInt16) {
    let slot = Int(handle & 7)
    if slot < entries.count, entries[slot].handle == handle { entries[slot].attribute.isCandidate = false }
  }

  @inline(never)
  private mutating func lookUp(
    _ handle: UInt16, _ slot: Int, _ place: DatabaseShelf.Place, _ databases: DatabaseShelf, isInferred: Bool
  ) -> Attribute {
    if entries.isEmpty { entries = ContiguousArray(repeating: Entry(), count: 8) }
    var attribute = Attribute(type: databases[place].type(of: handle))
    if attribute.type == nil {
      if isInferred {
        attribute.type = .heartRateMeasurement
      } else {
        attribute.isCandidate = databases[place].mayHoldMeasurement(handle)
      }
    }
    entries[slot] = Entry(edition: databases.edition, handle: handle, place: place, attribute: attribute)
    return attribute
  }
}

extension GATTDatabase {
  /// Whether an attribute of unknown type may be a heart rate measurement, as far as the rest of the database tells: not
  /// where another is one, nor in a service of another type.
  fileprivate func mayHoldMeasurement(_ handle: UInt16) -> Bool {
    if holdsCharacteristic(.heartRateMeasurement) { return false }
    return serviceType(at: handle).map { $0 == .heartRateService } ?? true
  }
}
