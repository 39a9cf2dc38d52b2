import BluetoothHost
import CaptureFiles

// Words that messages of rules about the link share.

/// "0x08, Connection Timeout".
func words(_ code: HCIErrorCode) -> String {
  let number = "0x" + hexadecimal(code.rawValue)
  return code.name.map { "\(number), \($0)" } ?? "\(number), a code that is not defined"
}

/// "48.75 ms", "6 s".
func milliseconds(_ milliseconds: Double) -> String {
  milliseconds < 1000 ? "\(number(milliseconds, decimals: 2)) ms" : "\(number(milliseconds / 1000, decimals: 2)) s"
}

/// "interval 15 ms, latency 0, timeout 720 ms".
func words(_ parameters: ConnectionParameters) -> String {
  "interval \(milliseconds(parameters.intervalMilliseconds)), latency \(parameters.latency), "
    + "timeout \(milliseconds(Double(parameters.supervisionTimeoutMilliseconds)))"
}

/// "interval 312.5 ms to 500 ms, latency 0, timeout 6 s".
func words(_ request: ConnectionParameterRequest) -> String {
  let (least, most) = (Double(request.intervalMinimum) * 1.25, Double(request.intervalMaximum) * 1.25)
  let interval = least == most ? milliseconds(least) : "\(milliseconds(least)) to \(milliseconds(most))"
  return "interval \(interval), latency \(request.latency), "
    + "timeout \(milliseconds(Double(request.supervisionTimeout) * 10))"
}

/// "C5:44:33:22:11:01", or "a device that is not known".
func words(_ address: DeviceAddress?) -> String { address.map(\.description) ?? "a device that is not known" }

/// "0x0040".
func words(handle: UInt16) -> String {
  "0x" + hexadecimal(UInt8(truncatingIfNeeded: handle >> 8)) + hexadecimal(UInt8(truncatingIfNeeded: handle))
}

/// The same fault again and again: told once, with its first and last record and how often it was there.
struct Recurrences {
  private var faults: [(message: String, first: Moment, last: Moment, count: Int)] = []

  /// More different ones in one connection are not told apart.
  private static let most = 16

  mutating func note(_ message: String, _ moment: Moment) {
    if let place = faults.firstIndex(where: { $0.message == message }) {
      faults[place].last = moment
      faults[place].count += 1
    } else if faults.count < Self.most {
      faults.append((message, moment, moment, 1))
    }
  }

  func report(_ rule: any AnomalyRule.Type, _ scene: inout RuleScene) {
    for fault in faults {
      scene.report(rule, fault.message, from: fault.first, to: fault.last, count: fault.count)
    }
  }
}
