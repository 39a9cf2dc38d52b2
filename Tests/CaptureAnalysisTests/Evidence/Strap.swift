import Octets
import TestSupport

/// What a strap sends, about once a second: a rate that goes up and down, and the interval that makes it.
func strap(_ second: Int) -> [UInt8] {
  let rate = 70 + [0, 1, 2, 3, 2, 1, 0, -1][second % 8]
  return [0x16, UInt8(rate)] + UInt16(61_440 / rate).little
}

extension HostSide {
  mutating func stream(
    on handle: UInt16 = 0x40, attribute: UInt16 = 16, seconds: Int, _ value: (Int) -> [UInt8]
  ) {
    for second in 0..<seconds {
      notified(on: handle, attribute: attribute, value(second))
      wait(milliseconds: 980)
    }
  }
}
