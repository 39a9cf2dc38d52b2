import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit

/// One heart rate sensor in a report for people, with all its connections.
struct DeviceReport {
  /// Its connections, in order.
  private(set) var connections: [ConnectionSummary]

  /// The sensors of a capture, in the order they first appear. A connection whose peer is not known stands alone.
  static func devices(of summary: CaptureSummary) -> [DeviceReport] {
    var devices: [DeviceReport] = []
    var places: [ConnectedDevice: Int] = [:]
    for connection in summary.connections where connection.heartRate != nil {
      let device = ConnectedDevice(.peer, of: connection)
      if let known = device.flatMap({ places[$0] }) {
        devices[known].connections.append(connection)
      } else {
        if let device { places[device] = devices.count }
        devices.append(DeviceReport(connections: [connection]))
      }
    }
    return devices
  }

  /// What to call it.
  var title: String {
    guard let connection = connections.last else { return "" }
    if connection.server == .local {
      return connection.local.name.map { AirText.shown($0) } ?? "this device"
    }
    return connection.peer.name.map { AirText.shown($0) } ?? "Sensor without a name"
  }

  /// When a connection was open.
  static func span(_ connection: ConnectionSummary, _ times: ReportTimes) -> String {
    let length = connection.closed.flatMap { times.duration(from: connection.first, to: $0) }.map { ", \($0)" } ?? ""
    guard let first = times.text(connection.first.time) else {
      // Where a capture has no times, records tell.
      let start = "\(connection.wasOpened ? "from" : "before") \(connection.first.frameText)"
      return "\(start) to \(connection.closed?.frameText ?? "the end of the capture")\(length)"
    }
    let start = connection.wasOpened ? first : "before \(first)"
    guard let closed = connection.closed else { return "\(start) – end of the capture" }
    return "\(start) – \(times.text(closed.time, after: connection.first.time) ?? closed.frameText)\(length)"
  }

  /// Why a connection ended.
  static func ending(_ connection: ConnectionSummary) -> String {
    guard let closed = connection.closed else { return "still open when the capture ends" }
    guard let words = connection.end?.words else {
      return "its end is not in the capture: by \(closed.frameText) it was over"
    }
    return "\(words) \(closed.frameText)"
  }
}

extension CaptureText {
  func write(_ device: DeviceReport, _ buffer: inout ReportBuffer) {
    guard let last = device.connections.last else { return }
    let facts = last.sensor
    let make = [facts.manufacturer, facts.model].compactMap { $0 }.map { AirText.shown($0) }.joined(separator: ", ")
    var pieces = [Style.heading(device.title, context)]
    if last.server == .local {
      pieces.append(last.local.name == nil ? "is the sensor" : "this device is the sensor")
    } else {
      let why = last.wasOpened ? "the capture cut it away" : "its beginning is not in the capture"
      pieces.append(last.addressText ?? "address unknown: \(why)")
    }
    pieces.append(make)
    pieces.append(facts.firmware.map { "firmware \(AirText.shown($0))" } ?? "")
    pieces.append(facts.battery.map { "battery \($0) %" } ?? "")
    buffer.write(context.flow(pieces, hanging: 2))
    let shown = device.connections.showingMost(\.self) ?? last
    if let sentence = ProfileText.sentence(of: summary.traits(of: shown), context.profiles) {
      buffer.write(context.sentence(sentence, indent: 2))
    }
    if device.connections.count >= ConnectionTable.leastConnections {
      buffer.write("\n")
      ConnectionTable(context: context, times: times).write(device.connections, of: summary, into: &buffer)
    }
    for connection in device.connections {
      buffer.write("\n")
      write(connection, &buffer)
      buffer.flushIfFull()
    }
  }

  private func write(_ connection: ConnectionSummary, _ buffer: inout ReportBuffer) {
    guard let session = connection.heartRate else { return }
    let head = [
      Style.accent("Connection \(connection.id)", context), DeviceReport.span(connection, times),
      connection.role.map { "as \($0.name)" } ?? "", "handle \(connection.handle.handleText)",
      connection.server == .local ? "peer \(connection.addressText ?? "unknown")" : "",
      connection.identity != nil ? connection.address.map { "under \($0)" } ?? "" : "",
    ]
    buffer.write(context.flow(head, indent: 2, hanging: 4))
    let story = summary.story(of: connection)
    write(story, &buffer)
    if !connection.cameToNothing { buffer.write(context.flow(link(connection), indent: 4)) }
    buffer.write(context.flow([DeviceReport.ending(connection)], indent: 4))
    if connection.malformedPDUs > 0 {
      let text = "\(TimeText.count(connection.malformedPDUs, "broken packet")) on this connection"
      buffer.write(context.flow([Style.warning(text, context)], indent: 4))
    }
    if !connection.cameToNothing {
      buffer.write("\n")
      write(session, connection, &buffer)
    }
    if let other = connection.otherHeartRate { write(other: other, &buffer) }
    writeFindings(of: connection.id, told: story, indent: 4, &buffer)
  }

