import BluetoothHost
import GATTKit

// Several databases that were imported for one and the same device, of one time and another.

extension CaptureKnowledge {
  /// Whether several databases are of a device.
  func hasRivals(for address: DeviceAddress?) -> Bool {
    guard databases.count > 1, let known = database(of: address, under: address), let own = known.address else {
      return false
    }
    return databases.lazy.filter { $0.address == own }.dropFirst().first != nil
  }

  /// For devices from which nothing came where the first database that was imported for them has the measurement: another
  /// one, by which it came.
  func rivalDatabases(_ conclusions: Conclusions) -> [DeviceAddress: PeerDatabase] {
    var rivals: [DeviceAddress: PeerDatabase] = [:]
    for peer in conclusions.rivalled where peer.server == .peer {
      guard let address = peer.peer?.address, let known = database(of: address, under: address),
        known.origin == .imported, let own = known.address, !peer.hasMeasured(by: known)
      else { continue }
      let rival = databases.first { $0.address == own && peer.hasMeasured(by: $0) }
      if rivals[own] == nil, let rival { rivals[own] = rival }
    }
    return rivals
  }
}

extension UnknownNotifications {
  /// Whether anything came from where a database has the measurement.
  fileprivate func hasMeasured(by known: CaptureKnowledge.PeerDatabase) -> Bool {
    notified.contains { known.database.type(of: $0) == .heartRateMeasurement }
  }
}
