import BluetoothHost
import CaptureAnalysis

/// Parameters of a connection in words.
enum ParametersText {
  /// "45 ms, latency 0, timeout 5 s".
  static func sentence(_ parameters: ConnectionParameters) -> String {
    "\(interval(parameters)), \(latency(parameters)), \(timeout(parameters))"
  }

  /// What is asked for: "312.5–500 ms, latency 0, timeout 6 s".
  static func sentence(_ request: ConnectionParameterRequest) -> String {
    lengths(milliseconds: request.intervalMinimumMilliseconds, to: request.intervalMaximumMilliseconds)
      + ", latency \(request.latency), " + timeout(milliseconds: request.supervisionTimeoutMilliseconds)
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
    length(milliseconds: parameters.intervalMilliseconds)
  }

  private static func latency(_ parameters: ConnectionParameters) -> String { "latency \(parameters.latency)" }

  private static func timeout(_ parameters: ConnectionParameters) -> String {
    timeout(milliseconds: parameters.supervisionTimeoutMilliseconds)
  }

  private static func timeout(milliseconds: Int) -> String { "timeout \(length(milliseconds: Double(milliseconds)))" }
}
