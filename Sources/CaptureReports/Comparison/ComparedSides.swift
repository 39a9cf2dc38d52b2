import CaptureAnalysis

extension Comparison {
  /// What stands above the columns, and where titles do not tell them apart, behind the numbers of the sides.
  var heads: [String] {
    let titles = sides.map { AirText.shown($0.title) }
    return Set(titles).count == titles.count ? titles : zip(1..., titles).map { "\($0)  \($1)" }
  }

  /// What each side is: "Polar H7, connections 1 and 4 in a.log".
  var sideWords: [String] {
    let names = captureNames
    return sides.map { "\(AirText.shown($0.title)), \(Self.origin(of: $0, names))" }
  }

  /// "connections 1 and 4 in a.log", "connection 1 in a.log, connection 2 in b.log", "12 connections in 5 captures".
  private static func origin(of side: SensorBehaviour, _ names: [CaptureOrigin: String]) -> String {
    let captures = side.captures
    guard captures.count <= mostCaptures else {
      return "\(TimeText.count(side.connections.count, "connection")) in \(captures.count) captures"
    }
    return captures.map { capture in "\(side.connectionWords(in: capture)) in \(names[capture] ?? "")" }
      .joined(separator: ", ")
  }

  private static var mostCaptures: Int { 3 }
}
