public import BluetoothHost
public import CaptureFiles

/// Something that happened in a capture. Below the line everything is told in events: reports, timelines and rules see
/// nothing else.
public struct Event: Sendable {
  /// The record that completed it, and when.
  public let moment: Moment
  /// The connection it belongs to, by its number in order of appearance; nil if to none.
  public let connection: Int?
  /// What happened.
  public let content: EventContent

  /// The record that completed it, counted from 1.
  public var frame: Int { moment.frame }
  /// The file that record stands in, from 0; nil if the capture has only one.
  public var member: Int? { moment.member }
  /// When.
  public var time: Timestamp { moment.time }
}

/// What happened.
public enum EventContent: Sendable {
  /// An adapter appeared.
  case adapter(AdapterEvent)
  /// A controller failed, or all that an adapter had is over: only rules look at that.
  case controller(ControllerEvent)
  /// A heart rate sensor advertised: seen first, or changed.
  case advertising(AdvertisementEvent)
  /// The host asked for a connection, or such an attempt came to nothing.
  case connectAttempt(ConnectAttemptEvent)
  /// A connection begins: because it was made, or because its packets appear.
  case connected(ConnectedEvent)
  /// What is known of the peer has grown: name, address.
  case peer(PeerIdentity)
  /// What goes over a connection tells what its making would have: whether it is a Low Energy one.
  case transport(isLowEnergy: Bool)
  /// The connection's parameters changed, or a change failed.
  case parameters(ParametersEvent)
  /// A peer asked for other parameters, or was answered.
  case parameterRequest(ParameterRequestEvent)
  /// The host asks its controller for something on a connection, or is answered: for rules, and for whether a link is
  /// encrypted.
  case command(CommandEvent)
  /// The modulation changed.
  case phy(PHYUpdateComplete)
  /// The lengths of link layer packets changed.
  case dataLength(DataLengthChange)
  /// Encryption went on or off, or failed.
  case encryption(EncryptionChange)
  /// The two ends pair: only rules look at that.
  case pairing(PairingEvent)
  /// The signal's strength was read.
  case rssi(Int8)
  /// The peer's version was read.
  case version(RemoteVersionInformation)
  /// The two sides agreed on an ATT_MTU.
  case mtu(MTUEvent)
  /// A service was discovered.
  case service(ServiceEvent)
  /// A characteristic was discovered.
  case characteristic(CharacteristicEvent)
  /// A value was read.
  case read(ValueEvent)
  /// A value was written.
  case write(ValueEvent)
  /// Notifications or indications were switched on.
  case subscribed(SubscriptionEvent)
  /// They were switched off.
  case unsubscribed(SubscriptionEvent)
  /// A heart rate measurement.
  case heartRate(HeartRateEvent)
  /// Another notification.
  case notification(ValueEvent)
  /// An indication.
  case indication(ValueEvent)
  /// A request was refused.
  case attError(ATTErrorEvent)
  /// What goes over ATT bearers, beside notifications and commands: its PDUs one by one for who wants them, and always what
  /// is lost, closed, and how the clock leaps. A request that turns out to be remarkable later is told then: it stands
  /// before what was told last.
  case dialogue(ATTDialogueEvent)
  /// A PDU contradicts its definition, or its pieces do not fit.
  case malformed(MalformedEvent)
  /// What is known of the two servers when a connection, or the capture, ends.
  case databases(ConnectionDatabases)
  /// Then too: what an attribute is that was not discovered. Where that is concluded at once, it is told at once as well.
  case inferred(Inference)
  /// Then too: when its two ends were heard.
  case traffic(LinkTraffic)
  /// When the capture ends: how long a heart rate sensor advertised.
  case advertised(AdvertisedEvent)
  /// The connection ended.
  case disconnected(DisconnectedEvent)

