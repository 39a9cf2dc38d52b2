import CaptureAnalysis
import GATTKit
import Octets

/// Times in words.
enum TimeText {
  /// "2026-03-14".
  static func date(_ time: CivilTime) -> String {
    ReportBuffer.text { buffer in
      buffer.write(time.year, pairs: 2, "-")
      buffer.write(time.month, pairs: 1, "-")
      buffer.write(time.day, digits: 2)
    }
  }

  /// "09:26:53".
  static func clock(_ time: CivilTime) -> String {
    ReportBuffer.text { buffer in
      buffer.write(time.hour, pairs: 1, ":")
      buffer.write(time.minute, pairs: 1, ":")
      buffer.write(time.second, digits: 2)
    }
  }

  /// "09:26:53.001".
  static func clockWithMilliseconds(_ time: CivilTime) -> String {
    ReportBuffer.text { $0.write(clockWithMilliseconds: time) }
  }

  /// "38 min 39 s", "4.2 s", "2 h 05 min".
  static func duration(_ seconds: Double) -> String {
    guard seconds < 9e9 else { return "centuries" }
    if seconds < 10 { return "\(max(0, seconds).text(decimals: 1)) s" }
    let whole = Int(seconds + 0.5)
    return whole < 60 ? "\(whole) s" : CaptureAnalysis.duration(of: whole)
  }

  /// A length of time in seconds, up to three decimals. Never rounded up: as `--from` takes it, it must not leave out
  /// what it stands beside.
  static func seconds(microseconds: Int64, decimals: Int) -> String {
    ReportBuffer.text { $0.write(secondsOf: microseconds, decimals: decimals) }
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

  /// "68–81"; "69" where nothing lies between.
  static func range(_ least: Int, _ most: Int) -> String { least == most ? "\(least)" : "\(least)–\(most)" }

  /// "1 packet", "2 packets".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension ReportBuffer {
  /// "09:26:53.001".
  mutating func write(clockWithMilliseconds time: CivilTime) {
    write(time.hour, pairs: 1, ":")
    write(time.minute, pairs: 1, ":")
    write(time.second, pairs: 1, ".")
    write(time.microsecond / 1000, digits: 3)
  }

  /// A length of time; see `TimeText.seconds(microseconds:decimals:)`.
  mutating func write(secondsOf microseconds: Int64, decimals: Int) {
    if decimals == 0 {
      write(microseconds / 1_000_000)
    } else {
      write(Double(microseconds / 1000) / 1000, decimals: decimals)
    }
  }
}
