import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// Follows the ATT bearers of one connection: pairs responses with requests, and learns from them what the servers'
/// databases hold, what is read and written, who is subscribed to what.
struct GATTObserver {
  let connection: Int
  private var peerPlace: DatabaseShelf.Place
  private var localPlace: DatabaseShelf.Place
  private(set) var bearers = [ATTBearer(.fixed)]
  /// The servers whose tables are others than those that are known of them from elsewhere.
  private var apart: Set<ServerSide>
  /// What has been told of this connection: once is enough.
  var told = ToldAttributes()
  /// The servers from which measurements came that their tables tell of.
  var measuringServers: Set<ServerSide> = []
  /// What is to be discovered of attributes that have notified already.
  var rediscoveries: BothServers<Rediscoveries>
  /// The types of what was notified last.
  var types = NotifiedTypes()
  /// What is done with attributes whose types are not known, and what was made of them.
  var unknown = UnknownAttributes()
  var inferred: [Inference]
  /// What was made of them until a server's table changed.
  var pastInferences: [Inference] = []
  /// What may show that the peer is another one.
  var signs: ConnectionSigns
  /// What is known of the peer that bears on them.
  var peerSurroundings = MeasurementSurroundings()
  /// The attributes that have sent what cannot be what a table has there: measurements elsewhere, or none as measurements.
  var mistold: Set<ServerAttribute> = []
  /// What has notified last, since the last hole, though its server has nothing there.
  var deniedSender: (handle: UInt16, server: ServerSide)?
  /// What of the dialogue is not told.
  var quiet = QuietExchanges()
  private var doubled = DoubledPDU()
  /// How many values that were read have been looked at for the peer's name.
  var readsForName = 0
  /// What the peer has said that it is called.
  var peerName: String?

  /// As many bearers as are remembered. The oldest go first, but for the one that there is from the beginning.
  private static let mostBearers = 128

  /// - Parameter event: That the connection has begun.
  init(connection: Int, _ event: ConnectedEvent, _ context: inout TrackingContext<some EventReceiver>) {
    self.connection = connection
    let (peer, local) = (event.remoteServer, event.localServer)
    signs = ConnectionSigns(of: AdapterHandle(adapter: event.adapter, handle: event.handle))
    // What was made of this connection's attributes when the capture was read before.
    let inferred = context.knowledge.inferences[connection] ?? []
    apart = Set(inferred.filter(\.deniesTable).map(\.server))
    self.inferred = inferred
    peerPlace = context.databases.place(of: apart.contains(.peer) ? nil : peer)
    localPlace = apart.contains(.local) ? context.databases.placeApart() : context.databases.place(of: local)
    let knowledge = context.knowledge
    rediscoveries = BothServers(of: { Rediscoveries(TablePeriod(connection: connection, server: $0), knowledge) })
  }

  /// It turns out who the peer is, and over which transport the two reach each other.
  mutating func belong(
    to peer: RemoteServer?, at local: LocalServer, _ context: inout TrackingContext<some EventReceiver>
  ) {
    if !apart.contains(.peer) { peerPlace = context.databases.place(peerPlace, becomes: peer) }
    if !apart.contains(.local) { localPlace = context.databases.place(of: local) }
  }

  /// The peer has told who it is.
  mutating func identify(_ peer: RemoteServer, _ context: inout TrackingContext<some EventReceiver>) {
    if !apart.contains(.peer) { peerPlace = context.databases.place(peerPlace, turnsOutToBeOf: peer) }
  }

  /// Whether what is known of a server from elsewhere is of another table.
  func isApart(_ side: ServerSide) -> Bool { apart.contains(side) }

  /// It turns out that a server's table is another one.
  mutating func setApart(_ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    guard apart.insert(side).inserted else { return }
    switch side {
    case .peer: peerPlace = context.databases.placeApart(from: peerPlace)
    case .local: localPlace = context.databases.placeApart(from: localPlace)
    }
  }

  func place(_ side: ServerSide) -> DatabaseShelf.Place {
    side == .peer ? peerPlace : localPlace
  }

  /// How many octets of memory the requests take that wait, and what is read and written in several steps.
  var memory: Int { bearers.reduce(0) { $0 + $1.memory } }

