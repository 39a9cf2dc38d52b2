import BluetoothHost
import CaptureFiles
import Octets

// What the host tells its controller to do.

extension ConnectionTracker {
  mutating func receive(_ command: HCICommand, _ adapter: UInt16) {
    settleReset(of: adapter)
    defer { commands.note(command.opcode, adapter, context.moment) }
    do {
      switch command.opcode {
      case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2, .createConnection:
        try receive(attempt: command, adapter)
      case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList:
        let change = try FilterAcceptListChange(command.opcode, parsing: command.parameters)
        if let change { acceptLists.ask(for: change, command.opcode, adapter) }
      case .reset:
        // Where the capture holds no events, it holds no answers.
        tell(.resetAsked(unanswered: hasEvents ? commands.unanswered(by: adapter) : nil), of: adapter)
        commands.askForReset(of: adapter)
      case .leSetEventMask: commands.note(eventMask: command.parameters.octets, adapter)
      case .leAddDeviceToResolvingList:
        let device = try ResolvingListDevice(parsing: command.parameters)
        if let key = device.key { context.learn(key, of: device.address, adapter: adapter) }
      case .leCreateConnectionCancel, .createConnectionCancel:
        attempts.cancel(isLowEnergy: command.opcode == .leCreateConnectionCancel, adapter)
      case .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply:
        try receive(parameterRequestReply: command, adapter)
      case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable:
        let enable = try AdvertisingEnable(command.opcode, parsing: command.parameters)
        if let enable, enable.isOfAllSets || enable.isOn { attempts.noteAdvertising(enable.isOn, adapter) }
      case .leSetScanEnable, .leSetExtendedScanEnable:
        hasScanned = true
        var reader = command.reader()
        if try reader.uint8("Enable") == 1 { tell(.scans, of: adapter) }
      case .leReadRemoteFeatures:
        var reader = command.reader()
        noteBeginning(try reader.connectionHandle(), adapter)
      case .disconnect, .leConnectionUpdate, .leEnableEncryption, .leLongTermKeyRequestNegativeReply:
        try receive(connectionCommand: command, adapter)
      default: break
      }
    } catch {
      if !command.parameters.isCut { context.tell(error, .sent, connection: nil) }
    }
  }

  /// The host wants to connect to a peer, or to any on its accept list.
  private mutating func receive(attempt command: HCICommand, _ adapter: UInt16) throws(ParsingError) {
    guard let create = try CreateConnection(command.opcode, parsing: command.parameters) else { return }
    let attempt = ConnectionAttempts.Attempt(command.opcode, create.peer, acceptLists, adapter, at: context.time)
    attempts.begin(attempt, adapter)
    let event = ConnectAttemptEvent(
      adapter: adapter, peer: attempt.peer, accepted: attempt.accepted, outcome: .begun,
      mayBeForOthers: attempt.accepted != nil && acceptLists.mayHoldOthers(adapter))
    context.tell(.connectAttempt(event), connection: nil)
  }

  /// The host accepts or refuses other parameters, for which the peer asks over the link layer.
  private mutating func receive(parameterRequestReply command: HCICommand, _ adapter: UInt16) throws(ParsingError) {
    var reader = command.reader()
    let handle = try reader.connectionHandle()
    let isAccepted = command.opcode == .leRemoteConnectionParameterRequestReply
    guard let place = place(adapter, handle) else { return }
    links[place].channels.apply(linkLayerRequest: nil, isAccepted ? .accepted : .refused, &context)
  }

  /// The host wants something of a connection. Core 6.0, Vol 4, Part E, 7.1.6, 7.8.18, 7.8.24 and 7.8.26.
  private mutating func receive(connectionCommand command: HCICommand, _ adapter: UInt16) throws(ParsingError) {
    var reader = command.reader()
    let handle = try reader.connectionHandle()
    let place = place(adapter, handle)
    let wish: CommandEvent.Wish =
      switch command.opcode {
      case .disconnect: .end
      case .leConnectionUpdate: .parameters(try ConnectionParameterRequest(parsing: &reader))
      case .leEnableEncryption: .encryption
      default: .noEncryption
      }
    // Who denies something has no answer to wait for.
    if wish != .noEncryption { commands.ask(wish, command.opcode, adapter, connection: place.map { links[$0].id }) }
    guard let place else { return }
    if wish == .end {
      links[place].endRequest.ask((try? reader.uint8("Reason")).map(HCIErrorCode.init(rawValue:)))
    }
    context.tell(.command(CommandEvent(wish: wish, step: .asked)), connection: links[place].id)
  }
}

