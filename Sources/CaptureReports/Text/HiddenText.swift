import CaptureAnalysis

/// What could be asked for, where nothing fits what was.
enum HiddenText {
  private static let most = 6

  /// Writes "connection 1, Polar H7 2C5A1D17   connection 2, TICKR 5F3A".
  static func write(_ connections: [HiddenConnection], _ context: ReportContext, into buffer: inout ReportBuffer) {
    var pieces = connections.prefix(most).map { connection in
      let peer = connection.name.map { AirText.shown($0) } ?? connection.address?.text ?? "unknown peer"
      return "connection \(connection.id), \(peer)"
    }
    if connections.count > most { pieces.append("\(connections.count - most) more") }
    if !pieces.isEmpty { buffer.write(context.flow(pieces, indent: 2)) }
  }
}
