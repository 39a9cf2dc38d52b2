import CaptureAnalysis
import CaptureFiles

/// Captures of the same packets: a bug report's text and the file beside it often hold both.
struct SharedMeasurements {
  /// A capture, and an earlier one that holds what it does.
  private(set) var pairs: [(capture: Int, earlier: Int)] = []

  /// The last measurement of a connection: no two that two captures hold come at the same microsecond on the same handle.
  private struct Last: Hashable {
    let handle: UInt16
    let time: Timestamp
  }

  /// Fewer measurements are chance.
  private static let fewest = 3

  init(of summaries: [CaptureSummary]) {
    var holders: [Last: Int] = [:]
    for (place, summary) in summaries.enumerated() {
      let lasts = summary.connections.compactMap(Self.last)
      if let earlier = lasts.lazy.compactMap({ holders[$0] }).first { pairs.append((place, earlier)) }
      for last in lasts where holders[last] == nil { holders[last] = place }
    }
  }

  private static func last(of connection: ConnectionSummary) -> Last? {
    guard let statistics = connection.heartRate?.statistics, statistics.measurements >= fewest,
      let time = statistics.lastTime, time.isTold
    else { return nil }
    return Last(handle: connection.handle, time: time)
  }

  /// Says so below the table of captures.
  func write(_ origins: [CaptureOrigin], _ context: ReportContext, into buffer: inout ReportBuffer) {
    for (number, pair) in pairs.prefix(Self.mostTold).enumerated() {
      let (first, second) = (Self.name(origins[pair.earlier]), Self.name(origins[pair.capture]))
      let both = origins.count == 2 ? "Both" : "\(first) and \(second) both"
      let text = "\(both) hold the same measurements, and each counts them."
      buffer.write((number == 0 ? "\n" : "") + context.sentence(Style.quiet(text, context)))
    }
    let more = pairs.count - Self.mostTold
    guard more > 0 else { return }
    let others = more == 1 ? "another one" : "\(TimeText.count(more)) others"
    buffer.write(context.sentence(Style.quiet("So it is with \(others).", context)))
  }

  private static let mostTold = 3

  /// What tells a capture from others, without the path to it.
  private static func name(_ origin: CaptureOrigin) -> String {
    let names = origin.memberNames.isEmpty ? [origin.path] : origin.memberNames
    return names.map { AirText.shown(String($0.split(separator: "/").last ?? "-"), limit: 100) }.joined(
      separator: " + ")
  }
}
