import BluetoothHost
import CaptureFiles
import Octets

// What the controller tells of connections.

extension ConnectionTracker {
  mutating func receive(_ code: HCIEventCode, _ parameters: CapturedOctets, _ adapter: UInt16) {
    do {
      switch code {
      case .commandComplete: try receive(CommandComplete(parsing: parameters), adapter)
      case .commandStatus: receive(try CommandStatus(parsing: parameters), adapter)
      case .hardwareError:
        tell(.failed(try HardwareError(parsing: parameters)), of: adapter)
      case .disconnectionComplete: receive(try DisconnectionComplete(parsing: parameters), adapter)
      case .connectionComplete:
        if let made = try ConnectionComplete(parsingBREDR: parameters) { receive(made, adapter) }
      case .encryptionChange, .encryptionChangeV2:
        receive(try EncryptionChange(parsing: parameters, isRefresh: false), adapter)
      case .encryptionKeyRefreshComplete:
        receive(try EncryptionChange(parsing: parameters, isRefresh: true), adapter)
      case .readRemoteVersionInformationComplete: note(try RemoteVersionInformation(parsing: parameters), adapter)
      case .remoteNameRequestComplete: receive(try RemoteName(parsing: parameters), adapter)
      case .synchronousConnectionComplete:
        var reader = parameters.reader("HCI Synchronous Connection Complete")
        if try reader.uint8("Status") == HCIErrorCode.success.rawValue { tell(.carriesVoice, of: adapter) }
      default: break
      }
    } catch {
      // Nobody knows which connection has ended.
      if parameters.isCut, code == .disconnectionComplete { noteHidden() }
      tell(error, parameters)
    }
  }

  private mutating func receive(_ ended: DisconnectionComplete, _ adapter: UInt16) {
    guard ended.status == .success else {
      if let place = place(adapter, ended.connectionHandle) { noteStay(ended.status, of: place) }
      return
    }
    replaced.insert(AdapterHandle(adapter: adapter, handle: ended.connectionHandle))
    guard let place = place(adapter, ended.connectionHandle), !isOfReplaced(ended, place) else { return }
    close(place, reason: ended.reason)
  }

  private mutating func receive(_ change: EncryptionChange, _ adapter: UInt16) {
    guard let place = place(adapter, change.connectionHandle) else { return }
    commands.forget(.leEnableEncryption, connection: links[place].id)
    context.tell(.encryption(change), connection: links[place].id)
  }

  private mutating func receive(_ remote: RemoteName, _ adapter: UInt16) {
    guard remote.status == .success, let name = remote.name?.unlessBlank else { return }
    advertisers.note(name: name, of: remote.address)
    for place in places(of: remote.address, adapter) {
      context.tell(.peer(PeerIdentity(address: remote.address, name: name)), connection: links[place].id)
    }
  }

  mutating func receive(leEvent parameters: CapturedOctets, _ adapter: UInt16) {
    if let reports = AdvertisingReports(parsing: OctetWindow(parameters.octets)) {
      if !advertisers.note(reports, adapter, &context) {
        tell(parameters.reader("HCI LE Meta event").invalid("Num_Reports", "more reports than are there"), parameters)
      }
      return
    }
    do {
      var reader = parameters.reader("HCI LE Meta event")
      let code = LESubeventCode(rawValue: try reader.uint8("Subevent_Code"))
      try receive(leEvent: code, reader, isCut: parameters.isCut, adapter)
    } catch {
      tell(error, parameters)
    }
  }

  private mutating func tell(_ content: EventContent, _ adapter: UInt16, _ handle: UInt16) {
    guard let place = place(adapter, handle) else { return }
    context.tell(content, connection: links[place].id)
  }

  /// Something happened to a controller, rather than to one of its connections.
  mutating func tell(_ step: ControllerEvent.Step, of adapter: UInt16) {
    context.tell(.controller(ControllerEvent(adapter: adapter, step: step)), connection: nil)
  }

  private mutating func tell(_ error: ParsingError, _ parameters: CapturedOctets) {
    if !parameters.isCut { context.tell(error.limited(by: "the event's length"), .received, connection: nil) }
  }

  private mutating func receive(
    leEvent code: LESubeventCode, _ reader: OctetReader, isCut: Bool, _ adapter: UInt16
  ) throws(ParsingError) {
    var reader = reader
    switch code {
    case .advertisingReport, .extendedAdvertisingReport:
      // One whose reports could not even be counted.
      _ = try reader.uint8("Num_Reports")
    case .connectionComplete:
      receive(try ConnectionComplete(parsingLE: &reader, enhanced: false, isCut: isCut), adapter)
    case .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
      receive(try ConnectionComplete(parsingLE: &reader, enhanced: true, isCut: isCut), adapter)
    case .connectionUpdateComplete:
      let update = try ConnectionUpdateComplete(parsing: &reader)
      guard let place = place(adapter, update.connectionHandle) else { return }
      if update.status == .success { links[place].parameters = update.parameters }
      let event = ParametersEvent(status: update.status, parameters: update.parameters)
      context.tell(.parameters(event), connection: links[place].id)
    case .subrateChange:
      let change = try SubrateChange(parsing: &reader)
      guard change.status == .success, let place = place(adapter, change.connectionHandle),
        let parameters = links[place].parameters
      else { return }
      let event = ParametersEvent(status: change.status, parameters: parameters.changed(by: change))
      context.tell(.parameters(event), connection: links[place].id)
    case .remoteConnectionParameterRequest:
      let handle = try reader.connectionHandle()
      let request = try ConnectionParameterRequest(parsing: &reader)
      if let place = place(adapter, handle) {
        links[place].channels.apply(linkLayerRequest: request, .asked, &context)
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
    if made.status == .success, isRepeated(made, adapter) { return }
    if made.status == .success { settleReset(of: adapter) }
    let attempt = attempts.finish(with: made, adapter)
    guard made.status == .success else {
      let isCancelled = attempt?.isCancelled == true && made.status == .unknownConnectionIdentifier
      let event = ConnectAttemptEvent(
        adapter: adapter, peer: made.peer.flatMap { $0.number == 0 ? nil : $0 } ?? attempt?.peer,
        accepted: attempt?.accepted,
        outcome: isCancelled ? .cancelled : .failed(made.status),
        isBesideAnother: attempt == nil && made.status == .advertisingTimeout)
      return context.tell(.connectAttempt(event), connection: nil)
    }
    if let peer = made.peer, let address = made.privatePeer { context.learn(address, asOf: peer, adapter: adapter) }
    // BR/EDR events do not tell the role; who asks for a connection becomes its central.
    let event = ConnectedEvent(
      handle: made.connectionHandle, adapter: adapter, isLowEnergy: made.isLowEnergy,
      role: made.role ?? (made.peer != nil && attempt?.peer == made.peer ? .central : nil),
      peer: made.peer.map { identity(of: $0, under: made.privatePeer) } ?? PeerIdentity(), parameters: made.parameters,
      wasSeen: true)
    endEarlier(than: event)
    open(event, asked: attempt?.time)
  }
}
