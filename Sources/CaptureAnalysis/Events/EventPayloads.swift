public import BluetoothHost
public import CaptureFiles
public import GATTKit
public import Octets

// What events carry, a struct each.

/// An adapter that appeared, or told its address.
public struct AdapterEvent: Hashable, Sendable {
  /// Its number.
  public let index: UInt16
  /// Its address; nil if it did not say.
  public let address: DeviceAddress?
  /// Its name, such as "hci0".
  public let name: String?
}

/// Something that happened to a controller, and so to all that its adapter had.
public struct ControllerEvent: Hashable, Sendable {
  /// What happened.
  public enum Step: Hashable, Sendable {
    /// It says that something in it failed.
    case failed(HardwareError)
    /// The host asks it to begin anew; and since when a command before that waits for its answer, if one does.
    case resetAsked(unanswered: Moment?)
    /// All connections are over.
    case ended(AdapterEnd)
    /// The host has it listen for advertisers.
    case scans
    /// It has a channel for voice, which takes the radio many times a second.
    case carriesVoice
    /// The host has taken a device from the accept list: it does not wait for that any longer.
    case awaitsNoLonger(DeviceAddress)
  }

  /// The adapter.
  public let adapter: UInt16
  /// What happened.
  public let step: Step
}

/// What ends all connections of an adapter at once, and nobody tells of each.
public enum AdapterEnd: Hashable, Sendable {
  /// The host reset its controller.
  case reset
  /// The host started anew: one log ended, and the next one begins with a reset.
  case startedAnew
  /// The system switched it off.
  case switchedOff
  /// It was taken away.
  case removed
}

/// What is known of a device from its advertising and from itself.
public struct PeerIdentity: Hashable, Sendable {
  /// Its address; nil where the connection's beginning is not in the capture.
  public var address: DeviceAddress?
  /// Its name, as it came: it may hold anything.
  public var name: String?
  /// Whether it advertised the heart rate service, and has not become something else since it was connected before.
  public var advertisesHeartRate = false
  /// Whether it advertised what it has, as far as it was heard, and the heart rate service was not there.
  public var lacksHeartRate = false
  /// Its lasting address, where the one it uses is private and the capture holds the key that resolves it.
  public var identity: DeviceAddress?
  /// The private address that it uses, where its controller has resolved that and told the lasting one.
  public var privateAddress: DeviceAddress?
  /// Whether it was known before the capture: from another one that ended amid the connection, or from the system.
  public var wasKnown = false

  /// The address by which it is known again; nil where there is none.
  public var lastingAddress: DeviceAddress? { (identity ?? address).flatMap { $0.isOfADevice ? $0 : nil } }

  /// Adds what else is known of the same device.
  mutating func add(_ other: PeerIdentity) {
    address = other.address ?? address
    name = other.name ?? name
    identity = other.identity ?? identity
    privateAddress = other.privateAddress ?? privateAddress
    advertisesHeartRate = advertisesHeartRate || other.advertisesHeartRate
    lacksHeartRate = lacksHeartRate || other.lacksHeartRate
    wasKnown = wasKnown || other.wasKnown
  }
}

/// A heart rate sensor's advertising.
public struct AdvertisementEvent: Hashable, Sendable {
  /// The adapter that heard it.
  public let adapter: UInt16
  /// The sensor's address.
  public let address: DeviceAddress
  /// Its lasting address, where the capture has told whose this private one is.
  public let identity: DeviceAddress?
  /// The name it gives.
  public let name: String?
  /// The services it lists, in the order it does.
  public let services: [BluetoothUUID]
  /// The company identifier of its manufacturer data, if it sends any.
  public let company: UInt16?
  /// In dBm.
  public let rssi: Int8?
}

/// How long a heart rate sensor advertised.
public struct AdvertisedEvent: Hashable, Sendable {
  /// The sensor's address.
  public let address: DeviceAddress
  /// The name it gives.
  public internal(set) var name: String?
  /// Whether any of its advertising takes connections; nil where none of it tells.
  public internal(set) var takesConnections: Bool?
  /// When it was heard first.
  public let first: Moment
  /// When it was heard last.
  public internal(set) var last: Moment
  /// How often it was heard.
  public internal(set) var reports: Int
}

