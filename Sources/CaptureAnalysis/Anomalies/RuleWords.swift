// Words that messages of rules share.

/// "1 octet", "4 octets".
func octets(_ count: Int) -> String { count == 1 ? "1 octet" : "\(count) octets" }

/// Two hexadecimal digits.
func hexadecimal(_ octet: UInt8) -> String {
  let digits = String(octet, radix: 16)
  return digits.count == 1 ? "0" + digits : digits
}

/// "8.2 s", "2 min 5 s".
func seconds(_ seconds: Double) -> String {
  guard seconds >= 120, seconds < 1e9 else { return "\(number(seconds)) s" }
  let whole = Int(seconds.rounded())
  return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
}

/// "once", "twice", "5 times".
func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count) times" }
