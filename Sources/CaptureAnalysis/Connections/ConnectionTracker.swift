import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// Follows the connections of all adapters in a capture, from their making to their end, and all that is said on them.
///
/// A connection is known by its adapter and handle only while it lasts: handles are given to other peers afterwards.
struct ConnectionTracker {
  private var context: TrackingContext
  /// The last link of each adapter and handle.
  private var links: [Link] = []
  private var table = ConnectionTable()
  private var connectionCount = 0
  private var advertisers = Advertisers()
  private var attempts = ConnectionAttempts()
  /// Connections that found no room.
  private(set) var unfollowedConnections = 0

  init(selection: EventSelection) {
    context = TrackingContext(selection: selection)
  }

  /// Whether there are events that nobody has taken yet.
  var hasEvents: Bool { context.hasEvents }

  /// The events since this was last called.
  mutating func takeEvents(_ body: (Event) -> Void) {
    context.takeEvents(body)
  }

  /// Looks at one packet.
  @inline(__always)
  mutating func receive(_ packet: HCIPacket, _ record: CaptureRecord) {
    (context.frame, context.time) = (record.number, record.time)
    switch packet {
    case .aclData(let data): receive(data, record)
    case .event(let event): receive(event, record.adapter)
    case .command(let command): receive(command, record.adapter)
    }
  }

  /// A packet whose header is not all there.
  mutating func receive(_ error: ParsingError, _ record: CaptureRecord) {
    guard !record.isCut else { return }
    (context.frame, context.time) = (record.number, record.time)
    context.tell(error, record.direction, connection: nil)
  }

  /// Something the Linux monitor says of its adapters.
  mutating func receive(adapterRecord record: CaptureRecord, _ octets: Span<UInt8>) {
    (context.frame, context.time) = (record.number, record.time)
    switch record.content {
    case .newIndex, .indexInformation:
      context.tell(.adapter(AdapterEvent(record, octets)), connection: nil)
    case .deleteIndex:
      closeAll(of: record.adapter)
    default: break
    }
  }

  /// Records were lost: what is unfinished stays so.
  mutating func forgetUnfinished() {
    for place in links.indices { links[place].forgetUnfinished() }
  }

  /// The capture ends.
  mutating func finish() {
    for place in links.indices where links[place].closedAt == nil { tellDatabase(of: place) }
  }

  private mutating func tellDatabase(of place: Int) {
    let link = links[place]
    let databases = ConnectionDatabases(
      peer: link.database(.peer, context), local: link.database(.local, context))
    context.tell(.databases(databases), connection: link.id)
  }
}

// MARK: - ACL data

extension ConnectionTracker {
  @inline(__always)
  private mutating func receive(_ data: HCIACLData, _ record: CaptureRecord) {
    guard let place = openPlace(record.adapter, data.connectionHandle) else { return }
    links[place].receive(data, record.direction, &context)
  }

  /// The link that a packet belongs to: one that is open, one that has just ended, or one whose beginning is not in
  /// the capture.
  @inline(__always)
  private mutating func openPlace(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    if let place = table.place(adapter, handle), links[place].isOpen(at: context.time) { return place }
    return openUnseen(adapter, handle)
  }

  /// The controllers of one maker send logs of their own as ACL data on this handle, and so no peer is behind it.
  private static let diagnosticHandle: UInt16 = 0xEDC

  private mutating func openUnseen(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    guard handle != Self.diagnosticHandle else { return nil }
    let event = ConnectedEvent(
      handle: handle, adapter: adapter, isLowEnergy: nil, role: nil, peer: PeerIdentity(), parameters: nil,
      wasSeen: false)
    return open(event)
  }
}

// MARK: - The life of connections

extension ConnectionTracker {
  /// A connection begins.
  @discardableResult
  private mutating func open(_ event: ConnectedEvent) -> Int? {
    let known = table.place(event.adapter, event.handle)
    if let known, event.wasSeen, links[known].isBeginning(at: context.time) {
      links[known].begin(event, &context)
      context.tell(.connected(event), connection: links[known].id)
      return known
    }
    if let known, links[known].closedAt == nil {
      // The handle is in use again: its last connection must be over.
      close(known, reason: nil)
    }
    let place = known ?? links.count
    if known == nil, !table.insert(event.adapter, event.handle, place: place) {
      // Packets of an unseen one come here each time; they are one connection at least.
      unfollowedConnections = event.wasSeen ? unfollowedConnections + 1 : max(unfollowedConnections, 1)
      return nil
    }
    connectionCount += 1
    let link = Link(id: connectionCount, event, &context)
    if known == nil {
      links.append(link)
    } else {
      links[place].release(&context)
      links[place] = link
    }
    context.tell(.connected(event), connection: link.id)
    return place
  }

