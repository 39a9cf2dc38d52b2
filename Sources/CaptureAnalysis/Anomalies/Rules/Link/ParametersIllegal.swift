import BluetoothHost
import GATTKit

/// Connection parameters outside what the specification allows.
struct ParametersIllegal: AnomalyRule {
  static let about = RuleDescription(
    "parameters-illegal", .error,
    finds: "Connection parameters, in force or asked for, that are not allowed: an interval outside 7.5 ms to 4 s, a "
      + "latency above 499, a timeout outside 100 ms to 32 s, or one that the latency can use up.",
    matters: "A controller may refuse them, or lose the connection although nothing is wrong with the radio.",
    advice:
      "Mend the end that asked for them: the timeout has to be longer than twice (1 + latency) times the interval.",
    reference: "Core 6.0, Vol 6, Part B, 4.5.1 and 4.5.2",
    examples: [
      .quiet(
        "every 400th event of an interval of 15 ms is used, which makes 6 s", after: .connected,
        [.event(0x3E, "23 00 40 00 90 01 00 00 00 00 80 0c"), .wait(20), .disconnect(0x16)]),
      .finds(
        "the same, with a timeout of 10 s", after: .connected,
        [.event(0x3E, "23 00 40 00 90 01 00 00 00 00 e8 03"), .wait(20), .disconnect(0x16)]),
      .finds(
        "the sensor asks for a timeout that its latency uses up",
        [.signalReceived("12 01 08 00 50 00 50 00 04 00 64 00"), .parametersRefused]),
      .finds(
        "it asks three times for the shortest interval above the longest",
        [
          .signalReceived("12 01 08 00 50 00 20 00 00 00 64 00"), .parametersRefused,
          .signalReceived("12 02 08 00 50 00 20 00 00 00 64 00"), .signalSent("13 02 02 00 01 00"),
          .signalReceived("12 03 08 00 50 00 20 00 00 00 64 00"), .signalSent("13 03 02 00 01 00"),
        ]),
      .finds("a latency of 500 comes to hold", [.event(0x3E, "03 00 40 00 06 00 f4 01 80 0c")]),
      .finds("an interval of 5 ms", [.event(0x3E, "03 00 40 00 04 00 00 00 48 00")]),
      .finds(
        "it asks for them and gets them, which is told once",
        [
          .signalReceived("12 01 08 00 50 00 50 00 04 00 64 00"), .parametersGranted,
          .event(0x3E, "03 00 40 00 50 00 04 00 64 00"),
        ]),
      .quiet(
        "just legal", [.event(0x3E, "03 00 40 00 80 0c 00 00 80 0c"), .event(0x3E, "03 00 40 00 08 00 04 00 0b 00")]),
      .quiet("illegal ones were refused", [.event(0x3E, "03 12 40 00 04 00 00 00 48 00")]),
      .quiet("the sensor asks for 500 ms and a timeout of 6 s", [.parametersAsked, .parametersGranted]),
      .quiet(
        "the request is cut",
        [.keepingACL(14), .signalReceived("12 01 08 00 50 00 50 00 04 00 64 00"), .parametersRefused]),
    ])
  static let events = EventSelection([.connected, .parameters, .parameterRequest, .command])

  private var faults = Recurrences()
  /// What was asked for last, and what was said of it.
  private var asked: (request: ConnectionParameterRequest, fault: String)?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if let parameters = event.content.newParameters { judge(parameters, event.moment) }
    if case .parameterRequest(let asked) = event.content, asked.step == .asked, let request = asked.request {
      judge(request, isFromPeer: asked.isFromPeer, event.moment)
    }
    // What a host wants by itself; else it does what was asked for.
    if case .command(let command) = event.content, command.step == .asked, case .parameters(let request) = command.wish,
      request != asked?.request
    {
      judge(request, isFromPeer: false, event.moment)
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    faults.endLasting(scene.moment)
    faults.report(Self.self, &scene)
  }

  private mutating func judge(_ parameters: ConnectionParameters, _ moment: Moment) {
    faults.endLasting(moment)
    guard let why = Self.fault(parameters) else { return }
    // Where they are what was asked for, that has been told.
    let told = asked.flatMap { $0.request.allows(parameters) ? $0.fault : nil }
    let message = told ?? "the connection has \(parameters.phrase): \(why)"
    faults.note(lasting: message, moment)
  }

  private mutating func judge(_ request: ConnectionParameterRequest, isFromPeer: Bool, _ moment: Moment) {
    asked = nil
    guard
      let why = Self.fault(
        request.intervalMinimum, request.intervalMaximum, request.latency, request.supervisionTimeout)
    else { return }
    let fault = "\(isFromPeer ? "the peer" : "the local host") asks for \(request.phrase): \(why)"
    asked = (request, fault)
    faults.note(fault, moment)
  }

  /// What is wrong with parameters that hold; nil if nothing is.
  static func fault(_ parameters: ConnectionParameters) -> String? {
    // Only a connection's own interval is limited, whichever events are used.
    let interval = parameters.interval / parameters.subrateFactor
    return fault(
      interval, interval, parameters.latency, parameters.supervisionTimeout, usingOneIn: parameters.subrateFactor)
  }

  /// What is wrong with parameters, as they are sent; nil if nothing is.
  private static func fault(
    _ least: UInt16, _ most: UInt16, _ latency: UInt16, _ timeout: UInt16, usingOneIn subrateFactor: UInt16 = 1
  ) -> String? {
    if least > most { return "the shortest interval is longer than the longest" }
    typealias Limits = PeripheralPreferredConnectionParameters
    if !Limits.intervals.contains(least) || !Limits.intervals.contains(most) {
      return "intervals go from 7.5 ms to 4 s"
    }
    if !Limits.latencies.contains(latency) { return "a latency goes up to 499" }
    if !Limits.timeouts.contains(timeout) { return "timeouts go from 100 ms to 32 s" }
    // Units of 10 ms and of 1.25 ms.
    let needed = (1 + Double(latency)) * Double(most) * Double(subrateFactor) * 1.25 * 2
    if Double(timeout) * 10 <= needed { return "the timeout has to be longer than \(length(milliseconds: needed))" }
    return nil
  }
}