  /// Hardly ever are both ends sensors: that the other one is too is worth a line.
  private func write(other session: HeartRateSession, _ buffer: inout ReportBuffer) {
    let rate = session.statistics.beatsPerMinute
    let end = session.server == .local ? "this device" : "the peer"
    let pieces = [
      "\(end) sends heart rates too: \(TimeText.count(session.statistics.measurements, "measurement"))",
      session.measurementHandle.map { "handle \($0.handleText)" } ?? "",
      rate.count > 0 ? "\(TimeText.range(rate.least, rate.most)) bpm" : "",
    ]
    buffer.write(context.flow(pieces, indent: 4, hanging: 4))
  }

  private static var mostChanges: Int { 4 }

  private func link(_ connection: ConnectionSummary) -> [String] {
    var pieces: [String] = []
    if let first = connection.parameters.first { pieces.append(first.parameters.words) }
    let changes = zip(connection.parameters, connection.parameters.dropFirst()).compactMap { old, new in
      new.parameters.change(from: old.parameters).map { "→ \($0) \(new.moment.frameText)" }
    }
    pieces += changes.prefix(Self.mostChanges)
    if changes.count > Self.mostChanges {
      pieces.append("and \(TimeText.count(changes.count - Self.mostChanges, "more change"))")
    }
    if connection.isLowEnergy == false { pieces.append("BR/EDR") }
    pieces.append(connection.mtu.map { "ATT_MTU \($0)" } ?? "ATT_MTU unknown")
    if let mtu = connection.enhanced.range {
      let bearers = TimeText.count(connection.enhanced.count, "enhanced bearer")
      let (least, most) = (mtu.lowerBound, mtu.upperBound)
      pieces.append("\(bearers), ATT_MTU \(least == most ? "\(least)" : "\(least)–\(most)")")
    }
    pieces.append(connection.encryption.map { $0 ? "encrypted" : "not encrypted" } ?? "encryption unknown")
    if connection.adapter > 0 { pieces.append(adapterText(connection.adapter)) }
    return pieces
  }
}

// MARK: - Heart rate

extension CaptureText {
  private static let label = 10
  /// Fewer bars beside the figures show nothing; more than the most are hard to take in.
  private static let leastBars = 24
  private static let mostBars = 60

  private func write(_ session: HeartRateSession, _ connection: ConnectionSummary, _ buffer: inout ReportBuffer) {
    writeRate(session, &buffer)
    writeCourse(session.statistics, connection, &buffer)
    writeIntervals(session.statistics, &buffer)
    buffer.write(context.flow(handles(session, connection), indent: 4, hanging: Self.label))
    buffer.write(context.flow(manner(session, connection), indent: 4, hanging: Self.label))
    if let inference = session.inference { write(reasonsOf: inference, &buffer) }
    write(candidatesOf: connection, &buffer)
  }

  private func writeRate(_ session: HeartRateSession, _ buffer: inout ReportBuffer) {
    let statistics = session.statistics
    let rate = statistics.beatsPerMinute
    guard rate.count > 0, let mean = rate.mean, let first = statistics.firstTime, let last = statistics.lastTime else {
      let text = Style.warning(wordsWithoutRate(session), context)
      buffer.write(context.flow(["bpm   \(text)"], indent: 4))
      return
    }
    var figures = [TimeText.count(statistics.measurements, "measurement")]
    if let perSecond = statistics.rate { figures.append(Self.words(ofRate: perSecond)) }
    figures.append("mean \(mean.text(decimals: 1))")

    // A bar is a mean, drawn between the least and the highest value: the numbers at both ends are those of the range below.
    let (least, most) = ("\(rate.least)", "\(rate.most)")
    let room = context.width - Self.label - least.count - most.count - 2
    let figuresWidth = figures.reduce(0) { $0 + $1.count + 3 }
    let areBeside = room - figuresWidth >= Self.leastBars
    let means = statistics.course(columns: min(Self.mostBars, areBeside ? room - figuresWidth : room))
    let line = Sparkline.line(means, least: Double(rate.least), most: Double(rate.most))
    let bars = "bpm   \(least) \(Style.bad(line, context)) \(most)"
    buffer.write(context.flow([bars] + (areBeside ? figures : []), indent: 4))
    if let start = times.text(first), let end = times.text(last, after: first) {
      writeScale(start, end, below: means.count, indent: Self.label + least.count + 1, &buffer)
    }
    if !areBeside { buffer.write(context.flow(figures, indent: Self.label)) }
    if statistics.cutRates > 0 {
      let cut = "\(TimeText.count(statistics.cutRates, "rate")) cut away by the capture"
      buffer.write(context.flow([Style.warning(cut, context)], indent: Self.label))
    }
    if statistics.withoutRate > 0 {
      let others =
        statistics.meanOfRates.map { ": the mean of the others is \($0.text(decimals: 1))" } ?? ""
      let says = statistics.withoutRate == 1 ? "says" : "say"
      let text = "\(TimeText.count(statistics.withoutRate)) of them \(says) 0 bpm, which stands for no rate\(others)"
      buffer.write(context.sentence(text, indent: Self.label))
    }
    if statistics.malformed > 0 {
      // Some tell a rate all the same.
      let count = TimeText.count(statistics.malformed, "malformed measurement")
      let text = "\(count) \(statistics.malformed == 1 ? "is" : "are") left out of the rates: see --format json"
      buffer.write(context.flow([Style.warning(text, context)], indent: Self.label))
    }
  }

