/// The RR-Intervals that came with a measurement, as far as they are there, oldest first.
///
/// In units of 1/1024 s.
struct MeasurementIntervals: RandomAccessCollection {
  /// What they are together.
  let figures: IntervalFigures
  /// All of them, where they are more than the figures hold.
  private let all: ContiguousArray<UInt16>

  /// - Parameter all: All of them, where they are more than the figures hold; anything else where they are not.
  init(_ figures: IntervalFigures, all: ContiguousArray<UInt16>) {
    self.figures = figures
    self.all = all
  }

  var startIndex: Int { 0 }
  var endIndex: Int { figures.count }

  subscript(place: Int) -> UInt16 { figures.count <= IntervalFigures.packedMost ? figures[place] : all[place] }

  /// Whether so many of its first ones are the last of others.
  func begins(with count: Int, lastOf before: MeasurementIntervals) -> Bool {
    guard count <= endIndex, count <= before.endIndex else { return false }
    for place in 0..<count where self[place] != before[before.endIndex - count + place] { return false }
    return true
  }
}
