import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// `timeline --format text`: a line an event, for people; on a terminal, as many as it takes.
///
///         time          +s   frame  conn  event          what happened
struct TimelineText: TimelineReport {
  private var buffer: ReportBuffer
  private let context: ReportContext
  private let columns: Columns
  private let shown: EventSelection
  /// Whether even one that is alone is named.
  private let showsCapture: Bool
  private let showsEnd: Bool
  private let showsFindings: Bool
  /// When the capture begins; nil before its first packet.
  private var start: Timestamp?
  private var clock = ClockReading(.utc, zone: nil)
  private var captures = 0
  /// A capture that has no heading yet.
  private var heading: TimelineCapture?

  init(_ names: [String], _ context: ReportContext, into buffer: ReportBuffer) {
    self.buffer = buffer
    self.context = context
    columns = Columns(for: context.isTerminal ? context.width : nil)
    shown = TimelineKinds.selection(of: names)
    showsCapture = names.contains("capture")
    showsEnd = names.contains("end")
    showsFindings = names.contains("finding")
  }

  var selection: EventSelection { shown }

  mutating func begin(_ capture: TimelineCapture) {
    start = nil
    clock = context.reading(.utc)
    heading = capture
  }

  /// The heading waits for the first packet, which tells what the capture's times are.
  private mutating func writeHeading() {
    guard let capture = heading else { return }
    heading = nil
    if captures > 0 { buffer.write("\n") }
    captures += 1
    if showsCapture || capture.isOfSeveral {
      let zone = clock.zoneName == "UTC" ? "" : "times: \(clock.zoneName)"
      let pieces = [Style.heading(capture.title, context), zone]
      buffer.write(TextLayout.flow(pieces, indent: 0, width: context.width))
    }
    let head = row("time", "+s", "frame", "conn", TextLayout.padded("event", columns.kind), "what happened")
    buffer.write(Style.quiet(head, context) + "\n")
  }

  mutating func start(_ start: CaptureStart) {
    self.start = start.time
    clock = context.reading(start.clock)
    writeHeading()
  }

  mutating func write(_ event: Event) {
    guard shown.contains(EventSelection(event.content.kind)) else { return }
    writeHeading()
    line(
      event.time, placeText(event.frame, event.member), event.connection.map { "\($0)" } ?? "",
      event.content.kind.rawValue,
      TimelineWords.details(event.content), style(event.content))
  }

  mutating func write(_ finding: Finding) {
    guard showsFindings else { return }
    writeHeading()
    let place = finding.frame.map { placeText($0, finding.member) } ?? ""
    line(
      finding.time ?? .unknown, place, finding.connection.map { "\($0)" } ?? "",
      finding.severity.rawValue, "\(finding.rule): \(finding.message)", .severity(finding.severity))
  }

  mutating func end(_ facts: CaptureFacts) {
    writeHeading()
    guard showsEnd, let last = facts.lastTime else { return }
    let complete = facts.isComplete ? "" : ", not all of it could be read"
    let place = placeText(facts.progress.records, facts.members.last?.member)
    line(last, place, "", "end", "\(TimeText.count(facts.records, "record"))\(complete)", nil)
  }

  mutating func flush() { buffer.flush() }

  private func style(_ content: EventContent) -> Style? {
    switch content {
    case .heartRate(let event): event.reading.isMalformed ? .bad : nil
    case .malformed, .attError: .warning
    case .connected, .disconnected: .accent
    default: nil
    }
  }

  private mutating func line(
    _ time: Timestamp, _ frame: String, _ connection: String, _ kind: String, _ details: String, _ style: Style?
  ) {
    let padded = details.isEmpty ? kind : TextLayout.padded(kind, columns.kind)
    buffer.write(
      row(
        timeOfDay(time), offset(time), frame, connection, style.map { $0(padded, context) } ?? padded, details))
    buffer.write(octet: UInt8(ascii: "\n"))
    buffer.flushIfFull()
  }

  /// The time of day; nothing where there is none: how much later than the capture's beginning it is stands beside it.
  private func timeOfDay(_ time: Timestamp) -> String {
    guard time.isTold, let civil = CivilTime(clock.wall(time)) else { return "" }
    return TimeText.clockWithMilliseconds(civil)
  }

  /// The seconds since the capture began; nothing where there are no times.
  private func offset(_ time: Timestamp) -> String {
    start.flatMap { time.microseconds(since: $0) }.map { TimeText.seconds(microseconds: $0, decimals: 3) } ?? ""
  }

