public import GATTKit

/// Where a device was said to be worn: each heart rate service has a location of its own.
struct LocationsRead: Sendable {
  /// In the order in which they were asked first, those of earlier connections behind.
  private var all: [LocationRead] = []
  /// How many are of this connection.
  private var current = 0

  /// No server has as many.
  private static let most = 8

  /// The one that was asked first.
  var first: LocationRead? { all.first }

  /// Where they were read.
  var handles: [UInt16] { all.map(\.handle) }

  /// A location was read.
  mutating func note(_ location: LocationRead) {
    if let known = all.firstIndex(where: { $0.handle == location.handle }) {
      if known < current { return all[known] = location }
      all.remove(at: known)
    } else if all.count == Self.most {
      all.removeLast()
    }
    current = min(current, all.count)
    all.insert(location, at: current)
    current += 1
  }

  /// They were told on an earlier connection.
  mutating func becomeEarlier() { current = 0 }

  /// The one that tells of a service.
  /// - Parameters:
  ///   - handle: Where that service has its location; nil if it is not known to have any.
  ///   - database: The table: what was read where there is another service's location now is that one's.
  func location(at handle: UInt16?, in database: GATTDatabase?) -> LocationRead? {
    all.first { $0.handle == handle } ?? all.first { database?.type(of: $0.handle) != .bodySensorLocation }
  }
}

/// A location as it was read.
public struct LocationRead: Sendable {
  /// Where the sensor is worn.
  public let location: BodySensorLocation
  /// The record that told it.
  public let moment: Moment
  /// Where it was read.
  let handle: UInt16
}
