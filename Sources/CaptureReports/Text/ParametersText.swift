import BluetoothHost

/// Parameters of a connection in words.
enum ParametersText {
  /// "45 ms, latency 0, timeout 5 s".
  static func sentence(_ parameters: ConnectionParameters) -> String {
    "\(interval(parameters)), \(latency(parameters)), \(timeout(parameters))"
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
    "\(TimeText.number(parameters.intervalMilliseconds, decimals: parameters.interval % 4 == 0 ? 0 : 2)) ms"
  }

  private static func latency(_ parameters: ConnectionParameters) -> String { "latency \(parameters.latency)" }

  private static func timeout(_ parameters: ConnectionParameters) -> String {
    let milliseconds = parameters.supervisionTimeoutMilliseconds
    return milliseconds < 1000
      ? "timeout \(milliseconds) ms"
      : "timeout \(TimeText.number(Double(milliseconds) / 1000, decimals: milliseconds % 1000 == 0 ? 0 : 2)) s"
  }
}
