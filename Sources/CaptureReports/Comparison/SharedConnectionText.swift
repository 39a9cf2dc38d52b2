import CaptureAnalysis
import CaptureFiles
import GATTKit

/// A connection that two captures hold, in words: how their clocks differ, and what one has and the other has not.
struct SharedConnectionText {
  private let context: ReportContext

  /// As many lone measurements are listed; JSON has all.
  private static let mostListed = 20

  init(_ context: ReportContext) {
    self.context = context
  }

  func write(_ shared: SharedConnection, _ sides: [SensorBehaviour], into buffer: inout ReportBuffer) {
    let captures =
      sides.count > 2 ? "captures \(shared.sides.first + 1) and \(shared.sides.second + 1)" : "both captures"
    buffer.write(Style.heading("one connection, in \(captures)", context) + "\n")
    for sentence in Self.sentences(shared) {
      buffer.write(context.sentence(sentence, indent: 2))
    }
    for pieces in loneMeasurements(shared) {
      buffer.write(context.flow(pieces, indent: 4, hanging: 8))
    }
    buffer.write("\n")
  }

  /// What is to be said of it; sides are counted from 1.
  static func sentences(_ shared: SharedConnection) -> [String] {
    var sentences = [clock(shared), "\(TimeText.count(shared.matched, "measurement")) in both."]
    let (first, second) = (shared.sides.first + 1, shared.sides.second + 1)
    for change in shared.clockChanges { sentences.append(words(for: change, first, second)) }
    let connections = shared.connections
    for (count, unlogged, side, other, own, others) in [
      (shared.lone.first.count, shared.unlogged.first, first, second, connections.first, connections.second),
      (shared.lone.second.count, shared.unlogged.second, second, first, connections.second, connections.first),
    ] {
      sentences += lone(count - unlogged, of: side, missingIn: other, own, others)
      guard unlogged > 0 else { continue }
      let what = "\(TimeText.count(unlogged, "measurement")) of \(side) \(unlogged == 1 ? "is" : "are")"
      sentences.append("\(what) not in \(other), whose log lost records there.")
    }
    if shared.lone.first.isEmpty, shared.lone.second.isEmpty {
      let isAll = shared.uncovered == (0, 0)
      let time = isAll ? "Neither" : "In the time that both cover, neither"
      sentences.append("\(time) lacks one that the other has.")
    }
    for (side, other, count) in [
      (first, second, shared.uncovered.first), (second, first, shared.uncovered.second),
    ] where count > 0 {
      sentences.append("\(TimeText.count(count, "more measurement")) in \(side), from before or after \(other).")
    }
    if shared.longestDelay >= 0.5 {
      sentences.append(
        "The longest was on its way \(shared.longestDelay.text(decimals: 1)) s more than usual: held back on the air."
      )
    }
    return sentences
  }

  private static func clock(_ shared: SharedConnection) -> String {
    if shared.hasOneClock { return "One clock has timed both." }
    let (first, second) = (shared.sides.first + 1, shared.sides.second + 1)
    let clock = shared.clock
    let amount = clock.offset.magnitude.text(decimals: 3)
    var text =
      clock.offset.magnitude < 0.0005
      ? "The clocks of \(first) and \(second) agree"
      : "The clock of \(second) is \(amount) s \(clock.offset > 0 ? "ahead of" : "behind") that of \(first)"
    if let uncertainty = clock.uncertainty {
      text += ", to within \(max(uncertainty * 1000, 0.1).text(decimals: 1)) ms"
    } else {
      text += ", the way between them included: only one direction could be timed"
    }
    if let drift = clock.drift {
      text += "; it \(drift > 0 ? "gains" : "loses") \(drift.magnitude.text(decimals: 0)) millionths"
    }
    return text + "."
  }

  private static func words(for change: ClockChange, _ first: Int, _ second: Int) -> String {
    let records = [(change.records.first, first), (change.records.second, second)].map { moment, side in
      "\(frameWords(moment.frame, moment.member)) of \(side)"
    }
    let amount = "\(change.seconds.magnitude.text(decimals: 2)) s"
    let way = change.seconds > 0 ? "further ahead" : "further back"
    return "One of the clocks was set: from \(records[0]) and \(records[1]) on, that of \(second) is \(amount) \(way)."
  }

  private static func lone(
    _ count: Int, of side: Int, missingIn other: Int, _ own: SensorBehaviour.SideConnection,
    _ others: SensorBehaviour.SideConnection
  ) -> [String] {
    guard count > 0 else { return [] }
    let what = TimeText.count(count, "measurement")
    return switch (own.summary.server, others.summary.server) {
    case (.local, .peer): ["\(what) that \(side) sent never reached \(other): lost on the way."]
    case (.peer, .local):
      ["\(what) that \(side) received \(count == 1 ? "is" : "are") not in \(other), the sensor's own log: lost there."]
    default: ["\(what) only in \(side)."]
    }
  }

  /// The measurements that one has and the other has not, each in pieces.
  func loneMeasurements(_ shared: SharedConnection) -> [[String]] {
    pieces(shared.lone.first, shared.connections.first, shared.sides.first)
      + pieces(shared.lone.second, shared.connections.second, shared.sides.second)
  }

  private func pieces(
    _ measurements: [Measurement], _ side: SensorBehaviour.SideConnection, _ number: Int
  ) -> [[String]] {
    let times = ReportTimes(context.reading(side.facts.clock), side.facts)
    var all = measurements.prefix(Self.mostListed).map { measurement in
      let reading = measurement.reading
      var pieces = [
        "only in \(number + 1)", frameWords(measurement.frame, measurement.member),
        times.textWithMilliseconds(measurement.time), reading.beatsPerMinute.map { "\($0) bpm" } ?? "no rate",
      ].compactMap { $0 }
      if let intervals = reading.rrIntervals, !intervals.isEmpty {
        let all = intervals.map { $0.milliseconds.text(decimals: 0) }.joined(separator: " ")
        pieces.append("RR \(all) ms")
      }
      return pieces
    }
    if measurements.count > Self.mostListed {
      all.append(["and \(TimeText.count(measurements.count - Self.mostListed)) more, all of them in --format json"])
    }
    return all
  }
}
