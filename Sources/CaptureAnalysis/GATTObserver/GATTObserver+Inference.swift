import BluetoothHost
import GATTKit

// What is made of attributes whose types nothing in the capture tells.

extension GATTObserver {
  /// Looks at a value of unknown type. When enough have come, they may be taken for heart rates from there on: all that
  /// can be done where a capture cannot be read twice.
  @inline(never)
  mutating func consider(
    _ handle: UInt16, _ value: CapturedOctets, by side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let count = unknown.notified(handle, value, by: side, at: context.time)
    if count == 0 { return types.dismiss(handle) }
    guard context.knowledge.concludesAtOnce, count >= 8, count & (count - 1) == 0 else { return }
    for var inference in likelyMeasurements(context.databases)
    where inference.handle == handle && inference.server == side
      && inference.confidence >= context.knowledge.minConfidence
    {
      inference.isTaken = true
      if inference.deniesTable { setApart(side, &context) }
      inferred.append(inference)
      types.forget()
      context.tell(.inferred(inference), connection: connection)
    }
  }

  /// What the values of each attribute are, and what of a discovery is not believed for it.
  private func likelyMeasurements(_ databases: DatabaseShelf) -> [Inference] {
    let present = inferred.filter { $0.lastPeriod == nil }
    let isServiceTold = BothServers(of: { told.holds(serviceOfType: .heartRateService, $0) })
    let found = unknown.inferences(peerSurroundings, besides: present, behind: pastInferences) { handle, server in
      if deniesTable(handle, server, databases) { return .unknown }
      if databases[place(server)].serviceType(at: handle) == .heartRateService { return .aloneInHeartRate }
      return isServiceTold[server] ? .outsideHeartRate : .unknown
    }
    return found.map { inference in
      var inference = inference
      let database = databases[place(inference.server)]
      inference.deniesTable = deniesTable(inference, databases)
      if inference.deniesTable { inference.evidence.append(whyOfAnotherTable(inference, databases)) }
      if let type = database.type(of: inference.handle), type.mayBeDamagedMeasurement {
        let why = type.isNearlyMeasurement ? "one bit from it" : "which is no characteristic's"
        inference.evidence.append("its service has to have a measurement, and its type was told as \(type), \(why)")
      }
      if let other = database.valueHandle(of: .heartRateMeasurement), !database.followsDeclaration(other) {
        inference.evidence.append("the one that was told at \(handleWords(other)) is not right behind its declaration")
      }
      return inference
    }
  }

  /// Why heart rates from an attribute show that the table is of another time.
  private func whyOfAnotherTable(_ inference: Inference, _ databases: DatabaseShelf) -> String {
    let known = "in the table that is known from elsewhere"
    if databases.cannotNotify(inference.handle, at: place(inference.server)) {
      return "\(known) nothing notifies there"
    }
    let type = databases[place(inference.server)].type(of: inference.handle)
    return type.map { "\(known) it is \(AssignedNumbers.attributeName($0) ?? "\($0)"), which looks otherwise" }
      ?? "what is the measurement \(known) sends none"
  }

  /// What has been made of the attributes in the end, as far as nothing that was discovered denies it.
  func inferences(_ context: TrackingContext<some EventReceiver>) -> [Inference] {
    let present = presentInferences(context.databases)
    let past = pastInferences.filter { one in
      // No other format has RR-Intervals that fit the rates.
      (one.intervalsFit || context.databases[place(one.server)].mayHaveHeldMeasurement(one.handle))
        && !present.contains { $0.isOfAttribute(of: one) && $0.confidence >= context.knowledge.minConfidence }
    }
    return past + present.filter { one in !past.contains { $0.isOfAttribute(of: one) } }
  }

  /// What was made of attributes when the capture was read before, and was denied by what was discovered later.
  func deniedInferences(_ context: TrackingContext<some EventReceiver>) -> [Inference] {
    let others = inferences(context)
    return (context.knowledge.denied[connection] ?? []).filter { one in
      !measuringServers.contains(one.server) && !others.contains { $0.isOfAttribute(of: one) }
    }
  }

