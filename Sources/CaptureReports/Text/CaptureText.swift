import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets

/// What a person reads of one capture. What is it, is it well, what happened, the figures; every statement about a packet
/// ends in its frame.
struct CaptureText {
  let summary: CaptureSummary
  let title: String
  let context: ReportContext
  let times: ReportTimes

  init(of summary: CaptureSummary, titled title: String, _ context: ReportContext) {
    self.summary = summary
    self.title = title
    self.context = context
    times = ReportTimes(context.reading(summary.facts.clock), summary.facts)
  }

  func write(into buffer: inout ReportBuffer) {
    writeHead(&buffer)
    for device in DeviceReport.devices(of: summary) {
      buffer.write("\n")
      write(device, &buffer)
    }
    writeOthers(&buffer)
    writeFindings(of: nil, indent: 0, &buffer)
  }
}

// MARK: - The capture

extension CaptureText {
  private func writeHead(_ buffer: inout ReportBuffer) {
    let facts = summary.facts
    let kind = [facts.format, facts.linkTypeName].compactMap { $0 }.joined(separator: ", ")
    buffer.write(context.flow([Style.heading(title, context), Style.quiet(kind, context)]))
    let measuring = summary.connections.count(where: \.hasMeasurements)
    // One that says it is a sensor and sends nothing is no connection without heart rate.
    let isSilent = measuring == 0 && summary.connections.contains { $0.heartRate != nil }
    let pieces =
      times.period + [
        TimeText.count(facts.records, "record"),
        "\(TimeText.count(summary.connections.count, "connection")), \(TimeText.count(measuring)) with \(isSilent ? "measurements" : "heart rate")",
      ]
    buffer.write(context.flow(pieces))
    if summary.unlistedConnections > 0 {
      let text = "\(TimeText.count(summary.unlistedConnections, "more connection")) not listed"
      buffer.write(context.flow([Style.warning(text, context)]))
    }
    if summary.part != nil || !summary.hiddenConnections.isEmpty {
      writePart(&buffer)
    } else if summary.connections.isEmpty {
      let scan =
        facts.holdsScans && summary.advertisers.isEmpty
        ? " The host scanned, and nothing that it heard advertises Heart Rate." : ""
      let why = facts.records == 0 ? CaptureFacts.holdsNoRecords : "No connection appears in this capture.\(scan)"
      buffer.write(context.sentence(why))
    }
  }

  /// What a filter shows, or that nothing can be of what was asked for.
  private func writePart(_ buffer: inout ReportBuffer) {
    buffer.write(summary.part.flatMap(nothing).map { context.sentence($0) } ?? context.flow([part]))
    if summary.connections.isEmpty { HiddenText.write(summary.hiddenConnections, context, into: &buffer) }
  }

  /// "Only 09:30:00 – 09:31:00 is shown, 3 connections left out, as asked for".
  private var part: String {
    var pieces: [String] = []
    if let part = summary.part {
      let frames = part.frames.map { range in
        let first = frameWords(range.frames.first, range.members?.first)
        let last = frameWords(range.frames.last, range.members?.last)
        return first == last ? first : "\(first) → \(last)"
      }
      let period: String? =
        switch (part.from.flatMap { times.text($0) }, part.to.flatMap { times.text($0) }) {
        case (let from?, let to?): "\(from) – \(to)"
        case (let from?, nil): "from \(from) on"
        case (nil, let to?): "up to \(to)"
        case (nil, nil): nil
        }
      let limits = [frames, period].compactMap { $0 }
      pieces.append("only \(limits.isEmpty ? "a part" : limits.joined(separator: ", ")) is shown")
    }
    if !summary.hiddenConnections.isEmpty {
      pieces.append("\(TimeText.count(summary.hiddenConnections.count, "connection")) left out")
    }
    let words = pieces.joined(separator: ", ")
    return "\(words.prefix(1).uppercased())\(words.dropFirst()), as asked for"
  }

  /// Why nothing can lie in a part that ends before it begins: of limits that count from different things, that is known
  /// only with the capture.
  private func nothing(in part: ShownPart) -> String? {
    guard let from = part.from, let to = part.to, to < from else { return nil }
    guard var beginning = times.text(from), var end = times.text(to) else { return nil }
    // They may lie in one second.
    if beginning == end, let first = times.textWithMilliseconds(from), let last = times.textWithMilliseconds(to) {
      (beginning, end) = (first, last)
    }
    return "Nothing is shown: --to (\(end)) lies before --from (\(beginning))."
  }

  /// Connections that have nothing to do with heart rate, a line each.
  private func writeOthers(_ buffer: inout ReportBuffer) {
    let others = summary.connections.filter { $0.heartRate == nil }
    let unconnected = summary.unconnectedAdvertisers
    if !others.isEmpty {
      buffer.write(context.heading("Connections without heart rate"))
      var told: (connection: Int, words: String)?
      for connection in others {
        buffer.write(line(connection))
        write(candidatesOf: connection, &buffer)
        let story = summary.story(of: connection)
        guard story.gravest != nil || story.remark != nil else { continue }
        // Hosts try again and again what fails.
        let words = StoryText.sentence(story, tellsFrames: false).words
        let isSame = told?.words == words
        if !isSame { told = (connection.id, words) }
        write(story, sameAs: isSame ? told?.connection : nil, &buffer)
        writeFindings(of: connection.id, told: story, isBrief: true, indent: 6, &buffer)
      }
    }
    if !unconnected.isEmpty {
      buffer.write(context.heading("Heart rate sensors that advertised and were not connected"))
      for sensor in unconnected {
        let pieces = [
          sensor.name.map { AirText.shown($0) } ?? "no name", sensor.address.text,
          sensor.company.flatMap(AssignedNumbers.companyName) ?? "", sensor.rssi.map { "\($0) dBm" } ?? "",
        ]
        buffer.write(context.flow(pieces, indent: 2, hanging: 4))
      }
    }
  }

  private func line(_ connection: ConnectionSummary) -> String {
    let services = connection.serviceCount(connection.server)
    let name = connection.peer.name.map { AirText.shown($0) } ?? ""
    let pieces = [
      "Connection \(connection.id)", DeviceReport.span(connection, times), name,
      connection.addressText ?? "unknown peer",
      services > 0 ? TimeText.count(services, "service") : "",
      connection.isLowEnergy == false ? "BR/EDR" : "",
      connection.closed == nil ? "" : DeviceReport.ending(connection),
    ]
    return context.flow(pieces, indent: 2, hanging: 4)
  }
}
