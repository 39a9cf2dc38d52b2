import CaptureAnalysis
import CaptureFiles

/// How to get a log that tells everything.
public struct CaptureAdvice: Sendable {
  private let context: ReportContext

  /// Advice for a place.
  public init(_ context: ReportContext) {
    self.context = context
  }

  /// `explain capture`: for every system.
  public func write(into buffer: consuming ReportBuffer) {
    buffer.write(
      context.sentence(
        "A heart rate is in what a phone or computer and the sensor say to each other, packet by packet. A log tells all "
          + "of it if it keeps the packets whole and begins before the two connect. Logs hold other people's devices, and "
          + "keys: share them with care."))
    for system in LoggingSystem.allCases {
      buffer.write(context.heading(system.name))
      write(system, &buffer)
    }
    buffer.flush()
  }

  /// The end of a report on captures that lack something: what, and what to do about it, once for each kind. Where there
  /// are several, it is told which they are: the advice stands far behind them.
  /// - Parameter captures: The captures, and what each is called.
  func write(for captures: [(summary: CaptureSummary, title: String)], into buffer: inout ReportBuffer) {
    var lacking: [(advice: Advice, titles: [String])] = []
    var unseen: [(connections: Int, title: String)] = []
    for (capture, title) in captures {
      guard let lack = capture.facts.lack, !capture.hadNothingToSay else {
        let connections = capture.connectionsOfUnseenSensors
        if connections > 0 { unseen.append((connections, title)) }
        continue
      }
      if captures.contains(where: { tells($0.summary, allOf: capture) }) { continue }
      let advice = Advice(lack: lack, systems: LoggingSystem.guesses(capture.facts))
      if let place = lacking.firstIndex(where: { $0.advice == advice }) {
        lacking[place].titles.append(title)
      } else {
        lacking.append((advice, [title]))
      }
    }
    func names(_ titles: [String]) -> Names { Names(titles, areTold: captures.count > 1) }
    var told: Set<[LoggingSystem]> = []
    for (advice, titles) in lacking {
      let lack = advice.lack.sentence(names(titles))
      guard !advice.systems.isEmpty, told.insert(advice.systems).inserted else {
        buffer.write("\n" + context.sentence("\(lack) \(Self.more)"))
        continue
      }
      write(advice.systems, for: lack, &buffer)
    }
    if !unseen.isEmpty {
      writeUnseen(unseen.reduce(0) { $0 + $1.connections }, in: names(unseen.map(\.title)), &buffer)
    }
  }

  /// What is told once: a lack, and the systems whose logs have it.
  private struct Advice: Equatable {
    let lack: CaptureLack
    let systems: [LoggingSystem]
  }

  /// How to get a full log from where one may come that lacks something.
  private func write(_ systems: [LoggingSystem], for lack: String, _ buffer: inout ReportBuffer) {
    let names = systems.map(\.name).joined(separator: " or ")
    buffer.write("\n" + context.sentence("\(lack) To get a full log from \(names):"))
    for system in systems {
      if systems.count > 1 { buffer.write("  " + Style.heading(system.name, context) + "\n") }
      write(system, &buffer)
    }
    buffer.write(context.sentence("Other systems: hrsnoop explain capture"))
  }

  /// Whether a capture of the same input is full and holds the time of another: a bug report may have several logs of one
  /// time.
  private func tells(_ full: CaptureSummary, allOf capture: CaptureSummary) -> Bool {
    guard full.path == capture.path, full.facts.lack == nil,
      let first = full.facts.firstTime, let last = full.facts.lastTime,
      let begin = capture.facts.firstTime, let end = capture.facts.lastTime
    else { return false }
    return begin.seconds(since: first) > -Self.slack && last.seconds(since: end) > -Self.slack
  }

  /// In seconds: logs of one time need not begin and end with the same packet.
  private static let slack = 1.0

  /// Why there may be no heart rate in captures, if that can be for what came before them.
  private func writeUnseen(_ count: Int, in names: Names, _ buffer: inout ReportBuffer) {
    let connections = count == 1 ? "One connection was" : "\(TimeText.count(count)) connections were"
    let place = names.all.map { " in \($0)" } ?? ""
    let text =
      "No heart rate was found\(place): nothing that came looks like one. \(connections) made before the "
      + "\(names.count == 1 ? "capture begins" : "captures begin"), and what was discovered before it is not known. If the sensor is there, make it new to the device and "
      + "begin the log before it connects. \(Self.more)"
    buffer.write("\n" + context.sentence(text))
  }

  private static let more = "How to get a full log: hrsnoop explain capture"

  private func write(_ system: LoggingSystem, _ buffer: inout ReportBuffer) {
    for (index, step) in system.steps.enumerated() {
      buffer.write("  \(index + 1). \(context.continued(step.text, at: 5, margin: 5))\n")
      if let command = step.command { buffer.write("         \(Style.accent(command, context))\n") }
    }
  }
}

extension CaptureSummary {
  /// Whether all there is of connections are attempts, those that were over before anything was said, scans, and sensors to
  /// which none was made: a fuller log would hold no more.
  fileprivate var hadNothingToSay: Bool {
    guard hiddenConnections.isEmpty else { return false }
    let mayHoldAll = facts.logsData == nil
    if connections.isEmpty { return mayHoldAll && (facts.holdsAttempts || facts.holdsScans || !advertisers.isEmpty) }
    return connections.allSatisfy { $0.cameToNothing || mayHoldAll && wasOverAtOnce($0) }
  }

  /// Whether a connection was over so soon that a log without its data is not remarkable. Where a bond encrypts it, a
  /// sensor may send at once, without a word from the host.
  private func wasOverAtOnce(_ connection: ConnectionSummary) -> Bool {
    guard connection.encryption != true, let end = connection.closed else { return false }
    return facts.seconds(from: connection.first, to: end).map { $0 < Self.leastSilence } ?? false
  }

  /// In seconds: what says nothing for as long is remarkable.
  private static let leastSilence = 10.0

  /// How many connections were made before the capture, where nothing is found that looks like a heart rate.
  fileprivate var connectionsOfUnseenSensors: Int {
    let isAnythingFound = connections.contains { $0.heartRate != nil || !$0.candidates.isEmpty }
    guard !isAnythingFound, part == nil, hiddenConnections.isEmpty else { return 0 }
    return connections.count { !$0.wasOpened }
  }
}
