import CaptureFiles
import GATTKit

/// A measurement as rules see it: a plain value, kept small.
struct ObservedMeasurement: BitwiseCopyable {
  /// Where it stands.
  let moment: Moment
  /// Its place among those of its connection, from 0.
  let ordinal: Int
  // Fields that are not there are negative: who looks at each measurement asks for these.
  /// Seconds since the one before it.
  let sinceLast: Double
  /// What is remarkable in it.
  var traits: MeasurementTraits = []
  private let sentLength: Int32
  private var sentFlags: Int32
  private(set) var sentRate: Int32
  private var sentEnergy: Int32
  private(set) var sentIntervals: Int32

  /// None has come yet.
  static let none = ObservedMeasurement(
    HeartRateMeasurement.Reading(lax: ContiguousArray<UInt8>().span, length: 0), length: 0,
    .none, ordinal: -1, gap: -1)

  /// The record it came in.
  var frame: Int { moment.frame }
  /// When it came.
  var time: Timestamp { moment.time }
  /// How many octets were sent.
  var length: Int { Int(sentLength) }
  /// Seconds since the one before it; nil for the first, behind lost records, where they were off meanwhile, and where the
  /// clock went back.
  var gap: Double? { sinceLast < 0 ? nil : sinceLast }
  /// Its flags; nil if not even they are there.
  var flags: HeartRateMeasurement.Flags? {
    sentFlags < 0 ? nil : HeartRateMeasurement.Flags(rawValue: UInt8(truncatingIfNeeded: sentFlags))
  }
  /// In beats a minute; nil if it is not there.
  var rate: Int? { sentRate < 0 ? nil : Int(sentRate) }
  /// Energy expended, in kilojoules, if it was sent and is there.
  var energy: Int? { sentEnergy < 0 ? nil : Int(sentEnergy) }
  /// How many RR-Intervals were sent; nil if that is not known.
  var intervalCount: Int? { sentIntervals < 0 ? nil : Int(sentIntervals) }
  /// Whether there is skin contact; nil if the flags are not there.
  var contact: HeartRateMeasurement.Contact? { flags?.contact }

  /// One nothing is wrong with, of which all is there: almost every one.
  @inline(__always)
  init(_ view: borrowing HeartRateMeasurement.View, length: Int, _ moment: Moment, ordinal: Int, gap: Double) {
    (self.moment, self.ordinal, sinceLast) = (moment, ordinal, gap)
    sentLength = Int32(truncatingIfNeeded: length)
    sentFlags = Int32(view.flags.rawValue)
    sentRate = Int32(view.beatsPerMinute)
    sentEnergy = view.energyExpended.map(Int32.init) ?? -1
    sentIntervals = Int32(truncatingIfNeeded: view.rrCount)
  }

  /// Any other.
  init(_ reading: HeartRateMeasurement.Reading, length: Int, _ moment: Moment, ordinal: Int, gap: Double) {
    (self.moment, self.ordinal, sinceLast) = (moment, ordinal, gap)
    sentLength = Int32(clamping: length)
    sentFlags = reading.flags.map { Int32($0.rawValue) } ?? -1
    sentRate = reading.beatsPerMinute.map(Int32.init) ?? -1
    sentEnergy = reading.energyExpended.map(Int32.init) ?? -1
    sentIntervals = reading.rrCount.map { Int32(clamping: $0) } ?? -1
  }

  /// Forgets what was sent: nothing that comes is compared with it.
  mutating func forgetFields() { (sentFlags, sentRate, sentEnergy, sentIntervals) = (-1, -1, -1, -1) }

  /// Whether all fields but the intervals are another's.
  @inline(__always)
  func hasFields(of other: ObservedMeasurement) -> Bool {
    (sentFlags ^ other.sentFlags) | (sentRate ^ other.sentRate) | (sentEnergy ^ other.sentEnergy)
      | (sentLength ^ other.sentLength) == 0
  }
}
