/// Whether measurements have RR-Intervals, and where those that have none begin.
///
/// Of some sensors every other measurement has none, and which nobody can guess: it is computed, without a branch.
struct IntervalPresence: BitwiseCopyable {
  /// Whether the last measurement of which it is known had any: all bits, or none.
  private var last = 0
  /// All bits once it is known of any.
  private var known = 0
  /// The first of the last run of those without, behind one with them: its place is negative where there was none.
  private(set) var absence = (first: Moment.none, ordinal: -1)
  /// The one before that, which had intervals.
  private(set) var lastBefore = Moment.none

  /// Whether the last measurement of which it is known had none.
  var isAbsent: Bool { known != 0 && last == 0 }

  /// Takes a measurement of which it is known.
  /// - Parameter mask: All bits if it has RR-Intervals, none if it has not.
  @inline(__always)
  mutating func note(_ mask: Int, _ measurement: ObservedMeasurement, behind before: Moment) {
    let begins = last & ~mask
    absence.first = .choice(begins, measurement.moment, absence.first)
    absence.ordinal = measurement.ordinal & begins | absence.ordinal & ~begins
    lastBefore = .choice(begins, before, lastBefore)
    (last, known) = (mask, -1)
  }
}
