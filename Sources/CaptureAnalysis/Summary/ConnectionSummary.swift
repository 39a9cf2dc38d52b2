public import BluetoothHost
import CaptureFiles
public import GATTKit

/// What a report says of one connection.
public struct ConnectionSummary: Sendable {
  /// Its number, in order of appearance.
  public let id: Int
  /// Its connection handle.
  public let handle: UInt16
  /// Its adapter.
  public let adapter: UInt16
  /// Whether it is a Low Energy connection; nil if unknown.
  public private(set) var isLowEnergy: Bool?
  /// The local host's role; nil if unknown.
  public private(set) var role: ConnectionRole?
  /// The peer's address; nil where the connection's beginning is not in the capture.
  public private(set) var address: DeviceAddress?
  /// Its lasting address, where that is a private one and the capture tells whose it is.
  public private(set) var identity: DeviceAddress?
  /// The private address that it used, where its controller resolved that.
  private(set) var privateAddress: DeviceAddress?
  /// The peer.
  public internal(set) var peer = DeviceFacts()
  /// The local host, as its own server tells.
  public internal(set) var local = DeviceFacts()
  /// The first record that shows it, whether it was made there or not.
  public private(set) var first: Moment
  /// Whether its making is in the capture.
  public private(set) var wasOpened: Bool
  /// Whether the clock took a step before the first measurement.
  private var hasEarlyClockStep = false
  /// Its end; nil if it is open at the end of the capture.
  public private(set) var closed: Moment?
  /// How it ended; nil if it is open at the end of the capture.
  public private(set) var end: DisconnectedEvent?
  /// Why it ended; nil if that was not seen.
  public var reason: HCIErrorCode? { end?.reason }
  /// Its parameters, and each change.
  public private(set) var parameters: [Parameters] = []
  /// The longest ATT PDU that the two sides agreed on; nil if they did not speak of it in this capture.
  public private(set) var exchangedMTU: UInt16?
  /// Whether something of what was said on it is not in the capture.
  public private(set) var lacksSome = false
  private var lostAgreement = LostAgreement()
  /// The same of enhanced bearers.
  public private(set) var enhanced = BearerMTUs()
  private var linkEncryption = LinkEncryption()
  /// Fragments and PDUs that were broken.
  public private(set) var malformedPDUs = 0
  /// What was known of the two servers when it ended; nil while it lasts, and where that takes too much memory.
  var databases: ConnectionDatabases?
  private var inferences: [Inference] = []
  private var sessions: [HeartRateSession] = []

  /// Parameters that came to hold.
  public struct Parameters: Sendable {
    /// Since when.
    public let moment: Moment
    /// What they are.
    public let parameters: ConnectionParameters
  }

  /// As many changes of parameters are listed.
  private static let mostParameters = 1000

  init(_ event: Event, _ connected: ConnectedEvent) {
    id = event.connection ?? 0
    handle = connected.handle
    adapter = connected.adapter
    isLowEnergy = connected.isLowEnergy
    role = connected.role
    (address, identity) = (connected.peer.address, connected.peer.identity)
    privateAddress = connected.peer.privateAddress
    peer.name = connected.peer.name
    first = event.moment
    wasOpened = connected.wasSeen
    if let parameters = connected.parameters {
      self.parameters = [Parameters(moment: first, parameters: parameters)]
    }
  }

  /// Takes over how the connection began, which came to light after its first packets.
  mutating func begin(_ connection: ConnectionSummary) {
    (isLowEnergy, role) = (connection.isLowEnergy ?? isLowEnergy, connection.role)
    (address, identity, privateAddress) = (connection.address, connection.identity, connection.privateAddress)
    (first, wasOpened) = (connection.first, true)
    parameters.insert(contentsOf: connection.parameters, at: 0)
    let learned = peer
    peer = connection.peer
    peer.takeOver(learned)
  }

  /// Takes over what was known before.
  mutating func take(_ known: (peer: DeviceFacts?, local: DeviceFacts?)) {
    let name = peer.name
    if let known = known.peer { peer = known.ofEarlierConnection }
    if !peer.isNameRead, let name { peer.name = name }
    if let known = known.local { local = known.ofEarlierConnection }
  }
}

// MARK: - What is in it

extension ConnectionSummary {
  /// The address by which the peer is known again; nil where there is none.
  public var lastingAddress: DeviceAddress? { PeerIdentity(address: address, identity: identity).lastingAddress }

  /// The longest ATT PDU: what was agreed on, else what every Low Energy connection begins with; nil where an agreement
  /// may lie before the capture, or among records that were lost. Core 6.0, Vol 3, Part G, 5.2.1.
  public var mtu: UInt16? {
    exchangedMTU ?? (wasOpened && isLowEnergy == true && !lostAgreement.isPossible ? ATTConversation.leastMTU : nil)
  }