  /// Whether a server has sent measurements, and not changed its table since.
  private func isMeasuring(_ side: ServerSide) -> Bool {
    (measuringServers.contains(side) || signs.said.measuring.contains(side)) && told.changes(of: side) == 0
  }

  /// What another capture has to know that goes on with the connection.
  var said: SaidOnce {
    var said = signs.said
    said.measuring = Set(ServerSide.allCases.filter(isMeasuring))
    return said
  }

  /// Records are missing, or may be, in which the connection may have been replaced.
  mutating func note(_ hole: Hole) {
    signs.note(hole)
    // An answer and the next request may be among them: then what is answered next is not what waits.
    if hole.isWide { forgetRequests() }
    // Whoever notifies behind it is looked for once more.
    types.forget()
    deniedSender = nil
  }

  mutating func forgetRequests() {
    quiet.waiting = nil
    quiet.forgetUnanswered()
    for index in bearers.indices {
      for client in [Direction.sent, .received] { bearers[index].conversations[client].forgetRequests() }
    }
  }

  /// Looks at an ATT PDU.
  mutating func receive(
    _ payload: CapturedOctets, bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard let notification = OctetWindow(payload.octets, count: 3),
      notification.uint8(at: 0) == ATTOpcode.handleValueNotification.rawValue
    else {
      return receive(other: payload, bearer, direction, &context)
    }
    notified(
      notification.uint16(at: 1), payload.dropping(3), bearer, by: direction.server, isIndication: false, &context)
  }

  /// Something that went this way is not in the capture, or makes no sense: it may have been a response.
  /// - Parameter isOver: Whether it went before what was seen last.
  mutating func noteLost(_ direction: Direction, isOver: Bool) {
    quiet.forgetUnanswered()
    let client = direction.opposite
    for index in bearers.indices { bearers[index].conversations[client].noteLost(isOver: isOver) }
  }

  /// Looks at any other PDU.
  @inline(never)
  private mutating func receive(
    other payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    // Some apps do little else than write commands.
    if !context.wantsWrites, payload.isWriteCommand, !payload.mayBeConfigurationCommand { return }
    if doubled.note(payload, bearer, direction, at: context.time) { return }
    if take(exchange: payload, bearer, direction, &context) { return }
    tell(dialogue: payload, bearer, direction, &context)
    do {
      try receive(try ATTPDU(parsing: payload), payload.opcode, bearer, direction, &context)
    } catch {
      if !payload.isCut {
        tellQuiet(&context)
        conversation(bearer, client: direction.opposite) { $0.noteLost(isOver: false) }
        context.tell(error.limited(by: "the L2CAP length"), direction, connection: connection)
      } else if let request = ATTRequest(cut: payload) {
        conversation(bearer, client: direction) { $0.ask(request, at: context.time, isCut: true) }
      } else if payload.isMTUExchange, bearer == .fixed {
        tellMTU(least: nil, &context)
      }
    }
    if payload.isCut, payload.hidesWhatItSays { context.tell(.dialogue(.lost), connection: connection) }
  }

  private mutating func receive(
    _ pdu: ATTPDU, _ opcode: ATTOpcode?, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) throws(ParsingError) {
    switch pdu {
    case .handleValueIndication(let handle, let value):
      rarelyNotified(handle, value, bearer, by: direction.server, isIndication: true, &context)
    case .multipleHandleValueNotification(var list):
      while let entry = try list.next() {
        rarelyNotified(entry.handle, entry.value, bearer, by: direction.server, isIndication: false, &context)
      }
    case .writeCommand(let handle, let value), .signedWriteCommand(let handle, let value):
      if context.wantsWrites {
        context.tell(.write(self.value(handle, value, at: direction.askedServer, &context)), connection: connection)
      }
      commanded(handle, value, direction.askedServer, &context)
    case .errorResponse(let request, let handle, let error):
      refused(request, handle, error, bearer, direction, &context)
    case .handleValueConfirmation, .unknown:
      break
    default:
      if let request = ATTRequest(pdu, keepsValues: context.wantsWrites) {
        noteRediscovery(request, of: direction.askedServer, &context)
        if bearer == .fixed {
          let isMeasuring = isMeasuring(direction.askedServer)
          signs.note(request, direction, isMeasuring: isMeasuring, at: context.moment, &context.conclusions)
        }
        conversation(bearer, client: direction) { $0.ask(request, at: context.time) }
        prepare(pdu, bearer, direction)
      } else if let opcode {
        answered(pdu, opcode, bearer, direction, &context)
      }
    }
  }

