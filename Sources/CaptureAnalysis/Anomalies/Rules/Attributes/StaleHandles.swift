import BluetoothHost
import GATTKit

/// A client that goes on with handles that hold no more.
struct StaleHandles: AnomalyRule {
  static let grace = RuleParameter(
    "grace", 2, in: 0...60,
    "how soon discovery must begin, in seconds: requests before it may have been queued before the change")

  static let about = RuleDescription(
    "stale-handles", .error,
    finds: "A server says that its table has changed, with Service Changed or Database Out Of Sync, and the client "
      + "reads or writes handles it knew before without discovering them anew; or a server refuses as an Invalid Handle "
      + "what was an attribute when its table was discovered on an earlier connection, and it is not discovered anew; or "
      + "refuses that the measurement's configuration is written, which was written then, and no measurement comes.",
    matters: "The handles may be other attributes now: values are misread, and writes go astray.",
    advice: "The client's maker has to forget the handles in the range of Service Changed and discover the services "
      + "again; until then remove the bond, or switch Bluetooth off and on.",
    reference: "Core 6.0, Vol 3, Part G, 2.5.2",
    parameters: [grace],
    examples: [
      .finds(
        "Service Changed, and the old handle is read", after: .discovered,
        .tableChanged + [.wait(3), .sent("0a 13 00"), .received("0b 01")]),
      .finds(
        "out of sync, and the old handle is written twice, which is told once", after: .discovered,
        [
          .sent("0a 13 00"), .received("01 0a 13 00 12"), .wait(3), .sent("12 11 00 01 00"), .received("13"), .wait(1),
          .sent("12 11 00 00 00"), .received("13"),
        ]),
      .quiet(
        "services are discovered again", after: .discovered,
        .tableChanged + [
          .wait(3), .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"), .sent("0a 13 00"),
          .received("0b 01"),
        ]),
      .finds(
        "the old handle is read at once, and nothing is discovered", after: .discovered,
        .tableChanged + [.sent("0a 13 00"), .received("0b 01"), .wait(5), .disconnect(0x16)]),
      .finds(
        "out of sync, and the same request again", after: .discovered,
        [
          .sent("12 11 00 01 00"), .received("01 12 11 00 12"), .sent("12 11 00 01 00"), .received("13"),
          .repeated(["00 48"], times: 5),
        ]),
      .quiet(
        "a request that was queued before services are discovered", after: .discovered,
        .tableChanged + [
          .sent("0a 13 00"), .received("0b 01"), .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
          .wait(5), .disconnect(0x16),
        ]),
      .quiet(
        "out of sync, and the table's hash is read", after: .discovered,
        [
          .sent("0a 13 00"), .received("01 0a 13 00 12"), .sent("08 01 00 ff ff 2a 2b"),
          .received("09 12 09 00" + String(repeating: " 5a", count: 16)), .sent("0a 13 00"), .received("0b 01"),
          .wait(5), .disconnect(0x16),
        ]),
      .quiet(
        "out of sync, and the table's hash is read by a type of 128 bits", after: .discovered,
        [
          .sent("0a 13 00"), .received("01 0a 13 00 12"),
          .sent("08 01 00 ff ff fb 34 9b 5f 80 00 00 80 00 10 00 00 2a 2b 00 00"),
          .received("09 12 09 00" + String(repeating: " 5a", count: 16)), .sent("0a 13 00"), .received("0b 01"),
          .wait(5), .disconnect(0x16),
        ]),
      .quiet(
        "other handles have changed", after: .discovered,
        [
          .sent("08 01 00 05 00 03 28"), .received("09 07 02 00 20 03 00 05 2a"), .received("1d 03 00 20 00 2f 00"),
          .sent("1e"), .wait(3), .sent("0a 13 00"), .received("0b 01"),
        ]),
      .finds(
        "on the next connection nothing is where the configuration was, and nobody said that anything changed",
        [
          .values(["00 48"]), .disconnect(0x13), .wait(60), .connect, .sent("12 11 00 01 00"),
          .received("01 12 11 00 01"),
          .wait(20), .disconnect(0x16),
        ]),
      .finds(
        "the same of the location, which is asked for again and again",
        [.values(["00 48"]), .disconnect(0x13), .wait(60), .connect]
          + .times(3, [.sent("0a 13 00"), .received("01 0a 13 00 01"), .wait(1)])),
      .finds(
        "the same configuration cannot be written any more",
        [
          .values(["00 48"]), .disconnect(0x13), .wait(60), .connect, .sent("12 11 00 01 00"),
          .received("01 12 11 00 03"), .wait(20), .disconnect(0x16),
        ]),
      .quiet(
        "the same configuration cannot be written at first, and measurements come all the same",
        [
          .values(["00 48"]), .disconnect(0x13), .wait(60), .connect, .sent("12 11 00 01 00"),
          .received("01 12 11 00 03"), .sent("12 11 00 01 00"), .received("13"), .repeated(["00 48"], times: 5),
          .disconnect(0x16),
        ]),
      .quiet(
        "a configuration that cannot be written, as was discovered just before", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 03"), .wait(20), .disconnect(0x16)]),
      .quiet(
        "the same, and the client discovers the table anew",
        [
          .values(["00 48"]), .disconnect(0x13), .wait(60), .connect, .sent("12 11 00 01 00"),
          .received("01 12 11 00 01"),
          .sent("10 01 00 ff ff 00 28"), .received("11 06 1e 00 23 00 0d 18"), .sent("10 24 00 ff ff 00 28"),
          .received("01 10 24 00 0a"), .wait(20), .disconnect(0x16),
        ]),
      .quiet(
        "nothing is where nothing was", after: .discovered,
        [.sent("0a 40 00"), .received("01 0a 40 00 01"), .wait(5), .disconnect(0x16)]),
      .quiet("measurements go on", .tableChanged + [.wait(3), .repeated(["00 48"], times: 3)]),
    ])

  static let dialogue: DialogueTraits = [.tableChange, .afterChange, .gone, .discovery]

  /// What a server says of its table.
  private struct Change {
    let moment: Moment
    let range: AttributeRange
    /// What says so.
    let what: String
  }

  /// What is made of one server's.
  private struct Server {
    /// One may follow another, of other handles, before anything is discovered.
    var changes: [Change] = []
    var uses = RuleTally()
    /// What was found before the change: requests behind it that were queued are forgotten if discovery follows soon.
    var usesBefore = RuleTally()
  }

  private static let mostChanges = 16

  private let grace: Double
  private var servers = BothServers(Server())
  /// What is there no more, though nobody said that anything has changed; nothing where the client discovers the table on
  /// this connection, before or since.
  private var gone: RuleTally? = RuleTally()
  /// The same of a measurement's configuration that cannot be written any more.
  private var replaced: RuleTally? = RuleTally()
  /// Whose it was.
  private var goneServer: ServerSide?

  init(_ settings: RuleSettings) {
    grace = settings.value(Self.grace, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    let server = pdu.direction.server
    if pdu.discoversHeartRate, pdu.askedServer == goneServer ?? .peer { (gone, replaced) = (nil, nil) }
    if pdu.indicatesServiceChanged, let start = pdu.uint16(at: 3), let end = pdu.uint16(at: 5), start <= end {
      let range = AttributeRange(start: start, end: end)
      begin(Change(moment: scene.moment, range: range, what: "Service Changed"), of: server, scene)
    } else if pdu.error == .databaseOutOfSync {
      let range = AttributeRange(start: 1, end: .max)
      begin(Change(moment: scene.moment, range: range, what: "Database Out Of Sync"), of: server, scene)
    } else if let last = servers[pdu.askedServer].changes.last {
      use(pdu, last, scene)
    } else if case .response(let asked?) = scene.dialogue.step, let error = pdu.error, asked.misses(error),
      servers[server].changes.isEmpty
    {
      if error == .invalidHandle {
        miss(asked, error, in: \.gone)
      } else if scene.left?.subscription.handle == asked.pdu.attribute?.handle {
        miss(asked, error, in: \.replaced)
      }
    }
  }

  /// What was an attribute when the table was discovered is none any more, or another.
  private mutating func miss(
    _ asked: ATTDialogue.Asked, _ error: ATTErrorCode, in tally: WritableKeyPath<Self, RuleTally?>
  ) {
    guard let attribute = asked.pdu.attribute, attribute.uuid != nil, asked.pdu.opcode?.isDiscovery == false else {
      return
    }
    if goneServer == nil { goneServer = attribute.server }
    self[keyPath: tally]?.note(
      asked.moment,
      "\(asked.pdu.phrase) is refused with \(error.words): that attribute is "
        + "\(error == .invalidHandle ? "gone" : "another now"); so the table has changed, and the client goes on with what "
        + "it knew of it")
  }

  private mutating func begin(_ change: Change, of server: ServerSide, _ scene: RuleScene) {
    if mayBeDiscovered(server, scene) { servers[server].uses = servers[server].usesBefore }
    servers[server].changes.removeAll { !scene.isSameTable || scene.hasLost(since: $0.moment) }
    if servers[server].changes.count == Self.mostChanges { servers[server].changes.removeFirst() }
    if scene.isSameTable { servers[server].changes.append(change) }
    servers[server].usesBefore = servers[server].uses
  }

  private mutating func use(_ pdu: ATTDialoguePDU, _ last: Change, _ scene: RuleScene) {
    let server = pdu.askedServer
    if pdu.discovers || scene.hasLost(since: last.moment) {
      if mayBeDiscovered(server, scene) { servers[server].uses = servers[server].usesBefore }
      servers[server].changes = []
      return
    }
    // Nothing was discovered in time, nor can it have been lost.
    if !isFresh(server, scene) { servers[server].usesBefore = servers[server].uses }
    if pdu.writesAttribute || pdu.opcode == .readRequest || pdu.opcode == .readBlobRequest,
      let attribute = pdu.attribute, !attribute.isAboutTheTable,
      let change = servers[server].changes.last(where: { $0.range.contains(attribute.handle) })
    {
      servers[server].uses.note(
        scene.moment,
        "\(pdu.phrase) comes \(length(seconds: scene.seconds(since: change.moment))) after \(change.what), and nothing "
          + "was discovered in between")
    }
  }

  /// Whether the last change is so fresh that its discovery may still come, or may be among what was lost.
  private func mayBeDiscovered(_ server: ServerSide, _ scene: RuleScene) -> Bool {
    isFresh(server, scene) || servers[server].changes.last.map { scene.hasLost(since: $0.moment) } ?? false
  }

  /// Whether the last change is so fresh that its discovery may still come.
  private func isFresh(_ server: ServerSide, _ scene: RuleScene) -> Bool {
    servers[server].changes.last.map { scene.seconds(since: $0.moment) < grace } ?? false
  }

  mutating func finish(_ scene: inout RuleScene) {
    for server in ServerSide.allCases {
      if mayBeDiscovered(server, scene) { servers[server].uses = servers[server].usesBefore }
      servers[server].uses.report(Self.self, &scene)
    }
    gone?.report(Self.self, &scene)
    if scene.series.current == nil { replaced?.report(Self.self, &scene) }
  }
}

extension ATTDialoguePDU {
  /// Whether it discovers attributes anew, or asks whether they are the old ones.
  fileprivate var discovers: Bool { findsAttributes || asksForDatabaseHash }

  /// Whether it discovers attributes anew among which the heart rate service would be.
  fileprivate var discoversHeartRate: Bool {
    findsAttributes && (opcode != .findByTypeValueRequest || askedService == .heartRateService)
  }

  private var findsAttributes: Bool {
    switch opcode {
    // By type, other things than declarations are read as well.
    case .readByTypeRequest: askedType.map { [.include, .characteristic].contains($0) } ?? true
    case let opcode?: opcode.isDiscovery
    case nil: false
    }
  }
}

extension DialogueAttribute {
  /// Whether it is one of those that tell of the table itself.
  fileprivate var isAboutTheTable: Bool {
    [.serviceChanged, .clientSupportedFeatures, .serverSupportedFeatures, .databaseHash].contains(uuid)
      || characteristic == .serviceChanged
  }
}