  private mutating func close(_ place: Int, reason: HCIErrorCode?) {
    tellDatabase(of: place)
    links[place].closedAt = context.time
    links[place].forgetUnfinished()
    context.tell(.disconnected(DisconnectedEvent(reason: reason)), connection: links[place].id)
  }

  private mutating func closeAll(of adapter: UInt16) {
    for place in links.indices where links[place].adapter == adapter && links[place].closedAt == nil {
      close(place, reason: nil)
    }
  }

  /// The open link with a handle.
  private func place(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    table.place(adapter, handle).flatMap { links[$0].closedAt == nil ? $0 : nil }
  }

  private mutating func tell(_ content: EventContent, _ adapter: UInt16, _ handle: UInt16) {
    guard let place = place(adapter, handle) else { return }
    context.tell(content, connection: links[place].id)
  }
}

// MARK: - HCI events

extension ConnectionTracker {
  private mutating func receive(_ event: HCIEvent, _ adapter: UInt16) {
    do {
      switch event.code {
      case .leMeta: try receive(leEvent: event, adapter)
      case .commandComplete: try receive(CommandComplete(parsing: event.parameters), adapter)
      case .commandStatus: try receive(CommandStatus(parsing: event.parameters), adapter)
      case .disconnectionComplete, .connectionComplete, .encryptionChange, .encryptionChangeV2,
        .encryptionKeyRefreshComplete, .remoteNameRequestComplete, .readRemoteVersionInformationComplete:
        try receive(connectionEvent: event, adapter)
      default: break
      }
    } catch {
      if !event.parameters.isCut { context.tell(error.limited(by: "the event's length"), .received, connection: nil) }
    }
  }

  private mutating func receive(connectionEvent event: HCIEvent, _ adapter: UInt16) throws(ParsingError) {
    var reader = event.parameters.reader("HCI event")
    switch event.code {
    case .disconnectionComplete:
      let ended = try DisconnectionComplete(parsing: &reader)
      guard ended.status == .success, let place = place(adapter, ended.connectionHandle) else { return }
      close(place, reason: ended.reason)
    case .connectionComplete:
      if let made = try ConnectionComplete(parsingBREDR: &reader) { receive(made, adapter) }
    case .encryptionChange, .encryptionChangeV2, .encryptionKeyRefreshComplete:
      let change = try EncryptionChange(
        parsing: &reader, isRefresh: event.code == .encryptionKeyRefreshComplete)
      tell(.encryption(change), adapter, change.connectionHandle)
    case .readRemoteVersionInformationComplete:
      let version = try RemoteVersionInformation(parsing: &reader)
      if version.status == .success { tell(.version(version), adapter, version.connectionHandle) }
    case .remoteNameRequestComplete:
      let name = try RemoteName(parsing: &reader)
      guard name.status == .success else { return }
      advertisers.note(name: name.name, of: name.address)
      for link in links where link.adapter == adapter && link.peer == name.address && link.closedAt == nil {
        context.tell(.peer(PeerIdentity(address: name.address, name: name.name)), connection: link.id)
      }
    default: break
    }
  }

  @inline(__always)
  private mutating func receive(leEvent event: HCIEvent, _ adapter: UInt16) throws(ParsingError) {
    var reader = event.parameters.reader("HCI LE Meta event")
    let code = LESubeventCode(rawValue: try reader.uint8("Subevent_Code"))
    switch code {
    case .advertisingReport, .extendedAdvertisingReport:
      let isExtended = code == .extendedAdvertisingReport
      advertisers.note(try AdvertisingReports(parsing: reader, isExtended: isExtended), &context)
    default:
      try receive(leConnectionEvent: code, reader, adapter)
    }
  }

