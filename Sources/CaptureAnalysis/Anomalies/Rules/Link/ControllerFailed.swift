import BluetoothHost
import CaptureFiles
import GATTKit

/// A controller that says that it failed, or is reset although it does not, and takes its connections with it.
struct ControllerFailed: AnomalyRule {
  static let about = RuleDescription(
    "controller-failed", .error,
    finds:
      "The local controller says that something in it failed (Hardware Error). Each connection that was over with it has "
      + "a finding. A warning if its connections go on; and a warning where the local host resets a controller that "
      + "has left a command without an answer, while peers are heard on it. Where it resets one that did answer, that "
      + "is only mentioned: so it does when Bluetooth is switched off.",
    matters:
      "All connections of the adapter are gone at once, and nobody tells of their ends: the app shows a sensor from which "
      + "nothing comes, until the host has reset the controller and connects again.",
    advice:
      "It is not the sensor's fault. What the code means only the controller's maker knows: give them the code and the "
      + "log, with what the host asked of the controller just before; and look for newer firmware of the controller. A host "
      + "that resets a controller which did not fail was most likely told to switch Bluetooth off, as is asked for "
      + "before a report is taken. If nobody did, it began anew after a fault of its own: look at its system log.",
    reference: "Core 6.0, Vol 4, Part E, 7.7.16",
    tellsEnd: true,
    examples: [
      .finds("it takes the connection with it, and the host resets it", values + failure + [.wait(0.1)] + reset),
      .finds("the capture ends with it", values + failure),
      .finds("again and again, which is told once", values + failure + [.wait(1)] + failure + [.wait(1)] + reset),
      .finds(
        "again on the next connection", values + failure + reset + [.wait(5), .connect, .wait(5)] + failure + reset,
        count: 2),
      .finds("for one reason, and then for another", values + failure + [.event(0x10, "58")] + reset, count: 2),
      .finds("the host asks it to begin anew, and it does not answer", values + failure + [.command(0x0C03, "")]),
      .finds("nobody is connected", after: .nothing, failure + reset),
      .finds("the connection goes on, which is a warning", values + failure + values),
      .finds("the local host ends the connection, and has the time to", values + failure + [.disconnect(0x16)] + reset),
      .finds(
        "Bluetooth is switched off: the host resets a controller that did not fail, which is only mentioned",
        values + [.command(0x0C03, "")] + reset),
      .finds(
        "the controller does not answer a command, and the host resets it",
        values + [.command(0x1405, "40 00"), .wait(2), .command(0x0C03, "")] + reset),
      .finds("so it does, and once more, which is told once", values + reset + [.wait(0.1)] + reset),
      .quiet("the host resets it when nobody is connected", values + [.disconnect(0x16), .wait(0.1)] + reset),
      .quiet("the host is about to end the connection", values + [.command(0x0406, "40 00 13")] + reset),
      .quiet(
        "it is ending it, and does not wait",
        values + [.command(0x0406, "40 00 13"), .event(0x0F, "0c 01 06 04")] + reset),
      .quiet("the host resets it at the beginning", after: .nothing, reset),
      .quiet("what was connected has not been heard for a long time", values + [.wait(300)] + reset),
      .quiet("only the connection fails, which has its own rule", values + [.disconnect(0x03)]),
    ])
  private static let values: [ExampleStep] = [.repeated(["16 48 e8 03"], times: 5)]
  private static let failure: [ExampleStep] = [.event(0x10, "0c")]
  private static let reset: [ExampleStep] = [.event(0x0E, "01 03 0c 00")]

  static let scope = RuleScope.capture
  static let events: EventSelection = [.command, .controller, .traffic, EventSelection([.connected, .disconnected])]

  /// In seconds: what comes so soon behind a failure was on its way to the host before.
  private static let onItsWay = 1.0
  /// In seconds: a reset that comes so soon behind a failure is its consequence.
  private static let soon = 10.0

  /// In seconds: a controller answers within milliseconds, and hosts wait two seconds for it.
  private static let longestAnswer = 1.5

  /// In seconds: where nothing was heard for longer, the end of the connection may be missing.
  private static let longestSilence = 30.0

  /// No host has as many connections open, nor do controllers fail in as many ways.
  private static let most = 64

  /// The adapters of the connections that are open.
  private var adapters: [Int: UInt16] = [:]
  /// Those that the local host was about to end.
  private var leaving: Set<Int> = []
  /// How long the adapters that were reset last had left a command without an answer, in seconds.
  private var unanswered: [UInt16: Double] = [:]
  /// What is not told yet.
  private var failures: [Failure] = []

