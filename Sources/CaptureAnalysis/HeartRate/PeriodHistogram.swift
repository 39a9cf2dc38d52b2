/// How far apart things come, in constant memory: by twentieths of a second up to about ten seconds, by halves up to two
/// minutes, and by tens up to a quarter of an hour. Each has its number in the middle: what comes every second, four times
/// in one, or every minute is right to the microsecond.
struct PeriodHistogram {
  private var counts = Counts(size: tens + 80)
  private var cached: (count: Int, median: Double)?

  /// Where halves and tens begin.
  private static let halves = 195
  private static let tens = 405
  /// In microseconds: how wide a twentieth is, and where halves and tens begin.
  private static let width: Int64 = 50_000
  private static let halvesStart: Int64 = 9_750_000
  private static let tensStart: Int64 = 115_000_000
  /// No longer ones are told apart.
  private static let longestTold: Int64 = 1 << 32

  @inline(__always)
  mutating func note(microseconds: Int64) {
    guard microseconds >= 0 else { return }
    let place = Int((microseconds &+ Self.width / 2) / Self.width)
    counts.note(place < Self.halves ? place : Self.place(ofLong: min(microseconds, Self.longestTold)))
  }

  @inline(never)
  private static func place(ofLong microseconds: Int64) -> Int {
    microseconds < tensStart
      ? min(halves + Int(max(0, microseconds - halvesStart) / 500_000), tens - 1)
      : tens + Int((microseconds - tensStart) / 10_000_000)
  }

  /// Where one begins and how wide it is, in seconds.
  private static func extent(of place: Int) -> (start: Double, width: Double) {
    if place < halves { return (start: (Double(place) - 0.5) * 0.05, width: 0.05) }
    if place < tens { return (start: 9.75 + Double(place - halves) * 0.5, width: 0.5) }
    return (start: 115 + Double(place - tens) * 10, width: 10)
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
  var exactMedian: Double? { quantile(0.5) }

  /// What a share of them is no longer than, in seconds; nil for fewer than five.
  func quantile(_ share: Double) -> Double? {
    guard counts.total >= 5 else { return nil }
    let wanted = Double(counts.total) * share
    var before = 0.0
    var quantile: Double?
    counts.forEach { place, number in
      if before + Double(number) >= wanted {
        let (start, width) = Self.extent(of: place)
        quantile = max(0, start + (wanted - before) / Double(number) * width)
      }
      before += Double(number)
      return quantile == nil
    }
    return quantile
  }

  /// What none of them is longer than, in seconds; nil if there is none.
  var longest: Double? {
    var longest: Double?
    counts.forEach { place, _ in
      let (start, width) = Self.extent(of: place)
      longest = start + width
      return true
    }
    return longest
  }

  /// How many there are.
  var count: Int { counts.total }

  /// What is shorter, in seconds, is no more than a connection event or two: where the third twentieth begins.
  static let atOnce = 0.075

  /// How many are so short, while they come.
  var atOnce: Int { counts[0] &+ counts[1] }

  /// How many are longer, while they come: where things come at once, those between one bundle of them and the next.
  var apart: Int { count &- atOnce }

  /// So many bundles tell whether they come in a rhythm.
  static let fewestBundles = 5

  /// What lies between one bundle and the next, in seconds, where nine in ten are as far apart and most things come in
  /// bundles; nil where they do not, or too few have come.
  var rhythm: Double? {
    guard atOnce &* 2 >= apart, let short = quantileApart(0.1), let long = quantileApart(0.9), long <= 1.1 * short
    else {
      return nil
    }
    return long
  }

  /// What a share of those that are no bundles is no longer than, in seconds; nil for fewer than five.
  func quantileApart(_ share: Double) -> Double? {
    apart < Self.fewestBundles ? nil : quantile((Double(atOnce) + share * Double(apart)) / Double(count))
  }

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
