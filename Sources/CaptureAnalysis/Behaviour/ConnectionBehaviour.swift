import BluetoothHost
import GATTKit

/// What is compared of a connection beside its summary.
struct ConnectionBehaviour: Sendable {
  /// What the sensor asked of the connection's parameters, and what became of it.
  private(set) var requests: [Request] = []
  /// What was asked of the two servers: some sensors are clients of the phone's as well.
  private var servers = BothServers(ServerBehaviour())
  /// Whether the sensor advertised what it has, and the heart rate service was not there.
  private(set) var lacksHeartRate = false
  /// What went over ATT from client to server, for telling the time by.
  private(set) var exchange = ATTExchange()
  /// The records behind which records were lost that may have been of the connection, in order.
  private(set) var losses: [Moment] = []

  /// A request for other parameters.
  struct Request: Sendable {
    let request: ConnectionParameterRequest?
    let isFromPeer: Bool
    let moment: Moment
    /// Whether it was accepted; nil if it was not answered.
    var isAccepted: Bool?

    /// Whether it waits, and an answer is to it.
    fileprivate func isAnswered(by step: ParameterRequestEvent) -> Bool {
      isAccepted == nil && isFromPeer == step.isFromPeer && request == step.request
    }
  }

  /// No connection needs more of any of them: what is beyond is no behaviour but an attack on memory.
  static let most = 256
  private static let mostLosses = 100_000

  /// What was asked of one of the servers.
  subscript(server: ServerSide) -> ServerBehaviour {
    get { servers[server] }
    _modify { yield &servers[server] }
  }

  /// Takes an event.
  /// - Parameter isShown: Whether a filter leaves it. Two logs of one connection are laid side by side as wholes.
  mutating func note(_ event: Event, isShown: Bool) {
    if case .dialogue(let dialogue) = event.content { note(dialogue, event.moment) }
    if isShown { note(event) }
  }

  private mutating func note(_ dialogue: ATTDialogueEvent, _ moment: Moment) {
    switch dialogue {
    case .pdu(let pdu): exchange.note(pdu, moment)
    case .lost: if losses.count < Self.mostLosses { losses.append(moment) }
    case .closed, .clockStep: break
    }
  }

  private mutating func note(_ event: Event) {
    switch event.content {
    case .parameterRequest(let step): note(step, event.moment)
    case .subscribed(let subscription): self[subscription.server].note(subscription)
    case .read(let value): self[value.server].note(value)
    case .connected(let connected): lacksHeartRate = connected.peer.lacksHeartRate
    case .service(let found): self[found.server].noteFound(at: event.moment)
    case .characteristic(let found): self[found.server].noteFound(at: event.moment)
    case .dialogue(.pdu(let pdu)):
      if pdu.isSearch { self[pdu.direction.askedServer].noteSearch() }
      if pdu.looksForDeclarations, let range = pdu.range {
        self[pdu.direction.askedServer].noteSearch(in: range, ofServices: pdu.opcode != .readByTypeRequest)
      } else if pdu.opcode?.isRequest == true, pdu.opcode != .exchangeMTURequest {
        self[pdu.direction.askedServer].noteUse()
      }
      if let last = pdu.lastFound { self[pdu.direction.server].noteAnswer(upTo: last) }
      if pdu.indicatesServiceChanged { self[pdu.direction.server].noteChange() }
    default: break
    }
  }

  private mutating func note(_ step: ParameterRequestEvent, _ moment: Moment) {
    if step.step == .asked {
      guard requests.count < Self.most else { return }
      requests.append(Request(request: step.request, isFromPeer: step.isFromPeer, moment: moment))
    } else if !step.isStray, let open = requests.firstIndex(where: { $0.isAnswered(by: step) }) {
      requests[open].isAccepted = step.step == .accepted
    }
  }

  /// What tells a model from another; serial numbers and system identifiers tell apart two of the same.
  static let informationTypes: [BluetoothUUID] = [
    .manufacturerNameString, .modelNumberString, .hardwareRevisionString, .firmwareRevisionString,
    .softwareRevisionString, .pnpID,
  ]
}

extension ATTDialoguePDU {
  /// Whether it is a request by which services, includes and characteristics are found.
  fileprivate var looksForDeclarations: Bool {
    if opcode == .readByTypeRequest { return askedType == .include || askedType == .characteristic }
    return opcode?.findsServices ?? false
  }

  /// The last handle that an answer to a search tells of; the last of all if it is refused, as where no more are.
  fileprivate var lastFound: UInt16? {
    switch opcode {
    case .errorResponse: return refused?.isDiscovery == true && refused != .findInformationRequest ? .max : nil
    case .readByGroupTypeResponse, .findByTypeValueResponse, .readByTypeResponse:
      // A service's end stands behind its beginning; a characteristic's value, behind its properties.
      let place = opcode == .readByTypeResponse ? 3 : 2
      var last: UInt16?
      forEachEntry { last = uint16(at: $0 + place) }
      return last
    default: return nil
    }
  }

  /// Whether it looks for services or descriptors.
  fileprivate var isSearch: Bool {
    opcode?.findsServices ?? false || opcode == .findInformationRequest
  }
}