  /// The kind, for choosing.
  public var kind: EventKind {
    switch self {
    case .adapter: .adapter
    case .controller: .controller
    case .advertising: .advertising
    case .connectAttempt: .connectAttempt
    case .connected: .connected
    case .peer: .peer
    case .transport: .transport
    case .parameters: .parameters
    case .parameterRequest: .parameterRequest
    case .command: .command
    case .phy: .phy
    case .dataLength: .dataLength
    case .encryption: .encryption
    case .pairing: .pairing
    case .rssi: .rssi
    case .version: .version
    case .mtu: .mtu
    case .service: .service
    case .characteristic: .characteristic
    case .read: .read
    case .write: .write
    case .subscribed: .subscribed
    case .unsubscribed: .unsubscribed
    case .heartRate: .heartRate
    case .notification: .notification
    case .indication: .indication
    case .attError: .attError
    case .dialogue: .dialogue
    case .malformed: .malformed
    case .databases: .databases
    case .inferred: .inferred
    case .traffic: .traffic
    case .advertised: .advertised
    case .disconnected: .disconnected
    }
  }
}

extension EventContent {
  /// The connection parameters that hold from here on; nil if it tells none.
  var newParameters: ConnectionParameters? {
    switch self {
    case .connected(let connected): connected.parameters
    case .parameters(let change): change.status == .success ? change.parameters : nil
    default: nil
    }
  }
}

/// The kinds of events. The raw value is the kind's name in reports and on the command line.
public enum EventKind: String, CaseIterable, Sendable {
  case adapter
  case controller
  case advertising
  case connectAttempt = "connect-attempt"
  case connected
  case peer
  case transport
  case parameters
  case parameterRequest = "parameter-request"
  case command
  case phy
  case dataLength = "data-length"
  case encryption
  case pairing
  case rssi
  case version
  case mtu
  case service
  case characteristic
  case read
  case write
  case subscribed
  case unsubscribed
  case heartRate = "heart-rate"
  case notification
  case indication
  case attError = "att-error"
  case dialogue
  case malformed
  case databases
  case inferred
  case traffic
  case advertised
  case disconnected
}

extension EventKind {
  /// Its place among all kinds, from 0: the place of its bit in a selection, and of what is kept for it in a table.
  var place: Int {
    switch self {
    case .adapter: 0
    case .controller: 1
    case .advertising: 2
    case .connectAttempt: 3
    case .connected: 4
    case .peer: 5
    case .transport: 6
    case .parameters: 7
    case .parameterRequest: 8
    case .command: 9
    case .phy: 10
    case .dataLength: 11
    case .encryption: 12
    case .pairing: 13
    case .rssi: 14
    case .version: 15
    case .mtu: 16
    case .service: 17
    case .characteristic: 18
    case .read: 19
    case .write: 20
    case .subscribed: 21
    case .unsubscribed: 22
    case .heartRate: 23
    case .notification: 24
    case .indication: 25
    case .attError: 26
    case .dialogue: 27
    case .malformed: 28
    case .databases: 29
    case .inferred: 30
    case .traffic: 31
    case .advertised: 32
    case .disconnected: 33
    }
  }
}

/// Which events someone wants. Those that cost something are put together only if anybody does; others may come all the
/// same.
public struct EventSelection: OptionSet, Sendable {
  /// A bit for each kind, in the order of their declaration, and one for octets.
  public let rawValue: UInt64

  /// A selection from its bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The selection of one kind.
  public init(_ kind: EventKind) {
    self.init(rawValue: 1 << UInt64(kind.place))
  }

  /// The selection of several kinds.
  public init(_ kinds: some Sequence<EventKind>) {
    self = kinds.reduce(into: []) { $0.insert(EventSelection($1)) }
  }

  /// Every kind.
  public static let all = EventSelection(EventKind.allCases)
  /// The octets of heart rate measurements, which only lists of them need.
  public static let measurementOctets = EventSelection(rawValue: 1 << 63)

  static let controller = EventSelection(.controller)
  static let command = EventSelection(.command)
  static let notification = EventSelection(.notification)
  static let indication = EventSelection(.indication)
  static let read = EventSelection(.read)
  static let write = EventSelection(.write)
  static let rssi = EventSelection(.rssi)
  static let traffic = EventSelection(.traffic)
  static let advertised = EventSelection(.advertised)
  static let pairing = EventSelection(.pairing)
  static let dialogue = EventSelection(.dialogue)
}
