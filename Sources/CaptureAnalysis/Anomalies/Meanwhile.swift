import BluetoothHost
import GATTKit

/// What happened on a connection lately, for rules that must say what else there was while nothing came.
struct Meanwhile {
  /// The events that are worth saying.
  static let events = EventSelection([
    .parameters, .parameterRequest, .encryption, .pairing, .phy, .dataLength, .mtu, .read, .attError, .subscribed,
    .malformed,
  ])

  /// The last of them, oldest first.
  private var recent: [(moment: Moment, change: Change)] = []

  /// Parameters, which some hosts change all the time, are put in words only where they are said.
  private enum Change {
    case parameters(ConnectionParameters)
    case other(String)

    var words: String {
      switch self {
      case .parameters(let parameters): "the parameters became \(parameters.phrase)"
      case .other(let words): words
      }
    }
  }

  private static let most = 8
  /// More are not said of one silence.
  private static let mostSaid = 3

  /// - Parameters:
  ///   - last: When the last measurement came. What happens again and again behind it is kept once.
  ///   - isInSilence: Whether nothing has come for a while. What comes right behind a measurement comes in no silence yet,
  ///     but what it changes holds on.
  mutating func note(_ event: Event, behind last: Moment, isInSilence: Bool) {
    guard isInSilence || Self.holdsOn(event.content), let change = Self.change(event.content) else { return }
    guard !recent.contains(where: { $0.moment > last && $0.change.words == change.words }) else { return }
    if recent.count == Self.most { recent.removeFirst() }
    recent.append((event.moment, change))
  }

  /// "; meanwhile the parameters became … (#126)"; nothing where there was nothing.
  func words(from start: Moment, to end: Moment, _ scene: RuleScene) -> String {
    var recent = recent.map { ($0.moment, $0.change.words) }
    if let signal = scene.lastRSSI { recent.append((signal.moment, "the signal was at \(signal.dBm) dBm")) }
    recent += scene.radioUses.map { ($0.moment, $0.words) }
    recent.sort { $0.0 < $1.0 }
    var said: [(moment: Moment, words: String)] = []
    for (moment, words) in recent where moment > start && moment < end {
      // What happens again and again is said once.
      if !said.contains(where: { $0.words == words }) { said.append((moment, words)) }
    }
    guard !said.isEmpty else { return "" }
    let sentences = said.prefix(Self.mostSaid).map { "\($0.words) (\(frameWords($0.moment)))" }
    return "; meanwhile " + sentences.joined(separator: ", ")
  }

  /// Whether it changes what measurements come by.
  private static func holdsOn(_ content: EventContent) -> Bool {
    switch content {
    case .parameters(let change): change.status == .success
    case .phy(let change): change.status == .success
    case .encryption(let change): change.status == .success
    case .dialogue(.pdu(let pdu)): pdu.indicatesServiceChanged
    default: false
    }
  }

  private static func change(_ content: EventContent) -> Change? {
    if case .parameters(let change) = content, change.status == .success { return .parameters(change.parameters) }
    return words(content).map(Change.other)
  }

  private static func words(_ content: EventContent) -> String? {
    switch content {
    case .parameters: "a change of parameters failed"
    case .parameterRequest(let request):
      switch request.step {
      case .asked: "other parameters were asked for"
      case .accepted: "other parameters were accepted"
      case .refused: "other parameters were refused"
      }
    case .encryption(let change): change.status == .success ? "the encryption changed" : "encryption failed"
    case .pairing(let pairing): words(pairing.step)
    case .phy(let change): change.status == .success ? "the PHY changed" : "a change of the PHY failed"
    case .dataLength: "the data length changed"
    case .mtu: "an ATT_MTU was agreed upon"
    case .read: "a value was read"
    case .attError: "a request was refused"
    case .subscribed(let subscription):
      (subscription.server == .peer ? "the host subscribed" : "the peer subscribed") + object(subscription.uuid)
    case .malformed: "a broken PDU came"
    case .dialogue(.pdu(let pdu)) where pdu.indicatesServiceChanged: "the services changed"
    default: nil
    }
  }

  private static func words(_ step: PairingStep) -> String? {
    switch step {
    case .securityRequest: "encryption was asked for"
    case .request: "a pairing was asked for"
    case .failed: "pairing failed"
    case .other, .key: nil
    }
  }

  /// To what, if to nothing that would be a measurement.
  private static func object(_ uuid: BluetoothUUID?) -> String {
    guard let uuid, uuid != .heartRateMeasurement else { return "" }
    return " to \(AssignedNumbers.attributeName(uuid) ?? "\(uuid)")"
  }
}

/// What else an adapter's radio is used for: another connection of the capture, which was made or has ended, or something
/// that is none.
struct OtherRadioUse {
  let moment: Moment
  /// "connection 2 was made, over BR/EDR", "the host began to scan".
  let words: String

  /// - Returns: nil if that is not what happened.
  init?(_ event: Event) {
    moment = event.moment
    switch event.content {
    case .connected(let made) where made.wasSeen:
      guard let connection = event.connection else { return nil }
      words = "connection \(connection) was made\(made.isLowEnergy == false ? ", over BR/EDR" : "")"
    case .disconnected:
      guard let connection = event.connection else { return nil }
      words = "connection \(connection) ended"
    case .controller(let controller):
      switch controller.step {
      case .scans: words = "the host began to scan"
      case .carriesVoice: words = "a channel for voice was opened, over BR/EDR"
      default: return nil
      }
    default: return nil
    }
  }
}
