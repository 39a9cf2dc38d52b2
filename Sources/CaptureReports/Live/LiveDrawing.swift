import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit

/// One drawing of a live view, above its footer.
struct LiveDrawing {
  let connection: LiveConnection?
  let connections: [LiveConnection]
  let awaited: String
  let notes: [LiveNote]
  /// What was found on other adapters.
  let elsewhere: [LiveNote]
  /// Whether those are only the last ones.
  let areLast: Bool
  let opened: Int?
  let now: Moment?
  let steadyTime: SteadyTime
  let moments: MomentText
  let columns: Int

  /// The lines, as many as there are rows or fewer.
  func body(rows: Int) -> [LiveLine] {
    guard let connection else { return waiting(rows: rows) }
    var lines = [title(connection)]
    if rows >= 8 { lines.append(link(connection)) }
    if rows >= 12 { lines.append(knowledge(connection)) }
    guard let last = connection.last else {
      let missing = LiveLine(TextLayout.beginning(of: missing(connection), width: columns), .warning)
      if rows < 4 { return [missing, title(connection)] }
      lines += [LiveLine(), missing, LiveLine()]
      return lines + log(rows: rows - lines.count)
    }
    let isAiry = rows >= 18
    if isAiry { lines.append(LiveLine()) }
    let measurement = measurement(connection, last.measurement, rows: rows)
    // The heart rate is the one thing that the smallest screen shows.
    if rows < 3 { return measurement }
    lines += measurement
    if isAiry { lines.append(LiveLine()) }
    let rest = rows - lines.count
    if rest >= 6, columns >= 24 {
      let graph = RateGraph(
        history: connection.history, steadyTime: steadyTime, end: connection.closed?.moment ?? now ?? last.moment,
        isOver: connection.closed != nil, start: connection.opened, columns: columns,
        rows: min(max(4, rest * 9 / 20), 16))
      lines += graph.lines()
      if isAiry { lines.append(LiveLine()) }
    }
    return lines + log(rows: rows - lines.count)
  }

  private func waiting(rows: Int) -> [LiveLine] {
    let text = TextLayout.beginning(of: "Waiting for \(AirText.shown(awaited, limit: 60)) …", width: columns)
    return (rows >= 8 ? [LiveLine()] : []) + [LiveLine(text, .heading)] + (rows >= 8 ? [LiveLine()] : [])
      + log(rows: rows - (rows >= 8 ? 3 : 1))
  }
}

// MARK: - What it is

extension LiveDrawing {
  private func title(_ connection: LiveConnection) -> LiveLine {
    var line = LiveLine()
    let isSensorHere = connection.server == .local
    let name = isSensorHere ? "This computer is the sensor" : name(connection) ?? "No name"
    line.add(TextLayout.beginning(of: AirText.shown(name, limit: 40), width: columns), .heading)
    let address = connection.peer.lastingAddress.map { "\($0)" } ?? "address unknown"
    let right = [
      connections.count > 1 ? "connection \(connection.id)" : "", adapterText(connection.beginning.adapter),
      span(connection),
    ]
    let place = right.filter { !$0.isEmpty }.joined(separator: "   ")
    line.flow([isSensorHere ? "for \(address)" : address], width: columns)
    line.addRight(place, connection.closed == nil ? nil : .warning, width: columns)
    return line
  }

  /// The name of its peer: what was read of it, on this or on an earlier connection, goes before what it advertises, which
  /// may be short.
  private func name(_ connection: LiveConnection) -> String? {
    let read = connections.last { other in
      other.server == .peer && other.sensor.name != nil && other.beginning.adapter == connection.beginning.adapter
        && Self.haveOnePeer(other, connection)
    }
    return connection.sensor.name ?? read?.sensor.name ?? connection.peer.name
  }

