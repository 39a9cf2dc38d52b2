public import BluetoothHost
import CaptureFiles
import GATTKit

/// A connection that was there before a capture began.
public struct KnownConnection: Hashable, Sendable {
  /// The adapter.
  public let adapter: UInt16
  /// The connection handle.
  public let handle: UInt16
  /// The peer.
  public let peer: DeviceAddress
  /// The peer's name, as it came: it may hold anything.
  public let name: String?
  /// Whether it is a Low Energy connection; nil if unknown.
  public let isLowEnergy: Bool?
  /// The local host's role; nil if unknown.
  public let role: ConnectionRole?
  /// What the peer has discovered of this device's own server.
  var local = GATTDatabase()
  /// What was said on it that is said once.
  var said = SaidOnce()
  /// What is known of the adapter's controller.
  var controller = ControllerIdentity()
  /// When the capture ended that tells of it; unknown if it is known from elsewhere.
  var until = Timestamp.unknown

  /// A connection from its parts.
  public init(
    adapter: UInt16, handle: UInt16, peer: DeviceAddress, name: String? = nil, isLowEnergy: Bool?, role: ConnectionRole?
  ) {
    self.adapter = adapter
    self.handle = handle
    self.peer = peer
    self.name = name
    self.isLowEnergy = isLowEnergy
    self.role = role
  }

  var adapterHandle: AdapterHandle { AdapterHandle(adapter: adapter, handle: handle) }
}
