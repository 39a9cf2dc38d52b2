public import CaptureAnalysis
import CaptureFiles

/// Times as people write them on a command line, read again.
public enum WrittenTime {
  /// Seconds from the start, such as "90" or "12.5", or a date with or without a time of day and a zone, as ISO 8601 has
  /// them: "2026-03-14T09:26:53Z", "2026-03-14 09:26:53.5+02:00", "2026-03-14"; nil for anything else.
  /// - Parameter isLast: Whether a date alone is the end of its day, not the beginning.
  public static func limit(_ text: String, isLast: Bool = false) -> TimeLimit? {
    var scanner = Scanner(text)
    if let seconds = scanner.seconds(), scanner.isAtEnd { return .sinceStart(microseconds: seconds) }
    return moment(text, isLast: isLast)
  }

  /// So many seconds from the start are not taken any more: a few centuries.
  static let tooManySeconds: Int64 = 10_000_000_000

  private static let microsecondsOfDay: Int64 = 86_400_000_000

  private static func moment(_ text: String, isLast: Bool) -> TimeLimit? {
    var scanner = Scanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
      scanner.skip("-"), let day = scanner.number(digits: 2),
      let days = CivilTime.days(year: year, month: month, day: day)
    else { return nil }
    var microseconds = Int64(days) * microsecondsOfDay
    if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
      guard let time = scanner.timeOfDay() else { return nil }
      microseconds += time
    } else if isLast {
      microseconds += microsecondsOfDay - 1
    }
    let time = Timestamp(microseconds: microseconds)
    if scanner.isAtEnd { return .written(time, offset: nil) }
    // What is no zone must not be passed over: the time would be another one.
    guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return .written(time, offset: offset)
  }

  /// A zone from its distance to UTC: "UTC", "Z", "+02:00", "-0330" or "+02"; nil for anything else, such as its name.
  public static func zone(_ text: String) -> TimeZoneRule? {
    if ["utc", "z"].contains(text.lowercased()) { return .utc }
    var scanner = Scanner(text)
    guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    let minutes = offset.magnitude / 60_000_000
    let name = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return TimeZoneRule(name: (offset < 0 ? "-" : "+") + name, microseconds: offset)
  }

  /// Walks through a text.
  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func digit() -> Int? {
      guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
      rest = rest.dropFirst()
      return Int(first) - 0x30
    }

    mutating func number(digits: Int) -> Int? {
      var number = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// Digits behind a point, in microseconds.
    private mutating func fraction() -> Int64? {
      guard skip(".") else { return 0 }
      guard var fraction = digit().map({ Int64($0) * 100_000 }) else { return nil }
      var unit: Int64 = 10_000
      while let digit = digit() {
        fraction += Int64(digit) * unit
        unit /= 10
      }
      return fraction
    }

    /// Seconds with or without a fraction, in microseconds.
    mutating func seconds() -> Int64? {
      guard var seconds = digit().map(Int64.init) else { return nil }
      while let digit = digit() {
        seconds = seconds * 10 + Int64(digit)
        guard seconds < tooManySeconds else { return nil }
      }
      return fraction().map { seconds * 1_000_000 + $0 }
    }

    /// Microseconds since midnight.
    mutating func timeOfDay() -> Int64? {
      guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60 else {
        return nil
      }
      var seconds: Int64 = 0
      if skip(":") {
        // A leap second is the last of its minute.
        guard let second = number(digits: 2), second <= 60, let fraction = fraction() else { return nil }
        seconds = Int64(second) * 1_000_000 + fraction
      }
      return Int64(hour * 60 + minute) * 60_000_000 + seconds
    }

    /// How far a zone is ahead of UTC, in microseconds.
    mutating func zone() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(digits: 2) else { return nil }
      var minutes = 0
      if skip(":") || !isAtEnd {
        guard let number = number(digits: 2), number < 60 else { return nil }
        minutes = number
      }
      guard hours * 60 + minutes <= 18 * 60 else { return nil }
      return sign * Int64(hours * 60 + minutes) * 60_000_000
    }
  }
}