  /// Whether it was encrypted at any time; nil where that may have been switched on before the capture, or was asked for
  /// and what came of it is not told.
  public var encryption: Bool? {
    if linkEncryption.wasOn { return true }
    return wasOpened && !linkEncryption.mayBeOn ? false : nil
  }

  /// Whether the peer was never heard: the connection came to nothing.
  public var cameToNothing: Bool { reason == .connectionFailedToBeEstablished && !hasMeasurements }

  /// Whether a heart rate was sent on it, by whomever, whether a filter shows it or not.
  public var hasMeasurements: Bool { sessions.contains { $0.amount > (0, 0) } }

  /// How many of the measurements that are shown can be right.
  fileprivate var soundMeasurements: Int {
    heartRate.map { $0.statistics.measurements - $0.statistics.malformed } ?? 0
  }

  /// The heart rate sensor of this connection; nil if neither end is one.
  public var heartRate: HeartRateSession? {
    if let busiest = sessions.max(by: { $0.amount < $1.amount }), busiest.amount > (0, 0) { return completed(busiest) }
    for server in ServerSide.allCases {
      guard let handle = database(server)?.characteristics(.heartRateMeasurement).first?.valueHandle,
        let session = sessions.first(where: { $0.server == server }) ?? silentSession(server)
      else { continue }
      return completed(session.with(measurementHandle: handle))
    }
    return nil
  }

  /// A sensor that nobody has asked anything on this connection is one all the same. The local host is not: it serves all
  /// its peers alike, and is no sensor to its headphones. Nor are headphones that play music over BR/EDR, whatever they
  /// have told over Low Energy.
  private func silentSession(_ server: ServerSide) -> HeartRateSession? {
    server == .peer && isLowEnergy != false ? HeartRateSession(server: server) : nil
  }

  /// Where both ends have sent heart rates, those of the end that has sent fewer; nil where only one has.
  public var otherHeartRate: HeartRateSession? {
    guard sessions.count > 1, let first = heartRate else { return nil }
    return sessions.first { $0.server != first.server && $0.statistics.measurements > 0 }.map(completed)
  }

  /// A session with all that is known around it.
  private func completed(_ session: HeartRateSession) -> HeartRateSession {
    var session = session
    session.inference = session.inference(among: inferences)
    if session.server == .peer { session.origin = databases?.origin }
    return session.completed(by: database(session.server), device(session.server).locations.handles)
  }

  /// Attributes that may be heart rate measurements, without its being sure enough; the likeliest first.
  public var candidates: [Inference] {
    untoldInferences.filter { !$0.isTaken && $0.confidence >= Self.leastConfidence }
  }

  /// Attributes that are taken for heart rate measurements beside the one of the session, the likeliest first.
  public var furtherInferences: [Inference] { untoldInferences.filter(\.isTaken) }

  private var untoldInferences: [Inference] {
    if inferences.isEmpty { return [] }
    let told = [heartRate?.inference, otherHeartRate?.inference]
    return inferences.filter { !told.contains($0) }
      .sorted { ($0.confidence, $1.handle) > ($1.confidence, $0.handle) }
  }

  /// What is less likely than this is no candidate.
  private static let leastConfidence = 0.02

  /// Whose GATT server `services` is: the sensor's, else the peer's if anything is known of it.
  public var server: ServerSide {
    if let heartRate { return heartRate.server }
    return databases.map { $0.peer.isEmpty && !$0.local.isEmpty } ?? false ? .local : .peer
  }

  /// The GATT services of one end, with all that is in them.
  public func services(_ server: ServerSide) -> [GATTService] {
    database(server)?.services ?? []
  }

  /// How many services of one end are known.
  public func serviceCount(_ server: ServerSide) -> Int { database(server)?.serviceCount ?? 0 }

  /// Where the service lies, and ends, that holds the measurements of a session; nil if it was not discovered.
  public func serviceHandles(of session: HeartRateSession) -> ClosedRange<UInt16>? {
    guard let handle = session.measurementHandle, let database = database(session.server),
      let service = database.serviceType(at: handle),
      // The table may have changed since they came.
      service == .heartRateService || database.type(of: handle) == .heartRateMeasurement
    else { return nil }
    return database.serviceHandles(at: handle)
  }

  /// Values and descriptors of one end that were discovered by themselves, and of which nothing tells to which characteristic
  /// they belong: `services` has no place for them.
  public func strayAttributes(_ server: ServerSide) -> [GATTDescriptor] {
    guard let database = database(server) else { return [] }
    let placed = Set(
      database.services.flatMap(\.characteristics).flatMap { [$0.valueHandle] + $0.descriptors.map(\.handle) })
    let declarations: Set<BluetoothUUID> = [.primaryService, .secondaryService, .include, .characteristic]
    return database.declarationsAndDescriptors(in: 1...UInt16.max).filter {
      !declarations.contains($0.uuid) && !placed.contains($0.handle)
    }
  }

