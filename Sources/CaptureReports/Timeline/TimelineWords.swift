import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// What happened, in words.
enum TimelineWords {
  /// What happened; nothing where the kind of event says it all.
  static func details(_ content: EventContent) -> String { ReportBuffer.text { write(content, into: &$0) } }

  /// Writes what happened. Values, which most lines are of, are written piece by piece.
  static func write(_ content: EventContent, into buffer: inout ReportBuffer) {
    switch content {
    case .heartRate(let event): write(event, into: &buffer)
    case .notification(let event), .indication(let event), .read(let event):
      write(event, into: &buffer)
      writeServer(event.server, "from", into: &buffer)
    case .write(let event):
      write(event, into: &buffer)
      writeServer(event.server, "to", into: &buffer)
    default: buffer.write(other(content))
    }
  }

  /// Of both servers, the peer's is the one that most captures are about: it is not named.
  private static func writeServer(_ server: ServerSide, _ way: String, into buffer: inout ReportBuffer) {
    if server == .local { buffer.write("  \(way) this device") }
  }

  /// Attributes, and what is wrong.
  private static func other(_ content: EventContent) -> String {
    switch content {
    case .subscribed(let event), .unsubscribed(let event): subscription(event) + owner(event.server)
    case .service(let event):
      name(event.uuid, AssignedNumbers.serviceName)
        + (event.isEndTold
          ? " \(event.range.start.handleText)–\(event.range.end.handleText)" : " from \(event.range.start.handleText)")
        + owner(event.server)
    case .characteristic(let event):
      "\(name(event.characteristic.uuid, AssignedNumbers.characteristicName)) "
        + event.characteristic.valueHandle.handleText
        + (event.characteristic.properties.map { "  \($0)" } ?? "") + owner(event.server)
    case .attError(let event):
      "\(event.request.words) refused: \(event.error.words)"
        + attribute(event) + owner(event.server)
    case .malformed(let event): malformed(event)
    default: link(content)
    }
  }

  /// What was asked for. The ATT_MTU is about no attribute: Core 6.0, Vol 3, Part F, 3.4.2.1.
  private static func attribute(_ event: ATTErrorEvent) -> String {
    event.request == .exchangeMTURequest
      ? "" : ", \(name(event.uuid, AssignedNumbers.attributeName)) \(event.handle.handleText)"
  }

  private static func owner(_ server: ServerSide) -> String { server == .local ? "  of this device" : "" }

  private static func name(_ uuid: BluetoothUUID?, _ name: (BluetoothUUID) -> String?) -> String {
    guard let uuid else { return "unknown attribute" }
    return name(uuid) ?? uuid.description
  }

  private static func write(_ event: HeartRateEvent, into buffer: inout ReportBuffer) {
    let reading = event.reading
    if let rate = reading.beatsPerMinute {
      buffer.write(rate)
      buffer.write(" bpm")
    } else {
      buffer.write(reading.wordsWithoutRate)
    }
    switch reading.contact {
    case .detected: buffer.write("  ●")
    case .notDetected: buffer.write("  ○ no contact")
    case .unsupported, nil: break
    }
    writeIntervals(reading, into: &buffer)
    if let energy = reading.energyExpended {
      buffer.write("  ")
      buffer.write(energy)
      buffer.write(" kJ")
    }
    if reading.isMalformed, let error = reading.error { buffer.write("  cannot be right: \(error)") }
    writeServer(event.server, "from", into: &buffer)
  }

  private static func writeIntervals(_ reading: HeartRateMeasurement.Reading, into buffer: inout ReportBuffer) {
    if let intervals = reading.rrIntervals, !intervals.isEmpty {
      buffer.write("  RR")
      for interval in intervals {
        buffer.write(octet: UInt8(ascii: " "))
        buffer.write(interval.milliseconds, decimals: 0)
      }
      buffer.write(" ms")
    } else if reading.isCut, let count = reading.rrCount, count > 0 {
      buffer.write("  ")
      buffer.write(count)
      buffer.write(" RR cut away")
    }
  }

  /// So many octets of a value are shown at most.
  private static let mostOctets = 24

