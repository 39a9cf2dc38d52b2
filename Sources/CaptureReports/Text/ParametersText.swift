import BluetoothHost

/// Parameters of a connection in words.
enum ParametersText {
  /// "45 ms, latency 0, timeout 5 s".
  static func sentence(_ parameters: ConnectionParameters) -> String {
    "\(interval(parameters)), \(latency(parameters)), \(timeout(parameters))"
  }

  /// What is asked for: "312.5–500 ms, latency 0, timeout 6 s".
  static func sentence(_ request: ConnectionParameterRequest) -> String {
    let (least, most) = (interval(request.intervalMinimum), interval(request.intervalMaximum))
    return "\(least == most ? "" : "\(least)–")\(most) ms, latency \(request.latency), "
      + timeout(milliseconds: Int(request.supervisionTimeout) * 10)
  }

  /// What is not as before: "45 ms", "latency 4", "30 ms, timeout 720 ms"; nil if nothing is.
  static func change(from old: ConnectionParameters, to new: ConnectionParameters) -> String? {
    let changes = [
      old.interval == new.interval ? nil : interval(new), old.latency == new.latency ? nil : latency(new),
      old.supervisionTimeout == new.supervisionTimeout ? nil : timeout(new),
    ].compactMap { $0 }
    return changes.isEmpty ? nil : changes.joined(separator: ", ")
  }

  private static func interval(_ parameters: ConnectionParameters) -> String {
    "\(interval(parameters.interval)) ms"
  }

  /// In units of 1.25 ms.
  private static func interval(_ units: UInt16) -> String {
    TimeText.number(Double(units) * 1.25, decimals: units % 4 == 0 ? 0 : units % 2 == 0 ? 1 : 2)
  }

  private static func latency(_ parameters: ConnectionParameters) -> String { "latency \(parameters.latency)" }

  private static func timeout(_ parameters: ConnectionParameters) -> String {
    timeout(milliseconds: parameters.supervisionTimeoutMilliseconds)
  }

  private static func timeout(milliseconds: Int) -> String {
    milliseconds < 1000
      ? "timeout \(milliseconds) ms"
      : "timeout \(TimeText.number(Double(milliseconds) / 1000, decimals: milliseconds % 1000 == 0 ? 0 : 2)) s"
  }
}
