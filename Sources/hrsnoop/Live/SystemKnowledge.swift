import BluetoothHost
import CaptureAnalysis
import CaptureReports
import CaptureSources
import LiveCapture
import Octets

/// What this computer knows of its devices before anything is captured.
struct SystemKnowledge {
  /// The connections that there are.
  let connections: [KnownConnection]
  /// The GATT databases that BlueZ keeps.
  let databases: [CaptureKnowledge.PeerDatabase]

  private static let cache = "/var/lib/bluetooth"
  private static let longestFile = 1 << 20
  private static let mostFiles = 1000

  /// Asks the kernel, and looks into BlueZ's cache as far as this user may.
  /// - Parameter interface: bluetooth-monitor or an adapter, of which alone is asked.
  init(of interface: String, cache: String = Self.cache) {
    // Captured by itself, an adapter has no number.
    let only = UInt16(interface.dropFirst("bluetooth".count))
    connections = SystemConnection.all().filter { only == nil || $0.adapter == only }.map { connection in
      KnownConnection(
        adapter: only == nil ? connection.adapter : 0, handle: connection.handle,
        peer: DeviceAddress(connection.address, connection.likelyKind), isLowEnergy: connection.isLowEnergy,
        role: connection.isCentral ? .central : .peripheral)
    }
    let files = (try? InputPaths.contents(of: FilePath(cache)))?.files ?? []
    databases = files.filter { "\($0)".split(separator: "/").dropLast().last == "cache" }.prefix(Self.mostFiles)
      .flatMap { path -> [CaptureKnowledge.PeerDatabase] in
        guard let octets = try? FileSource.all(of: path, limit: Self.longestFile) else { return [] }
        // Without a device's address for a name, it might be taken for any device.
        return ((try? GATTMap.databases(in: octets, name: "\(path.name)")) ?? []).filter { $0.address != nil }
      }
  }

  /// Adds it to what else is known, which counts more.
  func add(to knowledge: inout CaptureKnowledge) {
    knowledge.connections = connections
    knowledge.databases += databases
  }

  /// What it comes to, in a sentence; nil if nothing is known.
  var sentence: String? {
    var parts: [String] = []
    if !connections.isEmpty {
      let peers = connections.prefix(4).map { "\($0.peer)" } + (connections.count > 4 ? ["…"] : [])
      parts.append(
        "\(connections.count.words("connection")) \(connections.count == 1 ? "is" : "are") there already "
          + "(\(peers.joined(separator: ", ")))")
    }
    if !databases.isEmpty {
      parts.append(
        "BlueZ knows the GATT database\(databases.count == 1 ? " of 1 device" : "s of \(databases.count) devices")")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension SystemConnection {
  /// What kind of address the peer's may be, since the kernel does not say: those whose two highest bits are set are
  /// static random ones more often than a manufacturer's.
  fileprivate var likelyKind: DeviceAddress.Kind { isLowEnergy && address >> 46 == 0b11 ? .random : .public }
}