/// An attempt to connect.
public struct ConnectAttemptEvent: Hashable, Sendable {
  /// What became of it, at this moment.
  public enum Outcome: Hashable, Sendable {
    /// It began.
    case begun
    /// The host gave it up.
    case cancelled
    /// It failed.
    case failed(HCIErrorCode)
  }

  /// The adapter.
  public let adapter: UInt16
  /// Whom it was for; nil if for anyone on the filter accept list, unless only one device is on that.
  public let peer: DeviceAddress?
  /// The devices that the capture shows on the accept list, if it was for anyone on that; nil if not.
  public let accepted: [DeviceAddress]?
  /// What became of it.
  public let outcome: Outcome
  /// Whether others may be on the accept list, of whom the capture does not tell.
  var mayBeForOthers = false
  /// Where it was refused, or is no attempt of the host's, whether another one is under way beside it, or may be.
  var isBesideAnother = false
}

/// The beginning of a connection.
public struct ConnectedEvent: Hashable, Sendable {
  /// The connection handle.
  public let handle: UInt16
  /// The adapter.
  public let adapter: UInt16
  /// Whether it is a Low Energy connection; nil if unknown.
  public let isLowEnergy: Bool?
  /// The local host's role; nil if unknown.
  public let role: ConnectionRole?
  /// The peer, as far as it is known.
  public let peer: PeerIdentity
  /// The parameters of a Low Energy connection.
  public let parameters: ConnectionParameters?
  /// Whether its making was seen; else its packets just appeared.
  public let wasSeen: Bool

  /// The local host's server.
  var localServer: LocalServer { LocalServer(adapter: adapter, isLowEnergy: isLowEnergy ?? true) }

  /// The peer's server; nil where the peer is not known.
  var remoteServer: RemoteServer? {
    peer.lastingAddress.map { RemoteServer(adapter: adapter, address: $0, isLowEnergy: isLowEnergy ?? true) }
  }
}

/// Parameters that changed, or did not.
public struct ParametersEvent: Hashable, Sendable {
  /// Success, or why they did not.
  public let status: HCIErrorCode
  /// What holds, or would have held.
  public let parameters: ConnectionParameters
}

/// A request for other connection parameters, or the answer to one.
public struct ParameterRequestEvent: Hashable, Sendable {
  /// What this is.
  public enum Step: Hashable, Sendable {
    /// The request.
    case asked
    /// It was accepted.
    case accepted
    /// It was refused, or not understood.
    case refused
  }

  /// What this is.
  public let step: Step
  /// Who asked.
  public let isFromPeer: Bool
  /// What was asked for; nil if the request is not in the capture.
  public let request: ConnectionParameterRequest?
  /// Whether this is an answer to no request, since its identifier is none of those that wait.
  public var isStray = false
  /// Whether the link layer carries it, rather than L2CAP.
  public var isOverLinkLayer = false
}

/// A step of a pairing.
public struct PairingEvent: Hashable, Sendable {
  /// What was said.
  public let step: PairingStep
  /// Whether the peer said so, rather than the local host.
  public let isFromPeer: Bool
  /// Whether it was over BR/EDR, where only keys for Low Energy are made from one that the two have.
  public let isOverBREDR: Bool
}

/// What one end says to the other when the two pair.
public enum PairingStep: Hashable, Sendable {
  /// The peripheral wants the link to be encrypted.
  case securityRequest
  /// The central asks for a pairing.
  case request
  /// Anything by which it goes on.
  case other
  /// A key is told: the link is encrypted by then.
  case key
  /// It is over, and why; nil if the capture does not show that.
  case failed(PairingFailedReason?)
}

/// An agreement on the longest ATT PDU.
public struct MTUEvent: Hashable, Sendable {
  /// In octets; nil where it was agreed upon, but not all of that is in the capture.
  public let mtu: UInt16?
  /// Whether it is an enhanced bearer's, set up by L2CAP.
  public let isEnhanced: Bool
  /// The numbers of the bearers on dynamic channels that it holds for; nil for the unenhanced one.
  public var bearers: [Int]?
}

/// A service in a GATT database.
public struct ServiceEvent: Hashable, Sendable {
  /// Its handles; up to 0xFFFF where the end is not told.
  public let range: AttributeRange
  /// Its type; nil if the capture cut it away.
  public let uuid: BluetoothUUID?
  /// Whose it is.
  public let server: ServerSide
  /// Whether it is primary rather than one that others include; nil if that is not told.
  public var isPrimary: Bool?
  /// Whether it is told where it ends.
  public var isEndTold = true
}

