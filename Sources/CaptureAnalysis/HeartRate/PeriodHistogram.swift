/// How far apart things come, in constant memory: by twentieths of a second up to ten seconds, and by halves up to 110.
/// Each twentieth has its number in the middle: what comes every second, or four times in one, is right to the microsecond.
struct PeriodHistogram {
  private var counts = Counts(size: fine + 200)
  private var cached: (count: Int, median: Double)?

  /// How many are a twentieth wide.
  private static let fine = 200
  /// A twentieth and a half of a second, in microseconds.
  private static let width: Int64 = 50_000
  private static let wide: Int64 = 500_000
  /// Where halves begin.
  private static let fineEnd: Int64 = 9_975_000
  /// No longer ones are told apart.
  private static let longest: Int64 = 1 << 32

  @inline(__always)
  mutating func note(microseconds: Int64) {
    guard microseconds >= 0 else { return }
    if microseconds < Self.fineEnd { return counts.note(Int((microseconds &+ Self.width / 2) / Self.width)) }
    counts.note(Self.fine &+ Int((min(microseconds, Self.longest) &- Self.fineEnd) / Self.wide))
  }

  /// Where one begins and how wide it is, in seconds.
  private static func extent(of place: Int) -> (start: Double, width: Double) {
    place < fine
      ? (start: (Double(place) - 0.5) * 0.05, width: 0.05)
      : (start: Double(fineEnd) / 1_000_000 + Double(place - fine) * 0.5, width: 0.5)
  }

  /// No more come, most likely.
  mutating func settle() { counts.settle() }

  /// The median, in seconds; nil for fewer than five. It is found anew each time a tenth more have come.
  mutating func median() -> Double? {
    let count = counts.total
    if let cached, count &* 10 < cached.count &* 11 { return cached.median }
    guard let median = exactMedian else { return nil }
    cached = (count, median)
    return median
  }

  /// The same, found anew.
  var exactMedian: Double? {
    guard counts.total >= 5 else { return nil }
    let half = Double(counts.total) / 2
    var before = 0.0
    var median: Double?
    counts.forEach { place, number in
      if before + Double(number) >= half {
        let (start, width) = Self.extent(of: place)
        median = max(0, start + (half - before) / Double(number) * width)
      }
      before += Double(number)
      return median == nil
    }
    return median
  }

  /// How many there are.
  var count: Int { counts.total }

  /// How many are so short, while they come, that what lies between them is no more than a connection event or two: less
  /// than 75 ms.
  var atOnce: Int { counts[0] &+ counts[1] }

  /// How many are longer than so many seconds.
  func count(above seconds: Double) -> Int {
    var found = 0
    counts.forEach { place, number in
      let (start, width) = Self.extent(of: place)
      if start + width / 2 > seconds { found += Int(number) }
      return true
    }
    return found
  }
}