  /// An inference as it is told: where its values are sure to be measurements and are not taken for such, the table denies
  /// it, and what it says is a part of the evidence.
  func told(_ inference: Inference, _ context: TrackingContext<some EventReceiver>) -> Inference {
    let knowledge = context.knowledge
    guard !inference.isTaken, !knowledge.concludesAtOnce, inference.confidence >= knowledge.minConfidence else {
      return inference
    }
    var inference = inference
    inference.isDenied = true
    let place = place(inference.server)
    let table = context.databases.origin(of: place) == .imported ? "what was imported" : "what was discovered"
    inference.evidence.append(
      context.databases[place].valueHandle(of: .heartRateMeasurement).map {
        "\(table) has the measurement at \(handleWords($0))"
      } ?? "\(table) denies it")
    return inference
  }

  /// What has been made of the attributes by the tables of the moment.
  private func presentInferences(_ databases: DatabaseShelf) -> [Inference] {
    let found = likelyMeasurements(databases)
    let all = inferred.filter { one in !found.contains { $0.isOfAttribute(of: one) } } + found
    return all.filter { mayHoldMeasurement($0.handle, $0.server, databases) }.map { inference in
      var inference = inference
      inference.isTaken = inferred.contains { $0.isOfAttribute(of: inference) }
      return inference
    }
  }

  /// A server's table changes: what is discovered from now on says little of what was made of its attributes, and that
  /// little of them from now on.
  mutating func keepInferences(of side: ServerSide, in handles: ClosedRange<UInt16>, _ databases: DatabaseShelf) {
    let period = told.changes(of: side)
    // A table that changes again and again is made to take time.
    if period < 3 {
      for var one in presentInferences(databases) where one.server == side && handles.contains(one.handle) {
        one.lastPeriod = period
        pastInferences.removeAll { $0.isOfAttribute(of: one) }
        pastInferences.append(one)
      }
    }
    inferred.removeAll { $0.server == side && $0.lastPeriod == period }
  }

  /// What the peer has said of itself before; and its database, where that is known from elsewhere.
  mutating func know(
    _ peer: PeerIdentity, adapter: UInt16, _ context: inout TrackingContext<some EventReceiver>
  ) {
    peerSurroundings.advertisesHeartRate = peer.advertisesHeartRate
    peerSurroundings.sensorName = peer.name.flatMap { SensorNames.isSensor($0) ? $0 : nil }
    let elsewhere = peer.lastingAddress.flatMap { context.databases.known(of: $0, besides: adapter) }
    let known =
      context.knowledge.database(of: peer.lastingAddress, under: peer.address) ?? elsewhere
      ?? context.knowledge.unnamedDatabase(
        for: connection, with: [peer.lastingAddress, peer.address], called: peer.name)
    guard let known, !isApart(.peer) else { return }
    context.databases.fill(place(.peer), with: known)
  }

  /// What was discovered only after values had come is known from the beginning when the capture is read again.
  func know(_ discovered: ServerDatabases, _ context: inout TrackingContext<some EventReceiver>) {
    for side in ServerSide.allCases {
      guard let database = discovered[side], !isApart(side) else { continue }
      let known = CaptureKnowledge.PeerDatabase(address: nil, database: database, origin: .otherConnection)
      context.databases.complete(place(side), with: known)
    }
  }
}

extension GATTObserver {
  /// Whether the peer's name may still be read: a host does that when it connects; apps may read other things for hours.
  var looksForName: Bool { readsForName < 16 }

  /// A value was read from the peer that is its name, or may be: where it is one that sensors have, that says something.
  @inline(never)
  mutating func noteName(
    _ value: CapturedOctets, uuid: BluetoothUUID?, _ context: inout TrackingContext<some EventReceiver>
  ) {
    readsForName += 1
    if uuid == .deviceName, !value.isCut,
      let name = (try? DeviceInformationString(value.octets))?.text.unlessBlank
    {
      // What a short ATT_MTU leaves of a name is the same name.
      if let peerName, !name.isBeginning(of: peerName), !peerName.isBeginning(of: name) {
        signs.noteOtherPeer(at: context.moment, &context.conclusions)
      }
      if peerName.map({ !name.isBeginning(of: $0) }) ?? true { peerName = name }
    }
    guard uuid == nil || uuid == .deviceName, peerSurroundings.sensorName == nil,
      (4...248).contains(value.octets.count)
    else { return }
    let name = String(decoding: ContiguousArray(value.octets), as: UTF8.self)
    if SensorNames.isSensor(name) { peerSurroundings.sensorName = name }
  }
}