  /// How often measurements came: of what is rare, how long from one to the next.
  private static func words(ofRate perSecond: Double) -> String {
    perSecond > 0 && perSecond < 0.1
      ? "one every \(TimeText.duration(1 / perSecond))" : "\(perSecond.text(decimals: 2)) a second"
  }

  /// What there is where no rate is.
  private func wordsWithoutRate(_ session: HeartRateSession) -> String {
    let statistics = session.statistics
    let part = session.leftOut > 0 ? " in this part" : ""
    if statistics.measurements == 0 { return "no measurement\(part)" }
    let all = TimeText.count(statistics.measurements, "measurement") + part
    guard statistics.malformed == statistics.measurements else { return "\(all), their rates cut away by the capture" }
    return "\(all), \(statistics.measurements == 1 ? "which is" : "all of which are") malformed: see --format json"
  }

  /// The times of the first and the last bar, below them; nearer to the margin where the width takes no more.
  private func writeScale(
    _ start: String, _ end: String, below bars: Int, indent: Int, _ buffer: inout ReportBuffer
  ) {
    let space = max(1, bars - start.count - end.count)
    guard indent + start.count + space + end.count <= context.width else {
      return buffer.write(context.flow([Style.quiet(start, context), Style.quiet(end, context)], indent: Self.label))
    }
    let scale = start + String(repeating: " ", count: space) + end
    buffer.write(String(repeating: " ", count: indent) + Style.quiet(scale, context) + "\n")
  }

  /// Where the middle half of fewer measurements lies says nothing.
  private static let leastForHalf = 8
  /// Of a shorter time, in seconds, the beats at its ends would tell how much of it is covered.
  private static let leastForCoverage = 10.0
  /// What covers much more than the time are no beats.
  private static let mostCoverage = 1.1

  /// How the measurements came: how soon, how regularly, and where most of them lie.
  private func writeCourse(
    _ statistics: HeartRateStatistics, _ connection: ConnectionSummary, _ buffer: inout ReportBuffer
  ) {
    guard statistics.beatsPerMinute.count > 0 else { return }
    let rate = statistics.beatsPerMinute
    var range = "\(TimeText.range(rate.least, rate.most)) bpm"
    let quantiles = (statistics.quantile(0.25), statistics.quantile(0.75))
    if case (let low?, let high?) = quantiles, rate.count >= Self.leastForHalf {
      range += ", middle half \(TimeText.range(low, high))"
    }
    var pieces = [range]
    if let seconds = connection.secondsToFirstMeasurement {
      pieces.append("first \(TimeText.duration(seconds)) after the connection was made")
    }
    if statistics.gaps > 0 {
      pieces.append(
        "\(TimeText.count(statistics.gaps, "gap")), the longest \(TimeText.duration(statistics.longestGap))")
    }
    buffer.write(context.flow(pieces, indent: Self.label))
  }