// MARK: - What became of them

extension ConnectionTracker {
  mutating func receive(_ complete: CommandComplete, _ adapter: UInt16) throws(ParsingError) {
    commands.noteAnswer(to: complete.opcode, adapter)
    guard complete.isSuccess else { return noteRefusal(of: complete.opcode, adapter) }
    switch complete.opcode {
    case .readRSSI:
      note(try ReadRSSIReturn(parsing: complete.returnParameters), adapter)
    case .reset:
      _ = commands.settleReset(of: adapter)
      closeAll(of: adapter, .reset)
    case .leCreateConnectionCancel, .createConnectionCancel:
      attempts.noteCancel(isTaken: true, isLowEnergy: complete.opcode == .leCreateConnectionCancel, adapter)
    case .readBDADDR, .readLocalVersionInformation:
      if let controller = ControllerIdentity(complete) { note(controller, of: adapter) }
    case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList:
      let removed = acceptLists.answer(complete.opcode, isDone: true, adapter)
      if let removed { tell(.awaitsNoLonger(removed), of: adapter) }
    default: break
    }
  }

  /// So strongly a peer is heard: on BR/EDR it is no strength.
  mutating func note(_ read: ReadRSSIReturn, _ adapter: UInt16) {
    guard context.wantsSignalStrength, read.status == .success, let strength = read.rssi,
      let place = place(adapter, read.connectionHandle), links[place].isLowEnergy != false
    else { return }
    context.tell(signalStrength: strength, connection: links[place].id)
  }

  /// A peer's controller is the same on each of its connections.
  mutating func note(_ version: RemoteVersionInformation, _ adapter: UInt16) {
    guard version.status == .success, let place = place(adapter, version.connectionHandle) else { return }
    links[place].channels.signs.note(version, at: context.moment, &context.conclusions)
    context.tell(.version(version), connection: links[place].id)
  }

  /// The controller begins with what it was asked for, or refuses it. A refused command to connect ends the attempt.
  mutating func receive(_ status: CommandStatus, _ adapter: UInt16) {
    commands.noteAnswer(to: status.opcode, adapter)
    let isBegun = status.status == .success
    if !isBegun { noteRefusal(of: status.opcode, adapter) }
    if let (wish, connection) = commands.answer(status.opcode, adapter, status.status) {
      if let place = links.firstIndex(where: { $0.id == connection && $0.closedAt == nil }) {
        note(wish, isBegun ? .begun : .refused(status.status), of: place)
      }
    } else if !isBegun, let refused = attempts.refused(status.opcode, adapter) {
      let event = ConnectAttemptEvent(
        adapter: adapter, peer: refused.attempt.peer, accepted: refused.attempt.accepted,
        outcome: .failed(status.status),
        isBesideAnother: refused.isBesideAnother)
      context.tell(.connectAttempt(event), connection: nil)
    }
  }

  /// The controller begins with something that the host wants of a connection, or does not do it.
  mutating func note(_ wish: CommandEvent.Wish, _ step: CommandEvent.Step, of place: Int) {
    if wish == .end {
      if step == .begun {
        links[place].endRequest.begin()
      } else if links[place].endRequest.isBegun {
        // It was asked once more, while it does that.
        return
      } else {
        links[place].endRequest = EndRequest()
      }
    }
    context.tell(.command(CommandEvent(wish: wish, step: step)), connection: links[place].id)
  }

  /// A connection that the controller was to end stays.
  mutating func noteStay(_ reason: HCIErrorCode, of place: Int) {
    links[place].endRequest = EndRequest()
    context.tell(.command(CommandEvent(wish: .end, step: .refused(reason))), connection: links[place].id)
  }

  /// The controller does not do what it was asked for.
  private mutating func noteRefusal(of opcode: HCIOpcode, _ adapter: UInt16) {
    switch opcode {
    case .reset: _ = commands.settleReset(of: adapter)
    case .leSetEventMask: commands.refuseEventMask(adapter)
    case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable: attempts.refuseAdvertising(adapter)
    case .leCreateConnectionCancel, .createConnectionCancel:
      attempts.noteCancel(isTaken: false, isLowEnergy: opcode == .leCreateConnectionCancel, adapter)
    case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList:
      _ = acceptLists.answer(opcode, isDone: false, adapter)
    default: break
    }
  }
}
