/// How far apart things come, in constant memory: by twentieths of a second, up to twenty. Each has its number in the
/// middle: what comes every second, or four times in one, is right to the microsecond.
struct PeriodHistogram {
  private var counts: ContiguousArray<UInt32> = []
  /// How many there are.
  private(set) var count = 0
  private var cached: (count: Int, median: Double)?

  private static let places = 400
  /// In microseconds.
  private static let width: Int64 = 50_000
  /// What is longer has the last place too.
  private static let longest = Int64(places) * width
  /// In seconds.
  private static let widthSeconds = Double(width) / 1_000_000

  @inline(__always)
  mutating func note(microseconds: Int64) {
    guard microseconds >= 0 else { return }
    if counts.isEmpty { counts = ContiguousArray(repeating: 0, count: Self.places) }
    let place = (min(microseconds, Self.longest) &+ Self.width / 2) / Self.width
    counts[min(Int(place), Self.places - 1)] &+= 1
    count &+= 1
  }

  /// The median, in seconds; nil for fewer than five. It is found anew each time a tenth more have come.
  mutating func median() -> Double? {
    if let cached, count &* 10 < cached.count &* 11 { return cached.median }
    guard let median = exactMedian else { return nil }
    cached = (count, median)
    return median
  }

  /// The same, found anew.
  var exactMedian: Double? {
    guard count >= 5 else { return nil }
    let half = Double(count) / 2
    var before = 0.0
    for (place, number) in counts.enumerated() where number > 0 {
      if before + Double(number) >= half {
        return max(0, Double(place) - 0.5 + (half - before) / Double(number)) * Self.widthSeconds
      }
      before += Double(number)
    }
    return nil
  }

  /// How many are longer than so many seconds.
  func count(above seconds: Double) -> Int {
    counts.enumerated().reduce(0) {
      $0 + (Double($1.offset) * Self.widthSeconds > seconds ? Int($1.element) : 0)
    }
  }
}
