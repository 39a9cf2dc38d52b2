/// Where the findings of each connection stand among all of a capture, found once: there may be thousands of both.
struct FindingPlaces: Sendable {
  private var places: [Int?: [Int]] = [:]

  init(_ findings: [Finding]) {
    for place in findings.indices { places[findings[place].connection, default: []].append(place) }
  }

  /// Those of a connection, or of the capture as a whole, in order.
  subscript(connection: Int?) -> [Int] { places[connection] ?? [] }
}