  private func writeIntervals(_ statistics: HeartRateStatistics, _ buffer: inout ReportBuffer) {
    let intervals = statistics.intervals
    let corrected = statistics.corrected
    var pieces: [String]
    if statistics.measurements == 0 { return }
    if intervals.count == 0 {
      guard statistics.cutAway < statistics.measurements else { return }
      pieces = ["RR    none sent"]
    } else if intervals.known > 0 {
      pieces = ["RR    \(TimeText.count(intervals.count, "interval"))"]
      let cut = intervals.count - intervals.known
      if cut > 0 { pieces.append("\(TimeText.count(cut)) of them cut away by the capture") }
      if corrected.artefacts > 0 { pieces.append("\(TimeText.count(corrected.artefacts, "artefact")) left out") }
      if let mean = corrected.statistics.meanMilliseconds { pieces.append("mean \(milliseconds(mean, 0))") }
      if let sdnn = corrected.statistics.sdnn { pieces.append("SDNN \(milliseconds(sdnn, 1))") }
      if let rmssd = corrected.statistics.rmssd { pieces.append("RMSSD \(milliseconds(rmssd, 1))") }
      if let pnn50 = corrected.statistics.pnn50 {
        pieces.append("pNN50 \((pnn50 * 100).text(decimals: 1)) %")
      }
      if let coverage = statistics.coverage, statistics.duration >= Self.leastForCoverage {
        let verb = coverage > Self.mostCoverage ? "adding up to" : "covering"
        pieces.append("\(verb) \(percent(coverage)) of the time")
      }
    } else {
      pieces = ["RR    \(TimeText.count(intervals.count, "interval")) counted, values cut away by the capture"]
    }
    buffer.write(context.flow(pieces, indent: 4, hanging: Self.label))
  }

  private func milliseconds(_ value: Double, _ decimals: Int) -> String {
    "\(value.text(decimals: decimals)) ms"
  }

  /// Where the measurement lies and how it was found.
  private func handles(_ session: HeartRateSession, _ connection: ConnectionSummary) -> [String] {
    var pieces: [String] = []
    if let handles = connection.serviceHandles(of: session) { pieces.append("service \(handles.handleText)") }
    pieces += measurement(session)
    if let subscribed = session.subscribed, let handle = session.configurationHandle {
      pieces.append("subscribed through \(handle.handleText) \(subscribed.frameText)")
    } else if !connection.wasOpened || connection.lacksSome {
      pieces.append("its subscription is not in the capture")
    } else if session.inference?.mayBeConfigured ?? false {
      pieces.append("its subscription is not known")
    } else {
      let hasMeasured = session.statistics.measurements + session.leftOut > 0
      pieces.append(hasMeasured ? "not subscribed on this connection" : "never subscribed")
    }
    if let off = session.switchedOff {
      let often = off.count > 1 ? " \(TimeText.count(off.count)) times, first" : ""
      let again = off.again.map { again in
        let later = times.duration(from: off.first, to: again).map { " \($0) later" } ?? ""
        return ", on again\(later) \(again.frameText)"
      }
      pieces.append("switched off\(often) \(off.first.frameText)\(again ?? "")")
    }
    pieces.append(how(session))
    return pieces
  }

  /// The measurement's handle; where there are several, or it was moved, each of them.
  private func measurement(_ session: HeartRateSession) -> [String] {
    let handles = session.handles.all.map(\.handleText)
    guard handles.count > 1 else {
      return session.measurementHandle.map { ["measurement \($0.handleText)"] } ?? []
    }
    guard session.handles.alternate else { return ["measurement \(handles.joined(separator: ", then "))"] }
    return ["measurements \(handles.joined(separator: " and ")), together in these figures"]
  }

  /// How the handle is known.
  private func how(_ session: HeartRateSession) -> String {
    if let inference = session.inference { return "inferred, \(inference.confidenceText) sure" }
    if session.isDiscovered { return "discovered" }
    return session.origin == .imported ? "from the imported GATT map" : "known from another connection"
  }

  /// What the sensor is like: location, contact, energy.
  private func manner(_ session: HeartRateSession, _ connection: ConnectionSummary) -> [String] {
    var pieces: [String] = []
    if let location = connection.location(of: session) {
      pieces.append("location \(location.location) \(location.moment.frameText)")
    }
    let statistics = session.statistics
    let sound = statistics.measurements - statistics.malformed
    func share(_ count: Int) -> String { "\(TimeText.count(count)) of \(TimeText.count(sound))" }
    if statistics.withContact + statistics.withoutContact == 0 {
      if sound > statistics.cutAway { pieces.append("contact not supported") }
    } else if statistics.withoutContact == 0, statistics.withContact < sound {
      pieces.append("contact held in \(share(statistics.withContact)), not told in the others")
    } else if statistics.withoutContact == 0 {
      pieces.append("contact held throughout")
    } else {
      pieces.append("contact missing in \(share(statistics.withoutContact))")
    }
    if statistics.withEnergy > 0 { pieces.append("energy in \(share(statistics.withEnergy))") }
    return pieces
  }
}