  @inline(never)
  private mutating func receive(
    leConnectionEvent code: LESubeventCode, _ reader: OctetReader, _ adapter: UInt16
  ) throws(ParsingError) {
    var reader = reader
    switch code {
    case .connectionComplete:
      receive(try ConnectionComplete(parsingLE: &reader, enhanced: false), adapter)
    case .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
      receive(try ConnectionComplete(parsingLE: &reader, enhanced: true), adapter)
    case .connectionUpdateComplete:
      let update = try ConnectionUpdateComplete(parsing: &reader)
      let event = ParametersEvent(status: update.status, parameters: update.parameters)
      tell(.parameters(event), adapter, update.connectionHandle)
    case .remoteConnectionParameterRequest:
      let handle = try reader.uint16("Connection_Handle") & 0xFFF
      let request = try ConnectionParameterRequest(parsing: &reader)
      if let place = place(adapter, handle) {
        links[place].apply(linkLayerRequest: request, .asked, &context)
      }
    case .dataLengthChange:
      let change = try DataLengthChange(parsing: &reader)
      tell(.dataLength(change), adapter, change.connectionHandle)
    case .phyUpdateComplete:
      let update = try PHYUpdateComplete(parsing: &reader)
      tell(.phy(update), adapter, update.connectionHandle)
    default: break
    }
  }

  /// A connection was made, or an attempt failed.
  private mutating func receive(_ made: ConnectionComplete, _ adapter: UInt16) {
    let attempt = attempts.finish(adapter)
    guard made.status == .success else {
      let isCancelled = attempt.isCancelled && made.status == .unknownConnectionIdentifier
      let event = ConnectAttemptEvent(
        peer: made.peer.number == 0 ? nil : made.peer, outcome: isCancelled ? .cancelled : .failed(made.status))
      return context.tell(.connectAttempt(event), connection: nil)
    }
    // BR/EDR events do not tell the role; who asks for a connection becomes its central.
    let event = ConnectedEvent(
      handle: made.connectionHandle, adapter: adapter, isLowEnergy: made.isLowEnergy,
      role: made.role ?? (attempt.peer == made.peer ? .central : nil),
      peer: PeerIdentity(address: made.peer, name: advertisers.name(of: made.peer)), parameters: made.parameters,
      wasSeen: true)
    open(event)
  }

  private mutating func receive(_ complete: CommandComplete, _ adapter: UInt16) throws(ParsingError) {
    switch complete.opcode {
    case .readRSSI where context.wantsSignalStrength:
      let read = try ReadRSSIReturn(parsing: complete.returnParameters)
      if read.status == .success { tell(.rssi(read.rssi), adapter, read.connectionHandle) }
    case .reset:
      closeAll(of: adapter)
      _ = attempts.finish(adapter)
    default: break
    }
  }

  /// A refused command to connect ends the attempt at once.
  private mutating func receive(_ status: CommandStatus, _ adapter: UInt16) throws(ParsingError) {
    guard status.status != .success, let peer = attempts.refused(status.opcode, adapter) else { return }
    let event = ConnectAttemptEvent(peer: peer, outcome: .failed(status.status))
    context.tell(.connectAttempt(event), connection: nil)
  }
}

// MARK: - HCI commands

extension ConnectionTracker {
  private mutating func receive(_ command: HCICommand, _ adapter: UInt16) {
    do {
      switch command.opcode {
      case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2, .createConnection:
        guard let create = try CreateConnection(command.opcode, parsing: command.parameters) else { return }
        attempts.begin(command.opcode, create.peer, adapter)
        context.tell(.connectAttempt(ConnectAttemptEvent(peer: create.peer, outcome: .begun)), connection: nil)
      case .leCreateConnectionCancel, .createConnectionCancel:
        attempts.cancel(adapter)
      case .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply:
        var reader = command.parameters.reader("HCI command")
        let handle = try reader.uint16("Connection_Handle") & 0xFFF
        let isAccepted = command.opcode == .leRemoteConnectionParameterRequestReply
        if let place = place(adapter, handle) {
          links[place].apply(linkLayerRequest: nil, isAccepted ? .accepted : .refused, &context)
        }
      default: break
      }
    } catch {
      if !command.parameters.isCut { context.tell(error, .sent, connection: nil) }
    }
  }
}
