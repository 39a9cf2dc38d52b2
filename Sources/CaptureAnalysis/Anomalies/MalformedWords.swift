import GATTKit

extension ObservedMeasurement {
  /// "a value of 3 octets, where flags 0x00 ask for 2": how its length contradicts its flags.
  var contradiction: String {
    guard let flags, length > 0 else {
      return "an empty value, where at least flags and a heart rate are due"
    }
    let fixed = flags.fixedLength
    let words = "flags 0x\(flags.rawValue.hexadecimal) ask for \(octets(fixed))"
    let value = "a value of \(octets(length))"
    guard flags.contains(.rrIntervals) else { return "\(value), where \(words)" }
    let others = length - fixed
    if others < 0 { return "\(value), where \(words) and RR-Intervals" }
    if others == 0 { return "\(value) without the RR-Intervals of which flags 0x\(flags.rawValue.hexadecimal) tell" }
    return "\(value), where \(words) and RR-Intervals of 2 each: 1 is left over"
  }
}
