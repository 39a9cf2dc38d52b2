import BluetoothHost
public import CaptureAnalysis
import GATTKit

/// Databases that were written down elsewhere, for captures that hold no discovery: what `gatt --format json` writes, and
/// what BlueZ keeps of every device it knows.
public enum GATTMap {
  /// Reads the databases in a file.
  /// - Parameters:
  ///   - name: The file's name: BlueZ calls its files by the device's address.
  ///   - tell: Takes a sentence about what had to be left out.
  /// - Throws: `ImportError` if the file is neither, or holds no database.
  public static func databases(
    in octets: ContiguousArray<UInt8>, name: String, tell: (String) -> Void = { _ in }
  ) throws(ImportError) -> [CaptureKnowledge.PeerDatabase] {
    let first = octets.first { $0 > 0x20 }
    let databases =
      first == UInt8(ascii: "{")
      ? try GATTMapJSON.databases(in: octets)
      : try BlueZCache.databases(in: octets, address: DeviceAddress(text: name, .random), tell: tell)
    guard !databases.isEmpty else { throw ImportError("it holds no GATT database of a peer") }
    return databases
  }
}

extension DeviceAddress {
  /// Reads an address as people write it: "E0:9E:1A:2C:5A:11", in either case.
  init?(text: String, _ kind: Kind) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var number: UInt64 = 0
    for part in parts {
      guard part.utf8.count == 2, let octet = UInt8(part, radix: 16) else { return nil }
      number = number << 8 | UInt64(octet)
    }
    self.init(number, kind)
  }
}
