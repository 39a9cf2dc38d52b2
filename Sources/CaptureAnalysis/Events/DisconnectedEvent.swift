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
  /// The reason that it gave for that; nil if it is not known, or there was none.
  var askedReason: HCIErrorCode?

  /// Whether nothing shows when it ended.
  var isUnseen: Bool { reason == nil && adapterEnd == nil }

  /// Whether the local host ended it. There are controllers that give their own host the reason it gave them for the peer.
  public var isByHost: Bool {
    switch reason {
    case .connectionTerminatedByLocalHost: true
    case .remoteUserTerminatedConnection: wasAsked
    default: reason != nil && reason == askedReason
    }
  }

  /// Why the local host ended it, where that is something else than that its user, or its maker, wanted to.
  public var hostReason: HCIErrorCode? {
    let ordinary: [HCIErrorCode?] = [.remoteUserTerminatedConnection, .connectionTerminatedByLocalHost, .success]
    return isByHost && !ordinary.contains(askedReason) ? askedReason : nil
  }

  /// Whether the peer ended it, as its user or its maker wanted.
  public var isByPeer: Bool { reason == .remoteUserTerminatedConnection && !isByHost }

  /// Whether the side ended it whose server this is: of measurements, the sensor.
  func isBySensor(_ server: ServerSide) -> Bool { server == .peer ? isByPeer : isByHost }

  /// Whether the other one did: its client.
  func isByClient(of server: ServerSide) -> Bool { server == .peer ? isByHost : isByPeer }
}
