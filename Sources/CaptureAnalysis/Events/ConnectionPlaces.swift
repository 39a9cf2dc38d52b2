/// Where what is kept of each connection stands in a list, by the connection's number: asked for with every measurement.
struct ConnectionPlaces {
  private var entries: ContiguousArray<Int32> = []

  /// What stands for a connection of which nothing is kept.
  private static var none: Int32 { -1 }
  /// What stands for one of which nothing was ever kept, since there was no room.
  private static var passedOver: Int32 { -2 }

  /// A connection's place; nil if nothing is kept of it.
  subscript(connection: Int) -> Int? {
    @inline(__always)
    get {
      guard connection > 0, connection <= entries.count else { return nil }
      let place = entries[connection &- 1]
      return place < 0 ? nil : Int(place)
    }
    set { set(newValue.map { Int32($0) } ?? Self.none, connection) }
  }

  /// There is no room for a connection.
  mutating func passOver(_ connection: Int) { set(Self.passedOver, connection) }

  /// Whether there was no room for a connection.
  func isPassedOver(_ connection: Int) -> Bool {
    connection > 0 && connection <= entries.count && entries[connection - 1] == Self.passedOver
  }

  private mutating func set(_ entry: Int32, _ connection: Int) {
    while entries.count < connection { entries.append(Self.none) }
    entries[connection - 1] = entry
  }
}
