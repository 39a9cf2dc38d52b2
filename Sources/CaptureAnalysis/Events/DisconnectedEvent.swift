public import BluetoothHost

/// The end of a connection.
public struct DisconnectedEvent: Hashable, Sendable {
  /// Why; nil where its end is not reported, and only follows from something else: its adapter has ended, or its handle is
  /// in use again.
  public let reason: HCIErrorCode?
  /// What ended it with all other connections of its adapter; nil if nothing did.
  public var adapterEnd: AdapterEnd?
  /// Whether the local host had asked for it.
  public var wasAsked = false

  /// Whether nothing shows when it ended.
  var isUnseen: Bool { reason == nil && adapterEnd == nil }

  /// Whether the local host ended it. There are controllers that give their own host the reason it gave them for the peer.
  public var isByHost: Bool {
    reason == .connectionTerminatedByLocalHost || wasAsked && reason == .remoteUserTerminatedConnection
  }

  /// Whether the peer ended it, as its user or its maker wanted.
  public var isByPeer: Bool { reason == .remoteUserTerminatedConnection && !isByHost }
}
