import CaptureFiles

/// A moment's parts in the proleptic Gregorian calendar, UTC.
///
/// A capture whose clock was never set, or is damaged, has moments that are no date: how far they lie apart may be told
/// all the same.
struct CivilTime {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  let microsecond: Int

  /// The parts of a moment; nil where RFC 3339 has no way to write it: before the year 0, and behind 9999.
  init?(_ time: Timestamp) {
    let (days, inDay) = Self.floorDivide(time.microseconds, 86_400_000_000)
    (year, month, day) = Self.date(days: days)
    guard (0...9999).contains(year) else { return nil }
    hour = Int(inDay / 3_600_000_000)
    minute = Int(inDay / 60_000_000 % 60)
    second = Int(inDay / 1_000_000 % 60)
    microsecond = Int(inDay % 1_000_000)
  }

  /// Whether another moment is of the same day.
  func isOfDay(of other: CivilTime) -> Bool { (year, month, day) == (other.year, other.month, other.day) }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  /// The date of a day counted from 1970-01-01. A year is taken to begin in March, so that the leap day comes last; an
  /// era has 400 years.
  private static func date(days: Int64) -> (Int, Int, Int) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  /// The days from 1970-01-01 to a date; nil if there is no such date.
  static func days(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1 else { return nil }
    let shifted = month > 2 ? month - 3 : month + 9
    let yearFromMarch = month > 2 ? year : year - 1
    let (era, yearOfEra) = floorDivide(Int64(yearFromMarch), 400)
    let dayOfYear = Int64((153 * shifted + 2) / 5 + day - 1)
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    // The 31st of a month that has none is the first of the next.
    let (_, foundMonth, foundDay) = date(days: days)
    return foundMonth == month && foundDay == day ? Int(days) : nil
  }
}

extension ReportBuffer {
  /// Writes a moment as RFC 3339 has it, UTC, with microseconds: "2026-03-14T09:26:53.001234Z".
  mutating func write(_ civil: CivilTime) {
    write(civil.year, pairs: 2, "-")
    write(civil.month, pairs: 1, "-")
    write(civil.day, pairs: 1, "T")
    write(civil.hour, pairs: 1, ":")
    write(civil.minute, pairs: 1, ":")
    write(civil.second, pairs: 1, ".")
    write(civil.microsecond, pairs: 3, "Z")
  }
}
