import BluetoothHost
import CaptureAnalysis
import GATTKit

/// What BlueZ keeps of a device's database, in `/var/lib/bluetooth/ADAPTER/cache/DEVICE`: a line for each attribute, and
/// what the device is called.
///
///     [General]
///     Name=Polar H7 2C5A1D17
///
///     [Attributes]
///     0001=2800:0005:00001800-0000-1000-8000-00805f9b34fb          service: end, type
///     0002=2803:0003:02:00002a00-0000-1000-8000-00805f9b34fb       characteristic: value handle, properties, type
///     0011=00002902-0000-1000-8000-00805f9b34fb                    descriptor: type
///
/// BlueZ, src/settings.c.
enum BlueZCache {
  /// - Parameter tell: Takes a sentence about lines that no database can be made of.
  static func databases(
    in octets: ContiguousArray<UInt8>, address: DeviceAddress?, tell: (String) -> Void
  ) throws(ImportError) -> [CaptureKnowledge.PeerDatabase] {
    var database = GATTDatabase()
    var name: String?
    var section = ""
    var broken: [String] = []
    for line in octets.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("[") {
        section = text
      } else if section == "[Attributes]" {
        if text.allSatisfy(\.isWhitespace) || text.hasPrefix("#") { continue }
        if Attribute(text)?.insert(into: &database) != true { broken.append(text) }
      } else if section == "[General]", text.hasPrefix("Name=") {
        name = String(text.dropFirst("Name=".count))
      }
    }
    guard !database.isEmpty else {
      throw ImportError("it is neither what `hrsnoop gatt --format json` writes nor a device's file in BlueZ's cache")
    }
    if let first = broken.first {
      let line = "'\(AirText.shown(first, limit: 60))'"
      tell(
        broken.count == 1
          ? "a line is no attribute as BlueZ writes them, and is left out: \(line)"
          : "\(broken.count) lines are no attributes as BlueZ writes them, and are left out; the first is \(line)")
    }
    return [CaptureKnowledge.PeerDatabase(address: address, name: name, database: database, origin: .imported)]
  }

  private struct Attribute {
    let handle: UInt16
    let parts: [Substring]

    init?(_ line: String) {
      let halves = line.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, let handle = UInt16(halves[0], radix: 16), handle > 0 else { return nil }
      self.handle = handle
      parts = halves[1].split(separator: ":")
    }

    /// - Returns: Whether it tells an attribute.
    func insert(into database: inout GATTDatabase) -> Bool {
      guard let last = parts.last, let type = BluetoothUUID(String(last)) else { return false }
      switch parts.first {
      case "2800", "2801":
        guard parts.count == 3, let end = UInt16(parts[1], radix: 16), end >= handle else { return false }
        database.insertService(handle...end, uuid: type, isPrimary: parts[0] == "2800") { _ in true }
      case "2802":
        guard parts.count == 4, let start = UInt16(parts[1], radix: 16), let end = UInt16(parts[2], radix: 16),
          start <= end
        else { return false }
        database.insertInclude(GATTInclude(handle: handle, service: start...end, uuid: type))
      case "2803":
        guard parts.count >= 4, let value = UInt16(parts[1], radix: 16), value > 0,
          let properties = UInt8(parts[2], radix: 16)
        else { return false }
        database.insertCharacteristic(
          declaration: handle, valueHandle: value, properties: CharacteristicProperties(rawValue: properties),
          uuid: type)
      default:
        database.insertAttribute(handle, uuid: type)
      }
      return true
    }
  }
}