  /// A controller failed, once or in a row; or was reset all the same.
  private struct Failure {
    let adapter: UInt16
    /// Nil where it did not say so.
    let error: HardwareError?
    /// How long it had left a command without an answer when it was reset, in seconds; nil where it had not.
    let unanswered: Double?
    var span: RecordSpan
    /// The connections that were open then.
    var fates: [Int: Fate]
    /// What was done about it: nil within where the host only asked for a reset.
    var answer: (end: AdapterEnd?, moment: Moment)?
    /// Whether another connection was made since: one that comes behind it is another failure.
    var isOver = false
  }

  /// What became of a connection.
  private enum Fate {
    /// Nothing was heard of its peer any more, and neither end ended it.
    case silent
    /// The capture logs nothing that could be heard.
    case hidden
    /// Its peer was heard.
    case heard
    /// It was over when its adapter was.
    case over
    /// One of its ends ended it.
    case ended
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .controller(let controller): note(controller, event.moment, &scene)
    case .connected(let connected):
      guard let connection = event.connection, adapters[connection] == nil, adapters.count < Self.most else { return }
      adapters[connection] = connected.adapter
      leaveBehind(connected.adapter)
    case .command(let command):
      guard let connection = event.connection, command.wish == .end, adapters[connection] != nil else { return }
      if case .refused(let reason) = command.step, !Self.isOverAlready(reason) {
        leaving.remove(connection)
      } else {
        leaving.insert(connection)
      }
    case .traffic(let traffic):
      guard let connection = event.connection else { return }
      for place in failures.indices where failures[place].fates[connection] == .silent {
        failures[place].fates[connection] =
          failures[place].error == nil
          ? Self.fate(traffic, before: failures[place].span.first)
          : Self.fate(traffic, behind: failures[place].span.first)
      }
    case .disconnected(let end):
      guard let connection = event.connection else { return }
      adapters[connection] = nil
      leaving.remove(connection)
      for place in failures.indices { note(end, of: connection, place, &scene) }
    default: return
    }
    tellSettled(&scene)
  }

  mutating func finish(_ scene: inout RuleScene) {
    for failure in failures { tell(failure, &scene) }
  }

  private mutating func note(_ controller: ControllerEvent, _ moment: Moment, _ scene: inout RuleScene) {
    let place = failures.lastIndex { $0.adapter == controller.adapter && !$0.isOver }
    switch controller.step {
    case .failed(let error):
      if let place, failures[place].error == error {
        failures[place].span.extend(to: moment)
        failures[place].answer = nil
      } else {
        begin(error, controller.adapter, moment, &scene)
      }
    case .resetAsked(let command):
      let length = command.map { scene.seconds(since: $0) } ?? 0
      unanswered[controller.adapter] = length >= Self.longestAnswer ? length : nil
      guard let place, failures[place].answer == nil else { return }
      failures[place].answer = (nil, moment)
    case .scans, .carriesVoice, .awaitsNoLonger: break
    case .ended(let end):
      guard let place else {
        if end.isByHost { begin(nil, controller.adapter, moment, &scene) }
        return
      }
      if failures[place].error == nil {
        // Whoever switches Bluetooth off wants all that ends.
        let isSwitchedOff = !end.isByHost && scene.seconds(since: failures[place].span.first) <= Self.soon
        if isSwitchedOff { failures.remove(at: place) }
      } else if failures[place].answer?.end == nil {
        failures[place].answer = (end, moment)
      }
    }
  }

  /// Whether a controller that refuses to end a connection so has none, or is ending it.
  private static func isOverAlready(_ reason: HCIErrorCode) -> Bool {
    reason == .unknownConnectionIdentifier || reason == .commandDisallowed
  }

  private mutating func begin(
    _ error: HardwareError?, _ adapter: UInt16, _ moment: Moment, _ scene: inout RuleScene
  ) {
    // A host that is about to end a connection need not wait for that before a reset.
    let open = adapters.filter { $0.value == adapter && (error != nil || !leaving.contains($0.key)) }
    guard error != nil || !open.isEmpty else { return }
    leaveBehind(adapter)
    if failures.count == Self.most { tell(failures.removeFirst(), &scene) }
    failures.append(
      Failure(
        adapter: adapter, error: error, unanswered: unanswered[adapter], span: RecordSpan(moment),
        fates: open.mapValues { _ in .silent }))
    unanswered[adapter] = nil
  }

  /// What an adapter's controller does from now on is no part of what came before.
  private mutating func leaveBehind(_ adapter: UInt16) {
    for place in failures.indices where failures[place].adapter == adapter { failures[place].isOver = true }
  }

  private static func fate(_ traffic: LinkTraffic, behind failure: Moment) -> Fate {
    if let heard = traffic.lastReceived, heard.seconds(since: failure.time) > onItsWay { return .heard }
    return traffic.isLogged == true ? .silent : .hidden
  }

  /// What becomes of a connection when the controller is reset: over it is only if it was there until then.
  private static func fate(_ traffic: LinkTraffic, before reset: Moment) -> Fate {
    guard !traffic.hasLosses, let heard = traffic.lastReceived else { return .hidden }
    return (-onItsWay...longestSilence).contains(reset.time.seconds(since: heard)) ? .silent : .hidden
  }

  private mutating func note(
    _ end: DisconnectedEvent, of connection: Int, _ place: Int, _ scene: inout RuleScene
  ) {
    guard let fate = failures[place].fates[connection] else { return }
    if end.adapterEnd != nil {
      let isSoon = failures[place].error != nil && scene.seconds(since: failures[place].span.last) <= Self.soon
      if fate == .silent || isSoon { failures[place].fates[connection] = .over }
    } else if end.reason?.isWishOfAnEnd ?? false {
      // A controller that has failed does not carry that out.
      failures[place].fates[connection] = .ended
    }
  }

  /// Tells of what is over, once it is known what became of all its connections.
  private mutating func tellSettled(_ scene: inout RuleScene) {
    while let place = failures.firstIndex(where: { $0.isOver && !$0.fates.keys.contains { adapters[$0] != nil } }) {
      tell(failures.remove(at: place), &scene)
    }
  }

  private func tell(_ failure: Failure, _ scene: inout RuleScene) {
    let goOn = failure.fates.values.count { $0 == .heard }
    // Where its peers are heard, a silent connection has nothing to say.
    let lost = failure.fates.filter { $0.value == .over || $0.value == .silent && goOn == 0 }.keys.sorted()
    let others = lost.count == 1 ? "" : lost.count == 2 ? " and another one" : " and \(lost.count - 1) others"
    guard let error = failure.error else {
      let end = failure.unanswered.map { waited in
        "the local host reset its controller, which had not answered a command for "
          + "\(CaptureAnalysis.seconds(waited)), and took this connection\(others) with it"
      }
      let isOne = lost.count == 1
      for connection in lost {
        scene.report(
          Self.self,
          end
            ?? "most likely Bluetooth was switched off here, or off and on again: the local host reset its "
            + "controller, and this connection\(others) \(isOne ? "was" : "were") over with it",
          severity: failure.unanswered == nil ? .info : .warning, from: failure.span.first, connection: connection)
      }
      return
    }
    let code = error.code.map { "code 0x\($0.hexadecimal), which only its maker can explain" }
    let what = "the controller failed (Hardware Error, \(code ?? "whose code is not in the capture"))"
    let end = "; \(Self.answer(to: failure, scene))\(inAll(failure.span.count))"
    func report(_ fate: String, severity: Severity? = nil, connection: Int? = nil) {
      scene.report(
        Self.self, what + fate + end, severity: severity, over: failure.span, connection: connection)
    }
    for connection in lost { report(" and took this connection\(others) with it", connection: connection) }
    guard lost.isEmpty else { return }
    let hidden = failure.fates.values.count { $0 == .hidden }
    if goOn > 0 {
      report(", and \(goOn == 1 ? "a connection" : "\(goOn) connections") went on all the same", severity: .warning)
    } else if hidden > 0 {
      report(", and what became of \(hidden == 1 ? "a connection" : "\(hidden) connections") is not in the capture")
    } else {
      report(" and took no connection with it")
    }
  }

  /// What was done about it.
  private static func answer(to failure: Failure, _ scene: RuleScene) -> String {
    guard let answer = failure.answer else { return "the capture shows no reset behind it" }
    let later = "\(length(seconds: scene.seconds(from: failure.span.last, to: answer.moment))) later"
    return switch answer.end {
    case .reset: "the local host reset it \(later)"
    case .startedAnew: "the local host started anew behind it"
    case .switchedOff: "its adapter was switched off \(later)"
    case .removed: "its adapter was taken away \(later)"
    case nil: "the local host asked for a reset \(later), and the capture does not show that it came"
    }
  }
}

extension AdapterEnd {
  /// Whether the host began anew with a controller that it keeps.
  fileprivate var isByHost: Bool { self == .reset || self == .startedAnew }
}