  /// Whether two connections are known to be with one peer: that the addresses of both are unknown tells nothing.
  private static func haveOnePeer(_ one: LiveConnection, _ other: LiveConnection) -> Bool {
    one.peer.lastingAddress != nil && one.peer.lastingAddress == other.peer.lastingAddress
  }

  /// How long it lasts.
  private func span(_ connection: LiveConnection) -> String {
    guard let end = connection.closed?.moment ?? now else { return "" }
    let seconds = steadyTime.seconds(from: connection.opened, to: end)
    return connection.closed == nil
      ? TimeText.duration(seconds.rounded()) : "closed after \(TimeText.duration(seconds))"
  }

  private func link(_ connection: LiveConnection) -> LiveLine {
    var pieces: [String] = []
    if let closed = connection.closed {
      pieces.append(closed.end.words ?? "its end was not seen")
    }
    pieces.append(connection.parameters?.words ?? "parameters unknown")
    if connection.isLowEnergy == false { pieces.append("BR/EDR") }
    pieces.append(connection.mtu.map { "ATT_MTU \($0)" } ?? "")
    pieces.append(connection.isEncrypted ? "encrypted" : "")
    pieces.append("handle \(connection.beginning.handle.handleText)")
    var line = LiveLine()
    line.flow(pieces, width: columns)
    return line
  }

  /// What is known, and how.
  private func knowledge(_ connection: LiveConnection) -> LiveLine {
    var pieces: [String] = []
    if let handle = connection.measurementHandle {
      pieces.append("heart rate on \(handle.handleText), \(how(connection))")
    }
    if !connection.beginning.wasSeen {
      pieces.append(
        connection.beginning.peer.address == nil ? "began before this capture" : "began before: the kernel told of it")
    }
    pieces.append(connection.sensor.location.map { "location \($0)" } ?? "")
    pieces.append(connection.sensor.battery.map { "battery \($0) %" } ?? "")
    let make = [connection.sensor.manufacturer, connection.sensor.model].compactMap { $0 }.joined(separator: ", ")
    pieces.append(AirText.shown(make, limit: 40))
    var line = LiveLine()
    line.flow(pieces, .quiet, width: columns)
    return line
  }

  private func how(_ connection: LiveConnection) -> String {
    if connection.isDiscovered { return "discovered" }
    if let inference = connection.inference {
      return "inferred, \(inference.confidenceText) sure"
    }
    let earlier = connections.first { other in
      other.isDiscovered && other.id != connection.id && other.server == connection.server
        && Self.haveOnePeer(other, connection)
    }
    return earlier.map { "known from connection \($0.id)" } ?? "known from elsewhere"
  }

  /// Why there is no heart rate.
  private func missing(_ connection: LiveConnection) -> String {
    if connection.closed != nil { return "It ended without a heart rate." }
    if connection.measurementHandle == nil { return "No heart rate service is known on this connection yet." }
    return connection.isSubscribed == true
      ? "Subscribed; no measurement yet." : "Nobody has subscribed to the heart rate."
  }
}

// MARK: - The heart rate

extension LiveDrawing {
  private func measurement(_ connection: LiveConnection, _ last: HeartRateEvent, rows: Int) -> [LiveLine] {
    let facts = MeasurementFacts(connection, last, now: now, steadyTime)
    let rate = last.reading.beatsPerMinute
    let digits = rate.map { String($0).count } ?? 0
    let scale = rows >= 34 && columns >= 100 ? 2 : 1
    let width = 2 + BigDigits.width(digits: max(3, digits), scale: scale)
    guard let rate, rows >= 11, width + 12 <= columns else {
      let value = (rate.map { "\($0) bpm" } ?? last.reading.wordsWithoutRate, facts.style)
      let others = facts.pieces(intervals: 3)
      // That nothing comes any more says more than what came last.
      let pieces = facts.isOver ? others.prefix(1) + [value] + others.dropFirst() : [value] + others
      var line = LiveLine(TextLayout.beginning(of: pieces[0].text, width: columns), pieces[0].style)
      line.flow(Array(pieces.dropFirst()), width: columns)
      return [line]
    }
    let big = BigDigits.lines(rate, scale: scale)
    let room = columns - width - 3
    let pieces = ([("bpm", .heading)] + facts.pieces(intervals: min(max(1, (room - 6) / 5), 12))).prefix(big.count)
    // The facts stand beside the middle of the digits.
    let first = max(0, (big.count - pieces.count) / 2)
    return big.indices.map { index in
      var line = LiveLine()
      // Right-aligned, as two digits become three.
      line.advance(to: width - BigDigits.width(digits: digits, scale: scale))
      line.add(big[index], facts.style)
      line.advance(to: width + 3)
      if index >= first, index - first < pieces.count {
        let (text, style) = pieces[index - first]
        line.add(TextLayout.beginning(of: text, width: columns - line.columns), style)
      }
      return line
    }
  }
}

