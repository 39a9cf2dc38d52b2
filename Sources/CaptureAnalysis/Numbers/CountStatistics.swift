/// Tests of whether two counts are of one kind.
enum CountStatistics {
  /// How likely at least so many of all are, each by itself with a probability between 0 and 1.
  static func binomial(atLeast some: Int, of all: Int, each probability: Double) -> Double {
    let likeliest = min(all, Int(Double(all + 1) * probability))
    let odds = probability / (1 - probability)
    let weights = weights(around: likeliest, in: 0...all) { Double(all - $0) / Double($0 + 1) * odds }
    return weights[min(max(0, some), all + 1)...].reduce(0, +) / weights.reduce(0, +)
  }

  /// Fisher's exact test: how likely it is, two-sided, that of two groups parts so different have what a number of all have,
  /// if it is dealt by chance.
  ///
  /// Fisher: The Logic of Inductive Inference (1935).
  static func fisher(_ first: (some: Int, all: Int), _ second: (some: Int, all: Int)) -> Double {
    let (some, all) = (first.some + second.some, first.all + second.all)
    let range = max(0, some - second.all)...min(some, first.all)
    let likeliest = (first.all + 1) * (some + 1) / (all + 2)
    let weights = weights(around: min(max(likeliest, range.lowerBound), range.upperBound), in: range) {
      Double(some - $0) * Double(first.all - $0) / (Double($0 + 1) * Double(second.all - some + $0 + 1))
    }
    // What is as likely may come out a little less so.
    let seen = weights[first.some - range.lowerBound] * (1 + 1e-9)
    return weights.lazy.filter { $0 <= seen }.reduce(0, +) / weights.reduce(0, +)
  }

  /// Weights in the order of a range, against that of the heaviest.
  /// - Parameter ratio: How heavy the one behind a place is, against that at the place.
  private static func weights(around heaviest: Int, in range: ClosedRange<Int>, _ ratio: (Int) -> Double) -> [Double] {
    var weights = [Double](repeating: 1, count: range.count)
    for place in stride(from: heaviest, to: range.upperBound, by: 1) {
      weights[place + 1 - range.lowerBound] = weights[place - range.lowerBound] * ratio(place)
    }
    for place in stride(from: heaviest, to: range.lowerBound, by: -1) {
      weights[place - 1 - range.lowerBound] = weights[place - range.lowerBound] / ratio(place - 1)
    }
    return weights
  }
}
