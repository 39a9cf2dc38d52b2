import GATTKit
import Octets

// Numbers, lengths and times in words.

/// "1 octet", "4 octets".
func octets(_ count: Int) -> String { count.octetWords }

/// "1 measurement", "4 measurements".
func measurements(_ count: Int) -> String { count.words("measurement") }

/// "8.2 s", "2 min 05 s". Over a clock that was set back nobody knows how long it was.
func seconds(_ seconds: Double) -> String {
  guard seconds > -1 else { return "an unknown time" }
  let seconds = max(0, seconds)
  guard seconds >= 120, seconds < 1e9 else { return "\(number(seconds)) s" }
  return duration(of: Int(seconds.rounded()))
}

/// A minute or more, to the second: "2 min", "2 min 05 s", "1 h 18 min", "3 days 4 h".
package func duration(of seconds: Int) -> String {
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(two(seconds % 60)) s") }
  if seconds < 172_800 { return "\(seconds / 3600) h \(two(seconds / 60 % 60)) min" }
  return "\(seconds / 86_400) days \(seconds / 3600 % 24) h"
}

/// An RR-Interval in whole milliseconds.
func milliseconds(_ interval: UInt16) -> Int { Int((Double(interval) * 1000 / 1024).rounded()) }

/// "once", "twice", "5 times".
func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count) times" }

/// "; 5 times in all", and nothing for what came once.
func inAll(_ count: Int) -> String { count > 1 ? "; \(times(count)) in all" : "" }

/// "48.75 ms", "6 s", "4.00125 s": what is sent in units of 1.25 ms is told as it is.
package func length(milliseconds: Double, decimals: Int = 5) -> String {
  milliseconds < 1000
    ? "\(number(milliseconds, decimals: 2)) ms" : "\(number(milliseconds / 1000, decimals: decimals)) s"
}

/// "500 ms", "312.5–500 ms", "500 ms–2 s".
package func lengths(milliseconds least: Double, to most: Double) -> String {
  let (first, last) = (length(milliseconds: least), length(milliseconds: most))
  if first == last { return last }
  let (number, unit) = (first.prefix { $0 != " " }, first.drop { $0 != " " })
  return "\(last.hasSuffix(unit) ? String(number) : first)–\(last)"
}

/// "35 ms", and "2.5 s" from a second on.
func length(seconds length: Double) -> String {
  length.magnitude < 1 ? "\(number(max(0, length) * 1000)) ms" : seconds(length)
}

/// How large a part is, "98 %": nearly all is not all, "over 99 %".
package func percent(_ share: Double) -> String {
  if share < 1 && share >= 0.995 { return "over 99 %" }
  return share > 0 && share < 0.005 ? "under 1 %" : "\(number(share * 100, decimals: 0)) %"
}

/// A number as one writes it: rounded, and without a fraction where there is none.
package func number(_ value: Double, decimals: Int = 1) -> String {
  var text = value.text(decimals: decimals)
  guard text.contains("."), !text.contains("e") else { return text }
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return text
}

/// A number that is not rounded to a limit, nor beyond, which it is short of or above: "5.98", where fewer than 6 were asked.
package func number(_ value: Double, decimals: Int = 1, apartFrom limit: Double) -> String {
  var (decimals, scale) = (decimals, 1.0)
  for _ in 0..<decimals { scale *= 10 }
  while decimals < 6 {
    let rounded = (value * scale).rounded() / scale
    if (rounded < limit) == (value < limit), (rounded > limit) == (value > limit) { break }
    (decimals, scale) = (decimals + 1, scale * 10)
  }
  return number(value, decimals: decimals)
}
