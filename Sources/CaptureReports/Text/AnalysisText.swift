import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// `analyze --format text`: what a person reads. What is it, is it well, what happened, the figures; every statement
/// about a packet ends in its frame.
struct AnalysisText {
  let context: ReportContext
  /// How the times of the capture at hand are read.
  private(set) var clock = ClockReading(.utc, zone: nil)

  init(context: ReportContext) {
    self.context = context
  }

  func write(_ captures: [AnalyzedCapture], into buffer: inout ReportBuffer) {
    let summaries = captures.compactMap { capture in
      if case .summary(let summary) = capture { summary } else { nil }
    }
    if captures.count > 1 { CaptureTable(context: context).write(summaries, into: &buffer) }
    for (index, summary) in summaries.enumerated() {
      if index > 0 || captures.count > 1 { buffer.write("\n") }
      var report = self
      report.clock = context.reading(summary.facts.clock)
      report.write(summary, &buffer)
      buffer.flushIfFull()
    }
    CaptureAdvice(context).write(for: summaries.map(\.facts), into: &buffer)
  }

  private func write(_ summary: CaptureSummary, _ buffer: inout ReportBuffer) {
    writeHead(summary, &buffer)
    for device in DeviceReport.devices(of: summary) {
      buffer.write("\n")
      write(device, of: summary, &buffer)
    }
    writeOthers(summary, &buffer)
    writeFindings(summary, of: nil, indent: 0, &buffer)
  }
}

// MARK: - The capture

extension AnalysisText {
  private func writeHead(_ summary: CaptureSummary, _ buffer: inout ReportBuffer) {
    let facts = summary.facts
    let kind = [facts.format, facts.linkTypeName].compactMap { $0 }.joined(separator: ", ")
    buffer.write(
      TextLayout.flow(
        [Style.heading(summary.title, context), Style.quiet(kind, context)], indent: 0,
        width: context.width))
    let sensors = summary.connections.filter { $0.heartRate != nil }
    let pieces =
      period(facts) + [
        TimeText.count(facts.records, "record"),
        "\(TimeText.count(summary.connections.count, "connection")), \(TimeText.count(sensors.count)) with heart rate",
      ]
    buffer.write(TextLayout.flow(pieces, indent: 0, width: context.width))
    if summary.unlistedConnections > 0 {
      let text = "\(TimeText.count(summary.unlistedConnections, "more connection")) not listed"
      buffer.write(TextLayout.flow([Style.warning(text, context)], indent: 0, width: context.width))
    }
    if summary.hiddenConnections > 0 {
      let text = "\(TimeText.count(summary.hiddenConnections, "connection")) left out, as asked for"
      buffer.write(TextLayout.flow([text], indent: 0, width: context.width))
    } else if summary.connections.isEmpty {
      let why =
        facts.records == 0
        ? "The capture holds no records."
        : "No connection appears in this capture."
      buffer.write(TextLayout.sentence(why, indent: 0, width: context.width))
    }
  }

  /// "2026-03-14 09:26:53 – 09:28:55 UTC   2 min 02 s".
  private func period(_ facts: CaptureFacts) -> [String] {
    guard let firstStamp = facts.firstTime, let lastStamp = facts.lastTime else { return ["no packets"] }
    guard lastStamp.isTold else { return ["no times"] }
    let (first, last) = (clock.wall(firstStamp), clock.wall(lastStamp))
    let sameDay = TimeText.date(first) == TimeText.date(last)
    let end = sameDay ? TimeText.clock(last) : "\(TimeText.date(last)) \(TimeText.clock(last))"
    let seconds = lastStamp.seconds(since: firstStamp)
    let period = "\(TimeText.date(first)) \(TimeText.clock(first)) – \(end) \(clock.zoneName)"
    // Where the clock went back, nothing tells how long it was.
    return seconds < 0 ? [period] : [period, TimeText.duration(seconds)]
  }

  /// Connections that have nothing to do with heart rate, a line each.
  private func writeOthers(_ summary: CaptureSummary, _ buffer: inout ReportBuffer) {
    let others = summary.connections.filter { $0.heartRate == nil }
    let unconnected = summary.advertisers.filter { sensor in
      !summary.connections.contains { $0.address == sensor.address }
    }
    if !others.isEmpty {
      buffer.write("\n" + Style.heading("Connections without heart rate", context) + "\n")
      for connection in others {
        buffer.write(line(connection, width: context.width))
        write(candidatesOf: connection, &buffer)
        if summary.findings.contains(where: { $0.connection == connection.id && $0.severity > .info }) {
          write(storyOf: connection, in: summary, &buffer)
        }
      }
    }
    if !unconnected.isEmpty {
      buffer.write("\n" + Style.heading("Heart rate sensors that advertised and were not connected", context) + "\n")
      for sensor in unconnected {
        let pieces = [
          sensor.name.map { AirText.shown($0) } ?? "no name", addressText(sensor.address),
          sensor.company.flatMap(AssignedNumbers.companyName) ?? "", sensor.rssi.map { "\($0) dBm" } ?? "",
        ]
        buffer.write(TextLayout.flow(pieces, indent: 2, width: context.width, hanging: 4))
      }
    }
  }

  private func line(_ connection: ConnectionSummary, width: Int) -> String {
    let services = connection.services(connection.server).count
    let name = connection.peer.name.map { AirText.shown($0) } ?? ""
    let pieces = [
      "Connection \(connection.id)", DeviceReport.span(connection, clock), name,
      (connection.identity ?? connection.address).map(addressText) ?? "unknown peer",
      services > 0 ? TimeText.count(services, "service") : "",
      connection.isLowEnergy == false ? "BR/EDR" : "",
      connection.closed == nil ? "" : DeviceReport.ending(connection),
    ]
    return TextLayout.flow(pieces, indent: 2, width: width, hanging: 4)
  }

}

/// "E0:9E:1A:77:00:01 random static".
func addressText(_ address: DeviceAddress) -> String {
  let kind = address.randomKind.map { "random \($0)" } ?? "public"
  return "\(address) \(kind)"
}
