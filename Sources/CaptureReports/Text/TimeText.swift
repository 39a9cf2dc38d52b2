import Octets
import CaptureAnalysis
import CaptureFiles

/// Times in words.
enum TimeText {
  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// "2026-03-14".
  static func date(_ time: Timestamp) -> String {
    let civil = CivilTime(time)
    let year = String(civil.year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
    return "\(civil.year < 0 ? "-" : "")\(padded)-\(two(civil.month))-\(two(civil.day))"
  }

  /// "09:26:53".
  static func clock(_ time: Timestamp) -> String {
    let civil = CivilTime(time)
    return "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
  }

  /// "09:26:53.001".
  static func clockWithMilliseconds(_ time: Timestamp) -> String {
    let milliseconds = CivilTime(time).microsecond / 1000
    return clock(time) + "." + (milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : "") + "\(milliseconds)"
  }

  /// "38 min 39 s", "4.2 s", "2 h 05 min".
  static func duration(_ seconds: Double) -> String {
    guard seconds < 9e9 else { return "centuries" }
    if seconds < 10 { return "\(number(max(0, seconds), decimals: 1)) s" }
    let whole = Int(seconds + 0.5)
    return whole < 60 ? "\(whole) s" : CaptureAnalysis.duration(of: whole)
  }

  /// A number with decimals.
  static func number(_ number: Double, decimals: Int) -> String {
    var text = ""
    var buffer = ReportBuffer { octets in text = String(decoding: ContiguousArray(octets), as: UTF8.self) }
    buffer.write(number, decimals: decimals)
    buffer.flush()
    return text
  }

  /// A number with its thousands set apart: "61,204".
  static func count(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, digit != "-", (digits.count - index) % 3 == 0, text != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  /// "1 packet", "2 packets".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
