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
    let least = length(milliseconds: request.intervalMinimumMilliseconds)
    let most = length(milliseconds: request.intervalMaximumMilliseconds)
    return "\(least == most ? most : range(least, most)), latency \(request.latency), "
      + timeout(milliseconds: request.supervisionTimeoutMilliseconds)
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

  /// "312.5–500 ms", "500 ms–2 s".
  private static func range(_ least: String, _ most: String) -> String {
    let (number, unit) = (least.prefix { $0 != " " }, least.drop { $0 != " " })
    return "\(most.hasSuffix(unit) ? String(number) : least)–\(most)"
  }

  private static func latency(_ parameters: ConnectionParameters) -> String { "latency \(parameters.latency)" }

  private static func timeout(_ parameters: ConnectionParameters) -> String {
    timeout(milliseconds: parameters.supervisionTimeoutMilliseconds)
  }

  private static func timeout(milliseconds: Int) -> String { "timeout \(length(milliseconds: Double(milliseconds)))" }
}
