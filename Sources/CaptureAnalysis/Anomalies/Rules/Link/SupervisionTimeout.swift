import BluetoothHost
import CaptureFiles

/// A connection that ended because the peer was not heard any more.
struct SupervisionTimeout: AnomalyRule {
  static let about = RuleDescription(
    "supervision-timeout", .error,
    finds: "A connection that ended with reason 0x08: nothing was heard of the peer for the whole supervision timeout.",
    matters: "The measurements end here, and go on only once somebody connects again.",
    advice:
      "The sensor was out of range, behind a body, switched off or without power. A weak signal before the end, or "
      + "measurements that came late, point to the range; a sudden end to the sensor, and first of all to its battery if "
      + "that was nearly empty. In a log of the sensor's own the same holds of the phone. A longer timeout bridges short "
      + "losses.",
    reference: "Core 6.0, Vol 6, Part B, 4.5.2",
    explainedBy: [
      "controller-failed", "parameter-update-then-lost", "parameters-illegal", "parameters-tight",
    ],
    tellsEnd: true,
    examples: [
      .finds("the sensor goes out of range", [.repeated(["16 48 e8 03"], times: 5), .wait(2), .disconnect(0x08)]),
      .finds(
        "a connection whose beginning is not there", after: .nothing, [.received("1b 10 00 16 48"), .disconnect(8)]),
      .quiet("the local host ends it", [.values(["16 48 e8 03"]), .disconnect(0x16)]),
      .quiet("the sensor ends it", [.values(["16 48 e8 03"]), .disconnect(0x13)]),
      .quiet("the capture ends before the connection does", [.values(["16 48 e8 03"]), .wait(100)]),
    ])
  static let events = EventSelection(.disconnected)

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .disconnected(let end) = event.content, end.reason == .connectionTimeout else { return }
    var message = "the peer was not heard any more"
    let isTimed = scene.hasTimes && !scene.hasClockStep
    if scene.series.server == .local {
      // Who only takes measurements sends no data: when it did last says nothing.
      message = "the peer, which took the measurements, was not heard any more"
      if let last = scene.series.current?.moment, isTimed {
        message += "; the last one was sent \(seconds(max(0, scene.seconds(since: last)))) before the end"
      }
    } else if let last = scene.traffic?.lastReceived, isTimed {
      message += "; its last data came \(seconds(max(0, event.time.seconds(since: last)))) before the end"
    }
    if let parameters = scene.parameters { message += ", \(parameters.phrase)" }
    if let signal = scene.lastRSSI {
      message += ", RSSI \(signal.dBm) dBm"
      if scene.hasTimes { message += " \(seconds(max(0, scene.seconds(since: signal.moment)))) before" }
    }
    message += scene.lowBattery
    scene.report(Self.self, message)
  }
}
