import Foundation

extension View {
  /// What hrsnoop tells of a capture.
  static func hrsnoop(_ path: String) async throws -> View {
    let lines = try await Programs.run(Programs.hrsnoop, ["timeline", "--format", "ndjson", path])
    let decoder = JSONDecoder()
    var view = View()
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let event = try decoder.decode(TimelineEvent.self, from: line)
      let isHeartRate = event.event == "heart-rate"
      if isHeartRate, let raw = event.raw { view.heartRates.append(raw) }
      guard let kind = isHeartRate ? .notification : AttributeFact.Kind(rawValue: event.event),
        let handle = event.handle, let raw = event.raw
      else { continue }
      view.facts.append(AttributeFact(frame: event.frame ?? 0, kind: kind, handle: handle, value: raw))
    }
    return view
  }
}

/// A line of `timeline --format ndjson`, as far as it matters here.
private struct TimelineEvent: Decodable {
  var event: String
  var frame: Int?
  var handle: Int?
  var raw: String?
}