/// What stands beside the heart rate.
private struct MeasurementFacts {
  private let connection: LiveConnection
  private let reading: HeartRateMeasurement.Reading
  /// How long nothing has come, if that is too long.
  private let silence: Double?
  /// Whether the last intervals are old: those of a connection that has ended, and where none came for too long.
  private let areIntervalsOld: Bool

  init(_ connection: LiveConnection, _ last: HeartRateEvent, now: Moment?, _ steadyTime: SteadyTime) {
    self.connection = connection
    reading = last.reading
    func passed(since moment: Moment?) -> Double {
      moment.flatMap { moment in now.map { steadyTime.seconds(from: moment, to: $0) } } ?? 0
    }
    let limit = MeasurementGap.limit(period: connection.recent.rate.map { 1 / max($0, 0.01) } ?? 1)
    let missing = passed(since: connection.last?.moment)
    silence = connection.closed == nil && missing > limit ? missing : nil
    areIntervalsOld = connection.closed != nil || passed(since: connection.recent.lastIntervals) > limit
  }

  /// Whether it is that of a connection that has ended, or has fallen silent: the first piece says which.
  var isOver: Bool { silence != nil || connection.closed != nil }

  /// How the heart rate looks: what is old is faint, what a sensor off the body says is no heart rate.
  var style: Style {
    if isOver { return .quiet }
    return reading.contact == .notDetected || reading.isMalformed ? .warning : .heading
  }

  private var contact: (text: String, style: Style?) {
    switch reading.contact {
    case .detected: ("● contact", .good)
    case .notDetected: ("○ no contact", .warning)
    case .unsupported, nil: ("contact not told", .quiet)
    }
  }

  func pieces(intervals: Int) -> [(text: String, style: Style?)] {
    var pieces: [(String, Style?)] = []
    if let silence { pieces.append(("nothing for \(TimeText.duration(silence.rounded()))", .warning)) }
    if connection.closed != nil { pieces.append(("disconnected", .warning)) }
    if reading.isMalformed { pieces.append(("the last value is broken", .bad)) }
    if connection.closed == nil { pieces.append(contact) }
    let last = connection.recent.intervals(intervals)
    if last.isEmpty {
      pieces.append(((reading.rrCount ?? 0) > 0 ? "RR cut away" : "no RR", .quiet))
    } else {
      pieces.append(
        (
          "RR " + last.map { $0.milliseconds.text(decimals: 0) }.joined(separator: " ") + " ms",
          areIntervalsOld ? .quiet : nil
        ))
    }
    if let rmssd = connection.recent.rmssd {
      pieces.append(("RMSSD \(rmssd.text(decimals: 0)) ms", areIntervalsOld ? .quiet : nil))
    }
    if silence == nil, connection.closed == nil, let rate = connection.recent.rate {
      pieces.append(("\(rate.text(decimals: 2)) a second", nil))
    }
    if let range = connection.range {
      pieces.append(("\(range.lowerBound)–\(range.upperBound) so far", .quiet))
    }
    return pieces
  }
}
