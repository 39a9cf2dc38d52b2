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
      TextLayout.sentence(
        "A heart rate is in what a phone or computer and the sensor say to each other, packet by packet. A log tells all "
          + "of it if it keeps the packets whole and begins before the two connect. Logs hold other people's devices, and "
          + "keys: share them with care.", indent: 0, width: context.width))
    for system in LoggingSystem.allCases {
      buffer.write("\n" + Style.heading(system.name, context) + "\n")
      write(system, &buffer)
    }
    buffer.flush()
  }

  /// The end of a report on captures that lack something: what, and what to do about it, once for each kind.
  func write(for captures: [CaptureSummary], into buffer: inout ReportBuffer) {
    var told: Set<String> = []
    for capture in captures {
      guard let lack = capture.facts.lack, !capture.neverConnected else {
        writeUnseen(of: capture, &buffer)
        continue
      }
      if captures.contains(where: { tells($0, allOf: capture) }) { continue }
      let systems = LoggingSystem.guesses(capture.facts)
      let names = systems.map(\.name).joined(separator: " or ")
      guard told.insert(lack + names).inserted else { continue }
      let isNew = told.insert(names).inserted
      guard isNew, !systems.isEmpty else {
        buffer.write("\n" + TextLayout.sentence("\(lack) \(Self.more)", indent: 0, width: context.width))
        continue
      }
      buffer.write(
        "\n" + TextLayout.sentence("\(lack) To get a full log from \(names):", indent: 0, width: context.width))
      for system in systems {
        if systems.count > 1 { buffer.write("  " + Style.heading(system.name, context) + "\n") }
        write(system, &buffer)
      }
      buffer.write(TextLayout.sentence("Other systems: hrsnoop explain capture", indent: 0, width: context.width))
    }
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

  /// Why there may be no heart rate in a capture, if that can be for what came before it.
  private func writeUnseen(of capture: CaptureSummary, _ buffer: inout ReportBuffer) {
    let unseen = capture.connections.filter { !$0.wasOpened }.count
    let isAnythingFound = capture.connections.contains { $0.heartRate != nil || !$0.candidates.isEmpty }
    guard unseen > 0, !isAnythingFound, capture.part == nil, capture.hiddenConnections.isEmpty else { return }
    let connections = unseen == 1 ? "One connection was" : "\(TimeText.count(unseen)) connections were"
    let text =
      "No heart rate was found: nothing that came looks like one. \(connections) made before the capture begins, and what "
      + "was discovered before it is not known. If the sensor is there, make it new to the device and begin the log before "
      + "it connects. \(Self.more)"
    buffer.write("\n" + TextLayout.sentence(text, indent: 0, width: context.width))
  }

  private static let more = "How to get a full log: hrsnoop explain capture"

  private func write(_ system: LoggingSystem, _ buffer: inout ReportBuffer) {
    for (index, step) in system.steps.enumerated() {
      var text = TextLayout.sentence(step.text, indent: 5, width: context.width)
      text.replaceSubrange(text.startIndex..<text.index(text.startIndex, offsetBy: 5), with: "  \(index + 1). ")
      buffer.write(text)
      if let command = step.command { buffer.write("         \(Style.accent(command, context))\n") }
    }
  }
}

extension CaptureSummary {
  /// Whether all there is of connections are attempts that failed: a fuller log would hold no more.
  fileprivate var neverConnected: Bool {
    connections.allSatisfy(\.cameToNothing)
      && findings.contains { $0.rule == "connection-not-established" && $0.severity == .error }
  }
}