  private func row(
    _ time: String, _ offset: String, _ frame: String, _ connection: String, _ kind: String, _ details: String
  ) -> String {
    let pieces = [
      TextLayout.padded(time, columns.time), TextLayout.padded(offset, columns.offset, alignedRight: true),
      TextLayout.padded(frame, columns.frame, alignedRight: true),
      TextLayout.padded(connection, columns.connection, alignedRight: true), kind,
    ]
    guard columns.areSet else {
      return String(TextLayout.flow(pieces + [details], indent: 0, width: context.width, hanging: 4).dropLast())
    }
    let line = pieces.joined(separator: columns.gap)
    guard !details.isEmpty else { return line }
    guard context.isTerminal else { return line + columns.gap + details }
    let column = DisplayWidth.columns(line + columns.gap)
    // Below the first words where there is room for more, else further left.
    let margin = min(column, max(4, context.width - Columns.forWords))
    return line + columns.gap + TextLayout.continued(details, at: column, margin: margin, width: context.width)
  }

  /// How wide the columns are.
  private struct Columns {
    var time = 12
    var offset = 10
    var frame = 8
    var connection = 4
    var kind = 18
    var gap = "  "

    /// As many are wanted for words.
    static let forWords = 48

    /// - Parameter width: The columns of the terminal; nil if lines are not broken.
    init(for width: Int?) {
      guard let width, width < 110 else { return }
      (offset, frame, kind, gap) = (9, 7, 17, " ")
      // What has no room side by side is set as it comes.
      if width < 64 { (time, offset, frame, connection, kind) = (0, 0, 0, 0, 0) }
    }

    var areSet: Bool { time > 0 }
  }
}

/// What happened, in words.
enum TimelineWords {
  static func details(_ content: EventContent) -> String {
    switch content {
    case .heartRate(let event): measurement(event)
    case .notification(let event), .indication(let event), .read(let event), .write(let event): value(event)
    case .subscribed(let event), .unsubscribed(let event): subscription(event)
    case .service(let event):
      name(event.uuid, AssignedNumbers.serviceName)
        + (event.isEndTold
          ? " \(event.range.start.handleText)–\(event.range.end.handleText)" : " from \(event.range.start.handleText)")
    case .characteristic(let event):
      "\(name(event.characteristic.uuid, AssignedNumbers.characteristicName)) "
        + event.characteristic.valueHandle.handleText
        + (event.characteristic.properties.map { "  \($0)" } ?? "")
    case .attError(let event):
      "\(event.request.name ?? "request") refused: \(event.error.name ?? "error \(event.error.rawValue)"), "
        + "\(name(event.uuid, AssignedNumbers.attributeName)) \(event.handle.handleText)"
    case .malformed(let event): malformed(event)
    default: link(content)
    }
  }

  private static func name(_ uuid: BluetoothUUID?, _ name: (BluetoothUUID) -> String?) -> String {
    guard let uuid else { return "unknown attribute" }
    return name(uuid) ?? uuid.description
  }

  private static func measurement(_ event: HeartRateEvent) -> String {
    let reading = event.reading
    var parts = [reading.beatsPerMinute.map { "\($0) bpm" } ?? "no heart rate"]
    switch reading.contact {
    case .detected: parts.append("●")
    case .notDetected: parts.append("○ no contact")
    case .unsupported, nil: break
    }
    if let intervals = reading.rrIntervals, !intervals.isEmpty {
      let list = intervals.map { TimeText.number($0.milliseconds, decimals: 0) }.joined(separator: " ")
      parts.append("RR \(list) ms")
    } else if reading.isCut, let count = reading.rrCount, count > 0 {
      parts.append("\(count) RR cut away")
    }
    if let energy = reading.energyExpended { parts.append("\(energy) kJ") }
    if reading.isMalformed, let error = reading.error { parts.append("cannot be right: \(error)") }
    if event.server == .local { parts.append("from this device") }
    return parts.joined(separator: "  ")
  }

  /// So many octets of a value are shown at most.
  private static let mostOctets = 24

  private static func value(_ event: ValueEvent) -> String {
    let name = event.uuid.flatMap(AssignedNumbers.attributeName) ?? event.uuid?.description ?? event.handle.handleText
    if let uuid = event.uuid, event.octets.count == event.length,
      let fields = try? CharacteristicValues.kind(of: uuid)?.fields(of: event.octets.span)
    {
      let words = fields.map { AirText.shown($0.value) + ($0.unit.map { " " + $0 } ?? "") }
      return "\(name) = \(words.joined(separator: ", "))"
    }
    let shown = event.octets.prefix(mostOctets).map { $0.hexadecimal.lowercased() }.joined(separator: " ")
    let more = event.length > min(mostOctets, event.octets.count) ? " … (\(event.length) octets)" : ""
    return "\(name) = \(shown)\(more)"
  }

  private static func subscription(_ event: SubscriptionEvent) -> String {
    let what = event.uuid.flatMap(AssignedNumbers.characteristicName) ?? event.uuid?.description ?? "unknown"
    let handle = event.valueHandle.map { " \($0.handleText)" } ?? ""
    return "\(what)\(handle): \(event.configuration) through \(event.handle.handleText)"
  }