  private static func write(_ event: ValueEvent, into buffer: inout ReportBuffer) {
    buffer.write(
      event.uuid.flatMap(AssignedNumbers.attributeName) ?? event.uuid?.description ?? event.handle.handleText)
    buffer.write(" = ")
    if let uuid = event.uuid, event.octets.count == event.length,
      let fields = try? AttributeValues.kind(of: uuid)?.fields(of: event.octets.span)
    {
      let words = fields.map { AirText.shown($0.value) + ($0.unit.map { " " + $0 } ?? "") }
      return buffer.write(words.joined(separator: ", "))
    }
    buffer.writeSpacedHex(event.octets.prefix(mostOctets))
    guard event.length > min(mostOctets, event.octets.count) else { return }
    buffer.write("\(event.octets.isEmpty ? "" : " ")… (\(TimeText.count(event.length, "octet")))")
  }

  private static func subscription(_ event: SubscriptionEvent) -> String {
    let what = event.uuid.flatMap(AssignedNumbers.characteristicName) ?? event.uuid?.description ?? "unknown"
    let handle = event.valueHandle.map { " \($0.handleText)" } ?? ""
    let way = event.isCommanded ? " by a command" : ""
    return "\(what)\(handle): \(event.configuration) through \(event.handle.handleText)\(way)"
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
      [event.name.map { AirText.shown($0) } ?? "no name", event.address.text, event.rssi.map { "\($0) dBm" }]
        .compactMap { $0 }.joined(separator: "  ")
    case .connectAttempt(let event):
      wanted(event) + outcome(event)
    case .connected(let event): connected(event)
    case .parameters(let event):
      event.status == .success ? event.parameters.words : "not changed: \(event.status.words)"
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
    var parts = [event.peer.name.map { AirText.shown($0) }, event.peer.address?.text].compactMap { $0 }
    if !event.wasSeen { parts.append("its beginning is not in the capture") }
    if let parameters = event.parameters { parts.append(parameters.words) }
    if let role = event.role { parts.append("as \(role.name)") }
    if event.isLowEnergy == false { parts.append("BR/EDR") }
    parts.append("handle \(event.handle.handleText)")
    if event.adapter > 0 { parts.append(adapterText(event.adapter)) }
    return parts.joined(separator: ", ")
  }

  private static func wanted(_ event: ConnectAttemptEvent) -> String {
    guard let accepted = event.accepted else { return event.peer?.text ?? "an unknown device" }
    if let peer = event.peer { return "\(peer.text), the only one on the accept list" }
    if accepted.isEmpty { return "anyone on the accept list" }
    // Who was added last is whom the host waits for most.
    let last = accepted.suffix(mostAccepted).reversed().map(\.text).joined(separator: ", ")
    let others = accepted.count > mostAccepted ? " and \(accepted.count - mostAccepted) more" : ""
    return "anyone on the accept list (\(last)\(others))"
  }

  private static let mostAccepted = 3

  private static func outcome(_ event: ConnectAttemptEvent) -> String {
    switch event.outcome {
    case .begun: ""
    // To change its list, a host has to stop.
    case .cancelled where event.accepted != nil: ": the host stopped waiting"
    case .cancelled: ": given up"
    case .failed(let status): ": failed, \(status.words)"
    }
  }

  private static func request(_ event: ParameterRequestEvent) -> String {
    var text = event.isFromPeer ? "the peer's request" : "this host's request"
    if let request = event.request { text += " for \(request.words)" }
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

extension HeartRateMeasurement.Reading {
  /// What stands where no rate is. Of one that the capture cut away nobody knows what was measured.
  var wordsWithoutRate: String { isCut && !isMalformed ? "rate cut away" : "no heart rate" }
}

extension DisconnectedEvent {
  /// What ended a connection; nil if that was not seen.
  var words: String? {
    guard let reason else { return adapterEnd?.words }
    // The reason of the other side's end, as the controller tells it.
    let isOdd = isByHost && reason != .connectionTerminatedByLocalHost
    if let hostReason, !isOdd { return "\(reason.words), with reason \(hostReason.words)" }
    return isOdd ? "\(reason.words), as the local host had asked" : reason.words
  }
}

extension AdapterEnd {
  /// How a connection ended with it.
  var words: String {
    switch self {
    case .reset: "over when the local host reset its controller"
    case .startedAnew: "over by the time the local host started anew, in the log that follows"
    case .switchedOff: "over when the local adapter was switched off"
    case .removed: "over when the local adapter was taken away"
    }
  }
}
