package import BluetoothHost
import Octets

/// A number that says why something failed or ended, and which the specification may name.
package protocol NamedCode: RawRepresentable where RawValue == UInt8 {
  /// The name in the specification; nil for a code that it does not define.
  var name: String? { get }
}

extension NamedCode {
  /// "Connection Timeout (0x08)".
  package var words: String { "\(name ?? "a code that is not defined") (0x\(rawValue.hexadecimal))" }
}

extension HCIErrorCode: NamedCode {}
extension ATTErrorCode: NamedCode {}
extension PairingFailedReason: NamedCode {}
