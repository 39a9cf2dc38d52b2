import BluetoothHost
import CaptureFiles
import GATTKit

/// A table that changes amid a connection, and a client that does not switch the measurement on where it is then.
struct MeasurementMoved: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nobody switches it on, in seconds")

  static let about = RuleDescription(
    "measurement-moved", .warning,
    finds: "A server says that its table has changed, with Service Changed or Database Out Of Sync, the measurement is "
      + "discovered at another handle than the one from which it came, and in the ten seconds or more that the connection "
      + "then lasts nobody switches its notifications on, and none comes.",
    matters: "The heart rate stops while the sensor stays connected, and the app shows its last value, or nothing.",
    advice:
      "Where services change, the configuration of what is discovered anew is to be written again: the app has to "
      + "subscribe each time that it discovers the measurement, not only when it has connected.",
    reference: "Core 6.0, Vol 3, Part G, 2.5.2",
    explainedBy: ["access-refused", "att-timeout"],
    parameters: [least],
    examples: [
      .finds("it is discovered elsewhere", measured + .tableChanged + discovered("1e", "1f", "20") + over),
      .quiet(
        "it is switched on there",
        measured + .tableChanged + discovered("1e", "1f", "20")
          + [.sent("12 21 00 01 00"), .received("13")] + over),
      .quiet("it is where it was", measured + .tableChanged + discovered("0e", "0f", "10") + over),
      .quiet(
        "it comes from there all the same, as it may if there is a bond",
        measured + .tableChanged + discovered("1e", "1f", "20") + .times(6, [.wait(1), .received("1b 20 00 00 48")])
          + over),
      .quiet(
        "there are two of them, of which one is where it was",
        measured + .tableChanged + discovered("1e", "1f", "20") + discovered("0e", "0f", "10") + over),
      .quiet(
        "the connection is over soon",
        measured + .tableChanged + discovered("1e", "1f", "20") + [.wait(5), .disconnect(0x16)]),
      .quiet(
        "none came before", after: .discovered, .tableChanged + discovered("1e", "1f", "20") + over),
    ])
  private static let measured: [ExampleStep] = [.values(["00 48", "00 49"])]
  private static let over: [ExampleStep] = [.wait(20), .disconnect(0x16)]

  /// The service, the measurement's declaration, and its value are discovered.
  private static func discovered(_ service: String, _ declaration: String, _ value: String) -> [ExampleStep] {
    [
      .sent("10 01 00 ff ff 00 28"), .received("11 06 \(service) 00 23 00 0d 18"),
      .sent("08 \(service) 00 23 00 03 28"), .received("09 07 \(declaration) 00 10 \(value) 00 37 2a"),
    ]
  }

  static let events = EventSelection([.characteristic, .databases])
  static let dialogue: DialogueTraits = [.tableChange, .write]

  private let least: Double
  /// Where a server said last that its table has changed.
  private var changes = BothServers<Moment?>(nil)
  /// Where the measurement was discovered since, and where it was.
  private var move: Move?

  private struct Move {
    let moment: Moment
    let server: ServerSide
    let change: Moment
    let handle: UInt16
    let before: UInt16
    /// How often its notifications were asked for, and that was not refused.
    var requests = 0
    /// What was refused, and how, in words.
    var refusal = ""
  }

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)):
      if let server = pdu.serverTellingOfChange { changes[server] = scene.moment }
      if let move { note(pdu, scene.dialogue.step, move) }
    case .characteristic(let found) where found.characteristic.uuid == .heartRateMeasurement:
      guard let change = changes[found.server], let before = scene.series.handle, scene.series.isOf(found.server) else {
        return
      }
      let handle = found.characteristic.valueHandle
      guard handle != before else { return }
      move = Move(moment: scene.moment, server: found.server, change: change, handle: handle, before: before)
    case .databases(let databases):
      guard let move else { return }
      let database = move.server == .peer ? databases.peer : databases.local
      if database.type(of: move.before) == .heartRateMeasurement { self.move = nil }
    default: break
    }
  }

  private mutating func note(_ pdu: ATTDialoguePDU, _ step: ATTDialogue.Step, _ move: Move) {
    if pdu.maySwitchOnMeasurements {
      if pdu.askedServer == move.server { self.move?.requests += 1 }
    } else if case .response(let asked?) = step, let error = pdu.error, asked.pdu.maySwitchOnMeasurements,
      asked.pdu.askedServer == move.server, move.moment < asked.moment
    {
      self.move?.requests -= 1
      self.move?.refusal = ": the \(asked.pdu.words) was refused with \(error.words)"
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let move, move.requests == 0, let last = scene.series.current, last.moment < move.moment,
      !scene.hasLost(since: move.change)
    else {
      return
    }
    let length = scene.seconds(since: move.moment)
    guard length >= least else { return }
    scene.report(
      Self.self,
      "since its table changed (\(frameWords(move.change))), the measurement is at \(handleWords(move.handle)), where "
        + "it was at \(handleWords(move.before)); in the \(seconds(length)) since then nobody switched its "
        + "notifications on\(move.refusal)", from: move.moment, to: scene.moment)
  }
}