/// A characteristic in a GATT database.
public struct CharacteristicEvent: Hashable, Sendable {
  /// Its declaration and value.
  public let characteristic: GATTCharacteristic
  /// Whose it is.
  public let server: ServerSide
}

/// An attribute's value.
public struct ValueEvent: Hashable, Sendable {
  /// The attribute.
  public let handle: UInt16
  /// Its type, as far as it is known.
  public let uuid: BluetoothUUID?
  /// The octets that were kept.
  public let octets: ContiguousArray<UInt8>
  /// How many were sent.
  public let length: Int
  /// Whose attribute it is.
  public let server: ServerSide
}

/// A subscription.
public struct SubscriptionEvent: Hashable, Sendable {
  /// The Client Characteristic Configuration descriptor that was written.
  public let handle: UInt16
  /// The value handle of its characteristic; nil if unknown.
  public let valueHandle: UInt16?
  /// The characteristic's type; nil if unknown.
  public let uuid: BluetoothUUID?
  /// What was written.
  public let configuration: ClientCharacteristicConfiguration
  /// Whose characteristic it is.
  public let server: ServerSide
  /// Whether it was written by a command, which nobody acknowledges.
  public let isCommanded: Bool

  /// Whether measurements with a handle end with it, as far as is known: what comes with another goes on.
  func mayBe(of measurement: UInt16?) -> Bool {
    guard let measurement, let valueHandle else { return true }
    return measurement == valueHandle
  }
}

/// A heart rate measurement.
public struct HeartRateEvent: Hashable, Sendable {
  /// The handle it came on.
  public let handle: UInt16
  /// What it says.
  public let reading: HeartRateMeasurement.Reading
  /// How many octets it had when it was sent.
  public let length: Int
  /// The octets that were kept; nil where nobody wants them.
  public let octets: ContiguousArray<UInt8>?
  /// Who sent it.
  public let server: ServerSide
  /// As in `HeartRateNotification`.
  public let bearer: Int?
}

/// A request that was refused.
public struct ATTErrorEvent: Hashable, Sendable {
  /// The request.
  public let request: ATTOpcode
  /// The attribute it was about.
  public let handle: UInt16
  /// Its type, as far as it is known.
  public let uuid: BluetoothUUID?
  /// Why.
  public let error: ATTErrorCode
  /// Who refused.
  public let server: ServerSide
}

/// Something that contradicts its definition.
public struct MalformedEvent: Hashable, Sendable {
  /// What is wrong with it.
  public enum Problem: Hashable, Sendable {
    /// A field.
    case field(ParsingError)
    /// The pieces of a PDU.
    case pieces(RecombinationFault)
  }

  /// What is wrong with it.
  public let problem: Problem
  /// Where it went; nil if unknown.
  public let direction: Direction?
  /// Whether what is missing may lie before the capture, or among records that were lost.
  public var isExcused = false
}

/// The GATT databases of both ends of a connection, as far as they are known.
public struct ConnectionDatabases: Hashable, Sendable {
  /// The peer's.
  public let peer: GATTDatabase
  /// The local host's.
  public let local: GATTDatabase
  /// Where the peer's comes from, if it was known before anything was discovered.
  public let origin: CaptureKnowledge.Origin?
  /// Where all characteristics of the peer's were looked for, on this connection or an earlier one.
  let searched: SearchedHandles
  /// The peer's attributes of unknown type that have notified or indicated anything.
  let notifying: Set<UInt16>
  /// Those that were read or written.
  let asked: Set<UInt16>
}

/// When the two ends of a connection were heard.
public struct LinkTraffic: Hashable, Sendable {
  /// When the last PDU from the peer began; nil if there was none.
  public let lastReceived: Timestamp?
  /// When the first PDU to the peer began; nil if there was none.
  public let firstSent: Timestamp?
  /// Whether records were lost while it lasted.
  public let hasLosses: Bool
  /// Whether the capture logs data: true if it holds some of any connection, false if there were some and it holds none,
  /// nil if there may have been none.
  public let isLogged: Bool?
  /// Whether the capture holds events of the controller's: without any it cannot tell of ends, and may hold nothing that is
  /// received.
  public let hasEvents: Bool
  /// Whether the controller tells that the parameters have changed: not where its host does not want to know.
  public let tellsUpdates: Bool
}
