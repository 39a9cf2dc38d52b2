import BluetoothHost
import CaptureFiles
import GATTKit

// Words that messages of rules about the link share.

/// "0x08, Connection Timeout".
func words(_ code: HCIErrorCode) -> String {
  let number = "0x" + code.rawValue.hexadecimal
  return code.name.map { "\(number), \($0)" } ?? "\(number), a code that is not defined"
}

/// "interval 15 ms, latency 0, timeout 720 ms".
func words(_ parameters: ConnectionParameters) -> String {
  "interval \(length(milliseconds: parameters.intervalMilliseconds)), latency \(parameters.latency), "
    + "timeout \(length(milliseconds: Double(parameters.supervisionTimeoutMilliseconds)))"
}

/// "interval 312.5 ms to 500 ms, latency 0, timeout 6 s".
func words(_ request: ConnectionParameterRequest) -> String {
  let (least, most) = (Double(request.intervalMinimum) * 1.25, Double(request.intervalMaximum) * 1.25)
  let interval =
    least == most ? length(milliseconds: least) : "\(length(milliseconds: least)) to \(length(milliseconds: most))"
  return "interval \(interval), latency \(request.latency), "
    + "timeout \(length(milliseconds: Double(request.supervisionTimeout) * 10))"
}

extension RuleScene {
  /// "; its battery was at 3 % by what it told last": where so little was left that it may be why the peer is gone.
  var lowBattery: String {
    battery.map { $0 <= Self.lowBatteryPercent ? "; its battery was at \($0) % by what it told last" : "" } ?? ""
  }

  /// A level is made from the voltage, and guesses at the last of it.
  private static let lowBatteryPercent: UInt8 = 5
}

/// "C5:44:33:22:11:01", or "a device that is not known".
func words(_ address: DeviceAddress?) -> String { address.map(\.description) ?? "a device that is not known" }