  /// Whether what was answered this way can be no other request than the one found for it.
  func isSure(_ id: BearerID, _ direction: Direction) -> Bool {
    bearers.first { $0.id == id }?.conversations[direction.opposite].isSure ?? true
  }

  /// Whether a PDU begins with a value of an attribute that has notified before, or may do so as far as its server has told.
  func isKnownToNotify(_ pdu: CapturedOctets, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    guard let octets = OctetWindow(pdu.octets, count: 3) else { return false }
    let opcode = ATTOpcode(rawValue: octets.uint8(at: 0))
    guard opcode.isNotification || opcode == .handleValueIndication else { return false }
    let handle = octets.uint16(at: 1)
    if types.attribute(handle, in: place(side), edition: databases.edition) != nil { return true }
    guard let owner = databases[place(side)].bareCharacteristic(owning: handle),
      owner.valueHandle == handle, let properties = owner.properties
    else { return false }
    return !properties.isDisjoint(with: [.notify, .indicate])
  }

  /// Changes what a client does over a bearer.
  /// - Parameter client: Which way its PDUs go.
  @inline(__always)
  mutating func conversation<Result>(
    _ id: BearerID, client: Direction, _ change: (inout ATTConversation) -> Result
  ) -> Result {
    let place = bearers.firstIndex { $0.id == id } ?? newBearer(id)
    return client == .sent
      ? change(&bearers[place].conversations.sent) : change(&bearers[place].conversations.received)
  }

  private mutating func newBearer(_ id: BearerID) -> Int {
    if bearers.count == Self.mostBearers { bearers.remove(at: 1) }
    bearers.append(ATTBearer(id))
    return bearers.count - 1
  }

  private mutating func prepare(_ pdu: ATTPDU, _ bearer: BearerID, _ direction: Direction) {
    switch pdu {
    case .prepareWriteRequest(let handle, let offset, let value):
      let write = ATTConversation.PreparedWrite(handle, offset: Int(offset), value)
      conversation(bearer, client: direction) { $0.prepare(write) }
    case .executeWriteRequest: conversation(bearer, client: direction) { $0.execute() }
    default: break
    }
  }
}

extension CapturedOctets {
  /// Whether this is an ATT_WRITE_CMD that tells its attribute. Core 6.0, Vol 3, Part F, 3.4.5.3.
  fileprivate var isWriteCommand: Bool { octets.count >= 3 && opcode == .writeCommand }

  /// Whether what such a command writes may be a Client Characteristic Configuration, if only to switch all off, or the
  /// Heart Rate Control Point's one command.
  fileprivate var mayBeConfigurationCommand: Bool {
    isCut ? length <= 5 : mayConfigure || octets.count == 5 && octets[3] == 0 && octets[4] == 0
  }

  /// Whether this is one half of an exchange of the ATT_MTU. Core 6.0, Vol 3, Part F, 3.4.2.
  fileprivate var isMTUExchange: Bool { opcode == .exchangeMTURequest || opcode == .exchangeMTUResponse }

  /// Whether so much of it was cut away that it may have been anything, or a value of any attribute, or may have switched
  /// notifications on: then it is as good as lost. Of several values in one, Core 6.0, Vol 3, Part F, 3.4.7.4, nobody
  /// knows which are gone.
  fileprivate var hidesWhatItSays: Bool {
    switch opcode {
    case nil, .multipleHandleValueNotification: true
    case .handleValueNotification, .handleValueIndication: octets.count < 3
    case .writeRequest, .writeCommand: hidesConfiguration(length)
    case .signedWriteCommand: hidesConfiguration(length - ATTPDU.signatureLength)
    default: false
    }
  }

  /// Whether a write of so many octets, with the opcode and the handle, hides what it configures, if it does so: of two
  /// octets the first holds all bits that mean anything.
  private func hidesConfiguration(_ length: Int) -> Bool { length < 5 || length == 5 && octets.count < 4 }
}
