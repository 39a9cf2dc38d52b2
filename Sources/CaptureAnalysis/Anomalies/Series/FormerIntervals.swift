import CaptureFiles

/// Some of the last RR-Intervals of a connection: four in a row every five seconds, and the very last four.
struct IntervalMarks: BitwiseCopyable {
  /// The last four up to a measurement.
  struct Mark: BitwiseCopyable {
    var intervals = LastIntervals()
    /// The measurement's place among those of its connection.
    var ordinal = 0
  }

  private var marks = (Mark(), Mark(), Mark(), Mark())

  /// Takes those up to the measurement at hand.
  mutating func note(_ intervals: LastIntervals, _ ordinal: Int) {
    marks = (marks.1, marks.2, marks.3, Mark(intervals: intervals, ordinal: ordinal))
  }

  /// Those of which all four are known, the oldest first.
  var all: [Mark] { [marks.0, marks.1, marks.2, marks.3].filter { $0.intervals.areKnown } }
}

/// What the connection before, with the same peer, ended with: whether that comes again at the beginning of this one.
///
/// A sensor that sends what it has sent before sends it octet for octet: the same RR-Intervals, as many measurements apart.
struct FormerIntervals {
  /// What marks the end of the former connection, the oldest first.
  private let marks: [IntervalMarks.Mark]
  /// When its last measurement came.
  private let end: Timestamp
  /// The place of the next mark that may come again, and how much farther behind those that did are here.
  private var next = 0
  private var shift = 0
  /// The intervals that came again.
  private var again: [Int] = []
  /// The measurement that showed it last, once it is certain.
  private(set) var found: (moment: Moment, ordinal: Int)?

  /// So many different intervals are no chance, not even of a heart that is steady: each may be one of a few.
  private static let fewest = 6
  /// As many measurements a sensor may send again.
  static let most = 64

  /// - Returns: Nothing where the intervals are too few, or too much alike, to be known again.
  init?(_ marks: [IntervalMarks.Mark], until end: Timestamp) {
    guard Set(marks.flatMap(\.intervals.list)).count >= Self.fewest else { return nil }
    (self.marks, self.end) = (marks, end)
  }

  /// Looks at a measurement of this connection, and at the last four intervals up to it.
  mutating func note(_ intervals: LastIntervals, _ measurement: ObservedMeasurement) {
    // The same records a second time are no fault of the sensor's.
    guard measurement.ordinal < Self.most, measurement.time > end,
      let place = marks.indices.dropFirst(next).first(where: { marks[$0].intervals.values == intervals.values })
    else { return }
    let shift = measurement.ordinal &- marks[place].ordinal
    if shift != self.shift { again = [] }
    (self.shift, next) = (shift, place + 1)
    again += intervals.list
    if Set(again).count >= Self.fewest { found = (measurement.moment, measurement.ordinal) }
  }
}

extension LastIntervals {
  /// The oldest first.
  fileprivate var list: [Int] { [values.0, values.1, values.2, values.3] }

  /// Whether all four are.
  fileprivate var areKnown: Bool { list.allSatisfy { HeartLimits.intervals.contains($0) } }
}

extension MeasurementSeries {
  /// What it leaves to the next one with the same peer, if it ends now. Where none has come, that is what was left to it.
  var leavingIntervals: FormerIntervals? {
    guard let current else { return former }
    var marks = marks
    marks.note(rhythm.last, current.ordinal)
    return FormerIntervals(marks.all, until: current.time)
  }
}
