import BluetoothHost

/// A supervision timeout that a few lost packets use up.
struct ParametersTight: AnomalyRule {
  static let chances = RuleParameter(
    "chances", 6, in: 2...100, "how often the peer must be able to be missed within the timeout")

  static let about = RuleDescription(
    "parameters-tight", .info,
    finds: "Connection parameters that are legal, and yet end the connection after a few packets that are missed.",
    matters: "A hand between sensor and phone is enough: the connection ends instead of pausing.",
    advice: "Ask for a longer timeout, a lower latency or a shorter interval.",
    reference: "Core 6.0, Vol 6, Part B, 4.5.2",
    parameters: [chances],
    examples: [
      .finds("an interval of 500 ms, latency 1, timeout 5 s", [.event(0x3E, "03 00 40 00 90 01 01 00 f4 01")]),
      .finds(
        "the same twice, which is told once",
        [.event(0x3E, "03 00 40 00 90 01 01 00 f4 01"), .event(0x3E, "03 00 40 00 90 01 01 00 f4 01")]),
      .finds(
        "every 40th event of an interval of 15 ms is used, timeout 3 s", after: .connected,
        [.event(0x3E, "23 00 40 00 28 00 00 00 00 00 2c 01"), .wait(20), .disconnect(0x16)]),
      .quiet("an interval of 500 ms, latency 1, timeout 6 s", [.event(0x3E, "03 00 40 00 90 01 01 00 58 02")]),
      .quiet("the parameters of a phone", after: .connected, [.wait(3)]),
      .quiet("illegal ones, which have their own rule", [.event(0x3E, "03 00 40 00 90 01 04 00 64 00")]),
      .quiet("they did not come to hold", [.event(0x3E, "03 3b 40 00 90 01 01 00 f4 01")]),
    ])
  static let events = EventSelection([.connected, .parameters])

  private let chances: Double
  private var faults = Recurrences()

  init(_ settings: RuleSettings) {
    chances = settings.value(Self.chances, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if let parameters = event.content.newParameters { judge(parameters, event.moment) }
  }

  mutating func finish(_ scene: inout RuleScene) {
    faults.endLasting(scene.moment)
    faults.report(Self.self, &scene)
  }

  private mutating func judge(_ parameters: ConnectionParameters, _ moment: Moment) {
    faults.endLasting(moment)
    guard ParametersIllegal.fault(parameters) == nil else { return }
    let wait = (1 + Double(parameters.latency)) * parameters.intervalMilliseconds
    let timeout = Double(parameters.supervisionTimeoutMilliseconds)
    guard timeout < chances * wait else { return }
    let message =
      "\(parameters.phrase): the peer may be silent for \(length(milliseconds: wait)), and is given up after "
      + "\(number(timeout / wait, apartFrom: chances)) times that"
    faults.note(lasting: message, moment)
  }
}
