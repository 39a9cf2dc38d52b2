import BluetoothHost
import CaptureFiles
import GATTKit

/// A peer whose services are not what they were.
struct DatabaseChanged: AnomalyRule {
  static let about = RuleDescription(
    "database-changed", .warning,
    finds: "A peer that shows another table of services than in an earlier connection, and has neither indicated "
      + "Service Changed nor been asked for its Database Hash; or that sends heart rates from where its table of then has "
      + "no measurement. Only mentioned where the client discovers the table on each connection before it uses it, "
      + "and is not bonded, as none was encrypted: a server owes Service Changed to bonded clients.",
    matters: "A phone that remembers the old table reads and writes the wrong attributes, and shows no heart rate.",
    advice: "Remove the bond, or switch Bluetooth off and on, after a change of firmware. The device's maker should "
      + "offer Service Changed, and indicate it to whom the device is bonded.",
    reference: "Core 6.0, Vol 3, Part G, 2.5.2",
    examples: [
      .finds(
        "another service on the same handle", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 0e 00 13 00 0f 18")),
      .finds(
        "the client is bonded", after: .nothing,
        bondedConnection("11 06 0e 00 13 00 0d 18") + bondedConnection("11 06 0e 00 13 00 0f 18")),
      .finds(
        "it has moved", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 10 00 15 00 0d 18")),
      .finds(
        "it has moved far away", after: .nothing,
        connection("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18")
          + connection("11 06 01 00 05 00 00 18 28 00 2d 00 0d 18")),
      .finds(
        "it is alone, and has moved far away", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 20 00 25 00 0d 18")),
      .finds(
        "it is gone", after: .nothing,
        connection("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18") + [
          .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 05 00 00 18"), .sent("10 06 00 ff ff 00 28"),
          .received("01 10 06 00 0a"), .disconnect(0x13),
        ]),
      .finds(
        "the one right before it is gone", after: .nothing,
        connection("11 06 01 00 05 00 00 18 06 00 09 00 0d 18") + connection("11 06 06 00 09 00 0d 18")),
      .finds(
        "it ends elsewhere", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 0e 00 15 00 0d 18")),
      .finds(
        "there is one where there was none", after: .nothing,
        whole("11 06 0e 00 13 00 0d 18", next: "14 00")
          + whole("11 06 0e 00 13 00 0d 18 40 00 46 00 0f 18", next: "47 00")),
      .quiet(
        "the last one is only said to have no end", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 0e 00 ff ff 0d 18")),
      .quiet(
        "a service that is looked for by its type ends elsewhere", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 15 00"), .disconnect(0x13),
        ]),
      .quiet(
        "the first discovery is not finished", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18")
          + whole("11 06 0e 00 13 00 0d 18 40 00 46 00 0f 18", next: "47 00")),
      .quiet(
        "services of one type were looked for only, to the end", after: .nothing,
        [
          .connect, .sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 13 00"),
          .sent("06 14 00 ff ff 00 28 0d 18"), .received("01 06 14 00 0a"), .disconnect(0x13),
        ] + whole("11 06 0e 00 13 00 0d 18 40 00 46 00 0f 18", next: "47 00")),
      .quiet(
        "there is one where there was none, and the server has said so", after: .nothing,
        whole("11 06 0e 00 13 00 0d 18", next: "14 00") + [
          .connect, .sent("08 01 00 05 00 03 28"), .received("09 07 02 00 20 03 00 05 2a"),
          .received("1d 03 00 01 00 ff ff"), .sent("1e"), .disconnect(0x13),
        ] + whole("11 06 0e 00 13 00 0d 18 40 00 46 00 0f 18", next: "47 00")),
      .quiet(
        "the client has asked for the hash between", after: .nothing,
        whole("11 06 0e 00 13 00 0d 18", next: "14 00") + [
          .connect, .sent("08 01 00 ff ff 2a 2b"), .received("09 12 09 00" + String(repeating: " 5a", count: 16)),
          .disconnect(0x13),
        ] + whole("11 06 0e 00 13 00 0d 18 40 00 46 00 0f 18", next: "47 00")),
      .quiet(
        "only later ones are asked for", after: .nothing,
        connection("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18") + [
          .connect, .sent("10 14 00 ff ff 00 28"), .received("11 06 20 00 25 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "services of one type are asked for", after: .nothing,
        connection("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0a 18"), .received("07 06 00 09 00 20 00 25 00"), .disconnect(0x13),
        ]),
      .finds(
        "a service that is looked for by its type begins elsewhere", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0d 18"), .received("07 20 00 25 00"), .disconnect(0x13),
        ]),
      .finds(
        "a service that is looked for by its type is gone", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0d 18"), .received("01 06 01 00 0a"), .disconnect(0x13),
        ]),
      .quiet(
        "a service of another type is looked for", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0f 18"), .received("07 20 00 25 00"), .disconnect(0x13),
        ]),
      .quiet(
        "a secondary service, which nobody finds among primary ones", after: .nothing,
        withSecondary + withSecondary),
      .quiet(
        "the same table", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 0e 00 13 00 0d 18")),
      .quiet(
        "more of the table", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + connection("11 06 01 00 0d 00 00 18")),
      .quiet(
        "the same table in disorder", after: .nothing,
        connection("11 06 01 00 0d 00 00 18 0e 00 13 00 0d 18")
          + connection("11 06 0e 00 13 00 0d 18 01 00 0d 00 00 18")),
      .quiet(
        "a service includes two others, and there is one more between them", after: .nothing,
        connection("11 06 01 00 05 00 00 18 06 00 09 00 01 18 0a 00 0d 00 0f 18") + [
          .connect, .sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 13 00"), .sent("08 0e 00 13 00 02 28"),
          .received("09 08 0f 00 01 00 05 00 00 18 10 00 0a 00 0d 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "the client asks for the hash", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("08 01 00 ff ff 2a 2b"), .received("09 12 09 00" + String(repeating: " 5a", count: 16)),
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "the client has asked for the hash on a connection between", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("08 01 00 ff ff 2a 2b"), .received("09 12 09 00" + String(repeating: " 5a", count: 16)),
          .disconnect(0x13),
        ] + connection("11 06 0e 00 13 00 0f 18")),
      .quiet(
        "the client asks for the hash by a type of 128 bits", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("08 01 00 ff ff fb 34 9b 5f 80 00 00 80 00 10 00 00 2a 2b 00 00"),
          .received("09 12 09 00" + String(repeating: " 5a", count: 16)),
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "the server has answered that the client's table is out of sync", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect, .sent("0a 10 00"), .received("01 0a 10 00 12"), .sent("10 01 00 ff ff 00 28"),
          .received("11 06 0e 00 13 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "the server has said so", after: .nothing,
        connection("11 06 0e 00 13 00 0d 18") + [
          .connect
        ] + .tableChanged + [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0f 18"), .disconnect(0x13),
        ]),
      .quiet(
        "the server has said so on an earlier connection, where only part of it was looked at", after: .nothing,
        connection("11 06 01 00 0d 00 0a 18 0e 00 13 00 0d 18") + [
          .connect, .received("1d 20 00 01 00 ff ff"), .sent("1e"), .sent("06 01 00 ff ff 00 28 0d 18"),
          .received("07 0e 00 13 00"), .disconnect(0x13),
        ] + connection("11 06 01 00 07 00 0f 18")),
      .finds(
        "the server has said so of other handles", after: .nothing,
        connection("11 06 01 00 0d 00 0a 18 0e 00 13 00 0d 18 20 00 23 00 01 18") + [
          .connect, .received("1d 22 00 0e 00 13 00"), .sent("1e"), .disconnect(0x13),
        ] + connection("11 06 01 00 07 00 0f 18")),
    ])

  static let scope: RuleScope = .capture
  static let events = EventSelection([.connected, .disconnected, .service, .inferred, .encryption])
  static let dialogue: DialogueTraits = [.tableChange, .lost, .discovery, .write, .heartRate]

  private static let mostPeers = 256
  private static let mostServices = 64

  private static let mostEmpty = 16

  private var visits: [Int: Visit] = [:]
  /// Those whose tables the client remembers, or may: it is bonded, as a connection was encrypted, or its beginning is
  /// not in the capture; or it has used attributes that it had not discovered on the same connection.
  private var remembered: Set<RemoteServer> = []
  private var tables: [RemoteServer: [UInt16: Service]] = [:]
  private var empty: [RemoteServer: [Emptiness]] = [:]

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard let connection = event.connection else { return }
    switch event.content {
    case .connected(let connected):
      guard let server = connected.remoteServer, visits.count < Self.mostPeers else { return }
      visits[connection] = Visit(server: server)
      if !connected.wasSeen { noteMemory(connection) }
    case .encryption(let change): if change.status == .success { noteMemory(connection) }
    case .disconnected: if let visit = visits.removeValue(forKey: connection) { report(visit, connection, &scene) }
    case .dialogue(.pdu(let pdu)):
      if pdu.changedServer == .peer {
        visits[connection]?.isExcused = true
        // By the hash, or by the error that a client which caches the table gets.
        if pdu.indicatesServiceChanged { forgetChanged(by: pdu, connection) } else { forgetEarlier(than: connection) }
      }
      if visits[connection]?.reliesOnMemory(pdu) ?? false { noteMemory(connection) }
      follow(pdu, connection, scene)
      if pdu.direction == .received {
        if pdu.isInDisorder || pdu.opcode == .readByTypeResponse { visits[connection]?.disorder = event.frame }
        if pdu.opcode == .readByGroupTypeResponse { visits[connection]?.grouped = event.frame }
      }
    case .dialogue(.lost): visits[connection]?.isExcused = true
    case .service(let service): if service.server == .peer { note(service, event.frame, connection, scene) }
    case .inferred(let inference): note(inference, connection, scene)
    default: break
    }
  }

  /// Looks at a service of the peer's: at what was there before, and at what lies between it and the one that was told last.
  private mutating func note(_ service: ServiceEvent, _ frame: Int, _ connection: Int, _ scene: RuleScene) {
    visits[connection]?.hasDiscovered = true
    guard let visit = visits[connection] else { return }
    guard let uuid = service.uuid else { return forgetLast(connection) }
    let start = service.range.start
    let end = service.isEndTold ? service.range.end : start
    let mayBePrimary = service.isPrimary != false
    // Of the last service it may be told that it has no end.
    let isEndSure = service.isEndTold && end < .max && visit.grouped == frame && visit.disorder != frame
    let found = Service(
      end: end, uuid: uuid, connection: connection, mayBePrimary: mayBePrimary, isEndSure: isEndSure)
    compare(found, at: start, visit, scene)
    if service.isPrimary == true { fill(start, with: uuid, connection, scene) }
    // It was read by its declaration's type, or is a secondary one, or told in disorder: nothing is told of what lies
    // between it and others.
    guard service.isEndTold, mayBePrimary, visit.disorder != frame else { return forgetLast(connection) }
    let before = visit.last.flatMap { $0.frame == frame ? $0 : nil }
    if let before, before.end < .max, before.end + 1 < start {
      // Who asked for services of one type was told of no others.
      miss(in: before.end + 1...start - 1, of: before.uuid == uuid ? uuid : nil, connection, visit, scene)
    } else if before == nil, let asked = visit.asked, asked.range.start < start {
      miss(in: asked.range.start...start - 1, of: asked.uuid, connection, visit, scene)
    }
    visits[connection]?.last = (frame, service.range.end, uuid)
  }

  /// Heart rates come from where nothing measures by the table that an earlier connection has shown.
  private mutating func note(_ inference: Inference, _ connection: Int, _ scene: RuleScene) {
    guard inference.isTaken, inference.deniesTable, inference.server == .peer, let server = visits[connection]?.server,
      let earlier = tables[server]?.values.map(\.connection).max()
    else { return }
    let handle = handleWords(inference.handle)
    tell(
      "heart rates come from \(handle), where connection \(earlier) has shown no measurement", connection, scene,
      isDiscovered: false)
  }

  /// What comes next is told beside nothing.
  private mutating func forgetLast(_ connection: Int) {
    visits[connection]?.last = nil
    visits[connection]?.asked = nil
  }

  /// What lay in the handles that have changed is no measure for what is found from now on, on any connection.
  private mutating func forgetChanged(by indication: ATTDialoguePDU, _ connection: Int) {
    guard let server = visits[connection]?.server else { return }
    let (start, end) = (indication.uint16(at: 3) ?? 1, indication.uint16(at: 5) ?? .max)
    tables[server] = tables[server]?.filter { $0.value.end < start || $0.key > end }
    empty[server]?.removeAll { $0.handles.lowerBound <= end && start <= $0.handles.upperBound }
  }

  /// Who learns whether the table is another need not ask again when it shows.
  private mutating func forgetEarlier(than connection: Int) {
    guard let server = visits[connection]?.server else { return }
    tables[server] = tables[server]?.filter { $0.value.connection == connection }
    empty[server]?.removeAll { $0.connection != connection }
  }

  /// Requests for primary services, all or those of a type, and answers that there are no more.
  private mutating func follow(_ pdu: ATTDialoguePDU, _ connection: Int, _ scene: RuleScene) {
    if pdu.direction == .sent, let opcode = pdu.opcode, opcode.findsServices {
      let asked = asked(pdu)
      visits[connection]?.asked = asked
    } else if pdu.direction == .received, pdu.error == .attributeNotFound,
      pdu.refused?.findsServices ?? false, let visit = visits[connection], let asked = visit.asked,
      asked.range.start <= asked.range.end
    {
      let handles = asked.range.start...asked.range.end
      miss(in: handles, of: asked.uuid, connection, visit, scene)
      if asked.uuid == nil, !visit.isExcused { keepEmpty(handles, connection, visit.server) }
      visits[connection]?.asked = nil
    }
  }

  /// What a request asks for; nil if that is not primary services, or is not all there.
  private func asked(_ pdu: ATTDialoguePDU) -> (range: AttributeRange, uuid: BluetoothUUID?)? {
    guard pdu.askedType == .primaryService, !pdu.isCut, let range = pdu.range else { return nil }
    if pdu.opcode == .readByGroupTypeRequest { return (range, nil) }
    guard let uuid = pdu.askedService else { return nil }
    return (range, uuid)
  }

  /// Between two services of one answer, and before the first, there is no other: one that was there before is gone.
  private mutating func miss(
    in handles: ClosedRange<UInt16>, of uuid: BluetoothUUID?, _ connection: Int, _ visit: Visit,
    _ scene: RuleScene
  ) {
    guard let table = tables[visit.server] else { return }
    let gone = table.filter {
      $0.key >= handles.lowerBound && $0.value.end <= handles.upperBound && $0.value.connection != connection
        && $0.value.mayBePrimary && (uuid == nil || $0.value.uuid == uuid)
    }
    if let other = gone.min(by: { $0.key < $1.key }) {
      tell(
        "there is no service from \(handleWords(other.key)) on, where connection \(other.value.connection) had "
          + words(other.value.uuid), connection, scene)
    }
    for key in gone.keys { tables[visit.server]?[key] = nil }
  }

  /// Remembers where a connection has found no service of any type.
  private mutating func keepEmpty(_ handles: ClosedRange<UInt16>, _ connection: Int, _ server: RemoteServer) {
    guard empty.count < Self.mostPeers || empty[server] != nil else { return }
    empty[server, default: []].removeAll { $0.handles == handles }
    if empty[server, default: []].count < Self.mostEmpty {
      empty[server, default: []].append(Emptiness(handles: handles, connection: connection))
    }
  }

  /// A service begins where an earlier connection may have found none.
  private mutating func fill(_ start: UInt16, with uuid: BluetoothUUID, _ connection: Int, _ scene: RuleScene) {
    guard let visit = visits[connection],
      let earlier = empty[visit.server]?.first(where: { $0.handles.contains(start) && $0.connection != connection })
    else { return }
    empty[visit.server]?.removeAll { $0.handles.contains(start) && $0.connection != connection }
    // What has been discovered again before it is of this connection.
    let moved = tables[visit.server]?.first { place, service in
      place < start && service.uuid == uuid && service.connection == earlier.connection
    }
    let before = moved.map { "which began at \(handleWords($0.key)) on connection \(earlier.connection)" }
    tell(
      "there is the service \(words(uuid)) from \(handleWords(start)) on, "
        + (before ?? "where connection \(earlier.connection) found none"), connection, scene)
  }

  private mutating func compare(_ service: Service, at start: UInt16, _ visit: Visit, _ scene: RuleScene) {
    var table = tables[visit.server] ?? [:]
    guard tables.count < Self.mostPeers || tables[visit.server] != nil else { return }
    let old = table.filter { $0.key <= service.end && start <= $0.value.end }
    let changed = old.filter {
      ($0.key != start || $0.value.uuid != service.uuid || service.endsElsewhere(than: $0.value))
        && $0.value.connection != service.connection
    }
    if let other = changed.min(by: { $0.key < $1.key }) {
      tell(
        other.key == start && other.value.uuid == service.uuid
          ? "the service \(words(service.uuid)) at \(handleWords(start)) ends at \(handleWords(service.end)), where it "
            + "ended at \(handleWords(other.value.end)) on connection \(other.value.connection)"
          : other.value.uuid == service.uuid
            ? "the service \(words(service.uuid)) begins at \(handleWords(start)), where it began at "
              + "\(handleWords(other.key)) on connection \(other.value.connection)"
            : "the service from \(handleWords(start)) on is \(words(service.uuid)), where connection "
              + "\(other.value.connection) had \(words(other.value.uuid)) from \(handleWords(other.key)) on",
        service.connection, scene)
    }
    for key in old.keys { table[key] = nil }
    if table.count < Self.mostServices { table[start] = service }
    tables[visit.server] = table
  }

  /// Keeps what has changed, once on a connection, unless its server may have told so itself.
  private mutating func tell(
    _ message: @autoclosure () -> String, _ connection: Int, _ scene: RuleScene, isDiscovered: Bool = true
  ) {
    guard let visit = visits[connection], !visit.isExcused, visit.change == nil else { return }
    visits[connection]?.change = Change(message: message(), moment: scene.moment, isDiscovered: isDiscovered)
  }

  mutating func finish(_ scene: inout RuleScene) {
    for (connection, visit) in visits.sorted(by: { $0.key < $1.key }) { report(visit, connection, &scene) }
  }

  private mutating func noteMemory(_ connection: Int) {
    if let server = visits[connection]?.server, remembered.count < Self.mostPeers { remembered.insert(server) }
  }

  /// Service Changed is indicated to bonded clients; others do not remember the table. Core 6.0, Vol 3, Part G, 7.1.
  private func report(_ visit: Visit, _ connection: Int, _ scene: inout RuleScene) {
    guard let change = visit.change else { return }
    let isHarmless = change.isDiscovered && !remembered.contains(visit.server)
    scene.report(
      Self.self, change.message + (isHarmless ? "; the client is not bonded, and has discovered it anew" : ""),
      severity: isHarmless ? .info : nil, from: change.moment, connection: connection)
  }
}

/// "Heart Rate", and "A026EE01-…" where nobody gave it a name.
private func words(_ service: BluetoothUUID) -> String { AssignedNumbers.serviceName(service) ?? service.description }
