import CaptureAnalysis

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
      guard let lack = capture.facts.lack, !capture.neverConnected else { continue }
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
