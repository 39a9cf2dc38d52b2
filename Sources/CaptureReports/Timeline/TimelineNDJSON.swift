import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// `timeline --format ndjson`: an object a line.
struct TimelineNDJSON: TimelineReport {
  private var json: JSONWriter
  private var capture = 0
  private let kinds: TimelineKinds

  init(_ kinds: TimelineKinds, into buffer: ReportBuffer) {
    json = JSONWriter(buffer)
    self.kinds = kinds
  }

  var selection: EventSelection { kinds.events.union(.measurementOctets) }

  mutating func begin(_ capture: TimelineCapture) {
    self.capture = capture.place
    guard kinds.areCapturesTold else { return }
    json.line { json in
      json.value("event", "capture")
      json.value("capture", capture.place)
      json.value("path", capture.origin.path)
      json.members(capture.origin.memberNames)
    }
  }

  mutating func start(_ start: CaptureStart) {}

  mutating func end(_ facts: CaptureFacts) {
    guard kinds.areEndsTold else { return }
    json.line { [capture] json in
      json.value("event", "end")
      json.value("capture", capture)
      json.place(facts.progress.records, facts.members.last?.member)
      json.value("time", facts.lastTime)
      json.clock(of: facts)
      json.null("connection")
      json.value("format", facts.format)
      json.value("link_type", facts.linkTypeName)
      json.value("records", facts.records)
      json.value("complete", facts.isComplete)
      json.value("skipped_octets", facts.skippedOctets)
    }
  }

  mutating func flush() { json.flush() }

  mutating func write(_ finding: Finding) {
    guard kinds.areFindingsTold else { return }
    json.line { [capture] json in
      json.value("event", "finding")
      json.value("capture", capture)
      json.keys(of: finding)
    }
  }

  mutating func write(_ event: Event) {
    let kind = event.content.kind
    guard kinds.events.contains(EventSelection(kind)) else { return }
    json.line { [capture] json in
      json.value("event", literal: kind.rawValue)
      json.value("capture", capture)
      json.keys(of: event.moment)
      json.value("connection", event.connection)
      json.content(event.content)
    }
  }
}

extension JSONWriter {
  /// What an event of each kind says, beside where it stands.
  fileprivate mutating func content(_ content: EventContent) {
    switch content {
    case .heartRate(let event):
      value("handle", event.handle)
      // The contract's keys are a measurement's; the peer sends it unless something else is said.
      if event.server == .local { value("server", literal: event.server.name) }
      reading(event.reading, octets: event.octets ?? [], length: event.length)
    case .notification(let event), .indication(let event), .read(let event), .write(let event): attribute(event)
    case .subscribed(let event), .unsubscribed(let event): subscription(event)
    case .service(let event):
      type(event.uuid, AssignedNumbers.serviceName)
      value("start", event.range.start)
      value("end", event.isEndTold ? event.range.end : nil)
      value("server", literal: event.server.name)
    case .characteristic(let event):
      keys(of: event.characteristic)
      value("server", literal: event.server.name)
    case .attError(let event):
      value("request", event.request.name ?? "0x\(event.request.rawValue.hexadecimal)")
      value("handle", event.handle)
      value("uuid", event.uuid?.description)
      value("error", event.error.rawValue)
      value("error_name", event.error.name)
    case .malformed(let event):
      switch event.problem {
      case .field(let error):
        value("layer", error.layer)
        value("error", error.description)
        value("octet", error.offset)
      case .pieces(let fault):
        value("layer", "L2CAP")
        value("error", fault.message)
      }
      value("direction", event.direction.map { $0 == .sent ? "sent" : "received" })
    case .adapter, .advertising, .connectAttempt: adapter(content)
    default: link(content)
    }
  }

  private mutating func attribute(_ event: ValueEvent) {
    value("handle", event.handle)
    type(event.uuid, AssignedNumbers.attributeName)
    value("server", literal: event.server.name)
    value("raw", hex: event.octets)
    value("octets", event.length)
  }

  private mutating func subscription(_ event: SubscriptionEvent) {
    value("handle", event.handle)
    value("value_handle", event.valueHandle)
    type(event.uuid, AssignedNumbers.characteristicName)
    value("configuration", event.configuration.rawValue)
    value("server", literal: event.server.name)
  }

  /// What happens beside connections.
  private mutating func adapter(_ content: EventContent) {
    switch content {
    case .adapter(let event):
      value("adapter", event.index)
      value("address", event.address?.description)
      value("name", event.name)
    case .advertising(let event):
      keys(of: event)
    case .connectAttempt(let event):
      address(event.peer)
      if let accepted = event.accepted {
        array("accept_list", of: accepted.map(\.description), inline: true)
      }
      attempt(event.outcome)
    default: break
    }
  }

  /// What happens to a connection.
  private mutating func link(_ content: EventContent) {
    switch content {
    case .connected(let event): connected(event)
    case .parameters(let event):
      value("status", event.status.rawValue)
      // What comes with an error is what a controller likes.
      keys(of: event.status == .success ? event.parameters : nil)
    case .parameterRequest(let event):
      value("step", event.step.name)
      value("from", event.isFromPeer ? "peer" : "local")
      value("interval_min_ms", event.request?.intervalMinimumMilliseconds, decimals: 2)
      value("interval_max_ms", event.request?.intervalMaximumMilliseconds, decimals: 2)
      value("latency", event.request?.latency)
      value("supervision_timeout_ms", event.request?.supervisionTimeoutMilliseconds)
    case .phy(let event):
      let isChanged = event.status == .success
      value("status", event.status.rawValue)
      value("sent_phy", isChanged ? event.sentPHY : nil)
      value("received_phy", isChanged ? event.receivedPHY : nil)
    case .dataLength(let event):
      value("max_sent_octets", event.maximumSentOctets)
      value("max_received_octets", event.maximumReceivedOctets)
    case .encryption(let event):
      value("status", event.status.rawValue)
      value("encrypted", event.isEncrypted)
    case .rssi(let rssi): value("rssi_dbm", rssi)
    case .mtu(let event):
      value("mtu", event.mtu)
      value("enhanced", event.isEnhanced)
    case .disconnected(let event): keys(of: event)
    default: break
    }
  }

  private mutating func connected(_ event: ConnectedEvent) {
    value("handle", event.handle)
    value("adapter", event.adapter)
    value("transport", event.isLowEnergy.map { $0 ? "le" : "br/edr" })
    value("role", event.role?.name)
    address(event.peer.address)
    value("name", event.peer.name)
    value("setup_seen", event.wasSeen)
    keys(of: event.parameters)
  }

  private mutating func attempt(_ outcome: ConnectAttemptEvent.Outcome) {
    switch outcome {
    case .begun: value("outcome", "begun")
    case .cancelled: value("outcome", "cancelled")
    case .failed(let status):
      value("outcome", "failed")
      value("status", status.rawValue)
      value("status_name", status.name)
    }
  }
}

extension ParameterRequestEvent.Step {
  /// The word in reports.
  var name: String {
    switch self {
    case .asked: "asked"
    case .accepted: "accepted"
    case .refused: "refused"
    }
  }
}