  private static func malformed(_ event: MalformedEvent) -> String {
    let direction = event.direction.map { $0 == .sent ? "sent: " : "received: " } ?? ""
    switch event.problem {
    case .field(let error): return "\(direction)\(error.layer): \(error)"
    case .pieces(let fault): return "\(direction)\(fault.message)"
    }
  }

  /// Events of adapters and links.
  private static func link(_ content: EventContent) -> String {
    switch content {
    case .adapter(let event):
      [event.name.map { AirText.shown($0) } ?? adapterText(event.index), event.address?.description ?? ""]
        .filter { !$0.isEmpty }.joined(separator: "  ")
    case .advertising(let event):
      [event.name.map { AirText.shown($0) } ?? "no name", addressText(event.address), event.rssi.map { "\($0) dBm" }]
        .compactMap { $0 }.joined(separator: "  ")
    case .connectAttempt(let event):
      wanted(event) + attempt(event.outcome)
    case .connected(let event): connected(event)
    case .parameters(let event):
      event.status == .success ? ParametersText.sentence(event.parameters) : "not changed: \(event.status.words)"
    case .parameterRequest(let event): request(event)
    case .phy(let event):
      event.status == .success
        ? "sent \(phyName(event.sentPHY)), received \(phyName(event.receivedPHY))"
        : "not changed: \(event.status.words)"
    case .dataLength(let event):
      "\(event.maximumSentOctets) octets sent, \(event.maximumReceivedOctets) received"
    case .encryption(let event):
      event.status == .success ? (event.isEncrypted ? "on" : "off") : "failed: \(event.status.words)"
    case .rssi(let rssi): "\(rssi) dBm"
    case .mtu(let event): "\(event.mtu.map { "\($0)" } ?? "unknown")\(event.isEnhanced ? ", enhanced bearer" : "")"
    case .disconnected(let event): event.words ?? "its end is not in the capture"
    default: ""
    }
  }

  private static func connected(_ event: ConnectedEvent) -> String {
    var parts = [event.peer.name.map { AirText.shown($0) }, event.peer.address.map(addressText)].compactMap { $0 }
    if !event.wasSeen { parts.append("its beginning is not in the capture") }
    if let parameters = event.parameters { parts.append(ParametersText.sentence(parameters)) }
    if let role = event.role { parts.append("as \(role.name)") }
    if event.isLowEnergy == false { parts.append("BR/EDR") }
    parts.append("handle \(event.handle.handleText)")
    if event.adapter > 0 { parts.append(adapterText(event.adapter)) }
    return parts.joined(separator: ", ")
  }

  private static func wanted(_ event: ConnectAttemptEvent) -> String {
    guard let accepted = event.accepted else { return event.peer.map(addressText) ?? "an unknown device" }
    if let peer = event.peer { return "\(addressText(peer)), the only one on the accept list" }
    if accepted.isEmpty { return "anyone on the accept list" }
    // Who was added last is whom the host waits for most.
    let last = accepted.suffix(mostAccepted).reversed().map(\.description).joined(separator: ", ")
    let others = accepted.count > mostAccepted ? " and \(accepted.count - mostAccepted) more" : ""
    return "anyone on the accept list (\(last)\(others))"
  }

  private static let mostAccepted = 3

  private static func attempt(_ outcome: ConnectAttemptEvent.Outcome) -> String {
    switch outcome {
    case .begun: ""
    case .cancelled: ": given up"
    case .failed(let status): ": failed, \(status.words)"
    }
  }

  private static func request(_ event: ParameterRequestEvent) -> String {
    var text = event.isFromPeer ? "the peer's request" : "this host's request"
    if let request = event.request { text += " for \(ParametersText.sentence(request))" }
    switch event.step {
    case .asked: return text
    case .accepted: return text + ": accepted"
    case .refused: return text + ": refused"
    }
  }

  private static func phyName(_ phy: UInt8) -> String {
    switch phy {
    case 1: "LE 1M"
    case 2: "LE 2M"
    case 3: "LE Coded"
    default: "PHY \(phy)"
    }
  }
}

extension DisconnectedEvent {
  /// What ended a connection; nil if that was not seen.
  var words: String? {
    guard let reason else { return adapterEnd?.words }
    // The reason of the other side's end, as the controller tells it.
    let isOdd = isByHost && reason != .connectionTerminatedByLocalHost
    return isOdd ? "\(reason.words), as the local host had asked" : reason.words
  }
}

extension AdapterEnd {
  /// How a connection ended with it.
  var words: String {
    switch self {
    case .reset: "over when the local host reset its controller"
    case .switchedOff: "over when the local adapter was switched off"
    case .removed: "over when the local adapter was taken away"
    }
  }
}

extension HCIErrorCode {
  /// The name and the number.
  var words: String { "\(name ?? "unknown reason") (0x\(rawValue.hexadecimal))" }
}
