import BluetoothHost
import Octets
import TestSupport

extension [UInt8] {
  /// Lends the octets as captured ones, of which `kept` are there.
  func captured<Result, Failure: Error>(
    keeping kept: Int? = nil, origin: Int = 0, _ body: (CapturedOctets) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try prefix(kept ?? count).withOctets { (span) throws(Failure) in
      try body(CapturedOctets(span, length: count, origin: origin))
    }
  }
}

extension CapturedOctets {
  /// The octets that are there, and a mark with the length where some are missing: "16 48…4".
  var text: String { octets.text + (isCut ? "…\(length)" : "") }
}

extension Span<UInt8> {
  var text: String { ContiguousArray(self).hexadecimal }
}

extension FixedWidthInteger {
  /// Four hexadecimal digits, or as many as are needed.
  var digits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
  }
}
