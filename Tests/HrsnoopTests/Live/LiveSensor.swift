import Foundation
import TestSupport

/// A sensor that is discovered, subscribed to, and notifies; on the Linux HCI monitor.
struct Sensor {
  var host = HostSide()
  private var told = 0

  init() {
    host.subscribe()
  }

  /// Some seconds of measurements.
  mutating func measure(_ count: Int, from bpm: UInt8 = 70) {
    for beat in 0..<count {
      host.wait(milliseconds: 990)
      host.notified([0x16, bpm + UInt8(beat % 5), UInt8(0x40 + beat % 7), 0x03])
    }
  }

  /// The octets of what has happened since the last call, without a header.
  mutating func news() -> [UInt8] {
    defer { told = host.packets.count }
    return host.packets[told...].flatMap { Container.btsnoopMonitor.record($0) }
  }

  static let header = Container.btsnoopMonitor.header
}

extension String {
  func count(of word: String) -> Int { components(separatedBy: word).count - 1 }
}