  /// From the making of the connection to its first measurement, in seconds; nil if one of them is not in the capture.
  public var secondsToFirstMeasurement: Double? { heartRate.flatMap(secondsToFirstMeasurement) }

  /// The same of one of its sensors.
  public func secondsToFirstMeasurement(of session: HeartRateSession) -> Double? {
    guard wasOpened, !hasEarlyClockStep, first.time.isTold, let firstTime = session.firstTime else { return nil }
    return max(0, firstTime.seconds(since: first.time))
  }

  /// What the sensor says of itself: the peer, or the local host where that is the sensor.
  public var sensor: DeviceFacts { device(server) }

  /// What one end says of itself.
  public func device(_ server: ServerSide) -> DeviceFacts { server == .peer ? peer : local }

  /// Where the sensor of a session is worn, as its own heart rate service says.
  public func location(of session: HeartRateSession) -> LocationRead? {
    device(session.server).locations.location(at: session.locationHandle, in: database(session.server))
  }

  private func database(_ server: ServerSide) -> GATTDatabase? {
    server == .peer ? databases?.peer : databases?.local
  }
}

// MARK: - How it comes together

extension ConnectionSummary {
  /// A measurement; of all other events there are few.
  @inline(__always)
  mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, lists: Bool) {
    sessions[session(measurement.server)].note(measurement, moment, lists: lists)
  }

  /// A measurement that a filter leaves out.
  mutating func leaveOut(_ measurement: HeartRateEvent, _ moment: Moment) {
    sessions[session(measurement.server)].leaveOut(handle: measurement.handle, moment.time)
  }

  /// A value of another attribute.
  mutating func note(_ value: CapturedValue, _ moment: Moment) {
    if value.server == .peer { peer.note(value, moment) } else { local.note(value, moment) }
  }

  mutating func note(_ event: Event) {
    let moment = event.moment
    switch event.content {
    case .parameters(let change):
      guard change.status == .success, parameters.count < Self.mostParameters else { return }
      parameters.append(Parameters(moment: moment, parameters: change.parameters))
    case .mtu(let agreed):
      if agreed.isEnhanced { enhanced.note(agreed) } else { exchangedMTU = agreed.mtu }
      lostAgreement.note(agreed)
    case .encryption(let change): linkEncryption.note(change)
    case .command(let command): linkEncryption.note(command)
    case .peer(let identity):
      if let name = identity.name { peer.name = name }
      self.identity = identity.identity ?? self.identity
    case .transport(let isLowEnergy): self.isLowEnergy = isLowEnergy
    case .read(let value), .notification(let value), .indication(let value): note(CapturedValue(value), moment)
    case .characteristic(let found):
      guard found.characteristic.uuid == .heartRateMeasurement else { return }
      sessions[session(found.server)].discover(found.characteristic.valueHandle)
    case .subscribed(let subscription):
      guard subscription.uuid == .heartRateMeasurement else { return }
      sessions[session(subscription.server)].subscribe(subscription, moment)
    case .unsubscribed(let subscription):
      guard subscription.uuid == .heartRateMeasurement else { return }
      // A bond keeps them on, and so does whoever switched them on before the capture.
      let mayBeOn = !wasOpened || lacksSome || encryption != false
      sessions[session(subscription.server)].unsubscribe(subscription, moment, mayBeOn: mayBeOn)
    case .dialogue(.lost):
      lacksSome = true
      lostAgreement.noteLoss(hasMeasurements: sessions.contains { $0.firstTime != nil })
      for place in sessions.indices { sessions[place].noteLoss() }
    case .malformed: malformedPDUs += 1
    case .dialogue(.clockStep):
      if sessions.allSatisfy({ $0.firstTime == nil }) { hasEarlyClockStep = true }
      for place in sessions.indices { sessions[place].noteClockStep() }
    case .databases(let databases): self.databases = databases
    case .inferred(let inference):
      inferences.removeAll { $0.isOfAttribute(of: inference) }
      inferences.append(inference)
    case .disconnected(let end):
      (closed, self.end) = (moment, end)
      for place in sessions.indices { sessions[place].settle() }
    default: break
    }
  }

  @inline(__always)
  private mutating func session(_ server: ServerSide) -> Int {
    // Hardly ever are both ends sensors.
    if let first = sessions.first?.server, first == server { return 0 }
    return otherSession(server)
  }

  @inline(never)
  private mutating func otherSession(_ server: ServerSide) -> Int {
    if let place = sessions.firstIndex(where: { $0.server == server }) { return place }
    sessions.append(HeartRateSession(server: server))
    return sessions.count - 1
  }
}

extension BidirectionalCollection {
  /// The connection that shows most of its sensor, the last of those that show as much: what a sensor does for a moment is
  /// not its way.
  public func showingMost(_ summary: (Element) -> ConnectionSummary) -> Element? {
    reversed().max { summary($0).soundMeasurements < summary($1).soundMeasurements }
  }
}
