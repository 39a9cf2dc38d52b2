import CaptureFiles
import GATTKit
import Octets

/// A measurement as rules see it: a plain value, kept small.
struct ObservedMeasurement: BitwiseCopyable {
  /// Where it stands.
  let moment: Moment
  /// Its place among those of its connection, from 0.
  let ordinal: Int
  // Fields that are not there are negative.
  private let sinceLast: Double
  /// What is remarkable in it.
  var traits: MeasurementTraits = []
  private let sentLength: Int32
  private var sentRate: Int32
  private var sentEnergy: Int32
  private var sentIntervals: Int32
  private var sentFlags: Int32

  /// None has come yet.
  static let none = ObservedMeasurement(
    HeartRateMeasurement.Reading(lax: ContiguousArray<UInt8>().span, length: 0), length: 0,
    Moment(frame: 0, time: Timestamp(microseconds: 0)), ordinal: -1, gap: nil)

  /// The record it came in.
  var frame: Int { moment.frame }
  /// When it came.
  var time: Timestamp { moment.time }
  /// How many octets were sent.
  var length: Int { Int(sentLength) }
  /// Seconds since the one before it; nil for the first, behind lost records, and where the clock went back.
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
  init(_ view: borrowing HeartRateMeasurement.View, length: Int, _ moment: Moment, ordinal: Int, gap: Double?) {
    (self.moment, self.ordinal, sinceLast) = (moment, ordinal, gap ?? -1)
    sentLength = Int32(truncatingIfNeeded: length)
    sentFlags = Int32(view.flags.rawValue)
    sentRate = Int32(view.beatsPerMinute)
    sentEnergy = view.energyExpended.map(Int32.init) ?? -1
    sentIntervals = Int32(truncatingIfNeeded: view.rrCount)
  }

  /// Any other.
  init(_ reading: HeartRateMeasurement.Reading, length: Int, _ moment: Moment, ordinal: Int, gap: Double?) {
    (self.moment, self.ordinal, sinceLast) = (moment, ordinal, gap ?? -1)
    sentLength = Int32(clamping: length)
    sentFlags = reading.flags.map { Int32($0.rawValue) } ?? -1
    sentRate = reading.beatsPerMinute.map(Int32.init) ?? -1
    sentEnergy = reading.energyExpended.map(Int32.init) ?? -1
    sentIntervals = reading.rrCount.map { Int32(clamping: $0) } ?? -1
  }

  /// Forgets what was sent: nothing that comes is compared with it.
  mutating func forgetFields() { (sentFlags, sentRate, sentEnergy, sentIntervals) = (-1, -1, -1, -1) }

  /// Whether all fields but the intervals are another's.
  func hasFields(of other: ObservedMeasurement) -> Bool {
    sentFlags == other.sentFlags && sentRate == other.sentRate && sentEnergy == other.sentEnergy
      && sentLength == other.sentLength
  }
}

/// What is remarkable in a measurement, by itself or beside the one before it: found once, and asked by every rule.
struct MeasurementTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt32

  /// Its length contradicts its flags.
  static let malformed = Self(bit: 0)
  /// Reserved flags are set.
  static let reservedFlags = Self(bit: 1)
  /// The contact status is set without its support.
  static let statusWithoutSupport = Self(bit: 2)
  /// The contact support bit is not as before.
  static let supportChanged = Self(bit: 3)
  /// There is no contact.
  static let notInContact = Self(bit: 4)
  /// The heart rate is a UINT16.
  static let uint16 = Self(bit: 5)
  /// There is an energy expended.
  static let energy = Self(bit: 6)
  /// The rate is 0.
  static let zeroRate = Self(bit: 7)
  /// The rate is 1 to 24 or above 240.
  static let implausibleRate = Self(bit: 8)
  /// The rate differs from the one before by more than 15, or by a quarter.
  static let leap = Self(bit: 9)
  /// The rate is the one before.
  static let sameRate = Self(bit: 10)
  /// RR-Intervals come with it.
  static let intervals = Self(bit: 11)
  /// The one before had RR-Intervals, this one has none; or the other way round.
  static let presenceChanged = Self(bit: 12)
  /// An RR-Interval is shorter than 200 ms or longer than 3 s.
  static let oddInterval = Self(bit: 13)
  /// It came more than 2 s after the one before.
  static let late = Self(bit: 14)
  /// It came less than 0.3 s after the one before.
  static let early = Self(bit: 15)
  /// Its octets are those of the one before; where there are no RR-Intervals, only what came at once counts.
  static let repeated = Self(bit: 16)
  /// It fills the ATT_MTU: there is no room for another RR-Interval.
  static let full = Self(bit: 17)
  /// It is the first of its connection.
  static let first = Self(bit: 18)
  /// Its first RR-Interval is among those of the one before.
  static let repeatedIntervals = Self(bit: 19)
  /// An RR-Interval differs by more than a quarter from what the rate makes it.
  static let strayInterval = Self(bit: 20)
  /// It came early, and so did all before it back to one that came late.
  static let heldBack = Self(bit: 21)
  /// The measurement behind one with any of the traits beside this one: no measurement has it, rules ask for it.
  static let behind = Self(bit: 31)

  /// How many there are, one in each of the lowest bits; and none that only rules ask for.
  static let count = 22

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(bit: UInt32) { rawValue = 1 << bit }

  /// Inserts a trait if something holds. What holds for one measurement often does not for the next: there is no branch
  /// to be guessed wrong.
  @inline(__always)
  mutating func insert(_ trait: MeasurementTraits, if holds: Bool) {
    self = MeasurementTraits(rawValue: rawValue | (holds ? trait.rawValue : 0))
  }
}

/// Ten seconds of measurements, or a little more, without a gap between them.
struct MeasurementBlock: BitwiseCopyable {
  /// The first and the last measurement.
  var first = Moment(frame: 0, time: Timestamp(microseconds: 0))
  var last = Moment(frame: 0, time: Timestamp(microseconds: 0))
  /// From the measurement before the first to the last, in seconds: the time in which its beats were.
  var elapsed = 0.0
  /// From the last RR-Intervals before it to the last in it, in seconds: the time that its intervals should add up to.
  var covered = 0.0
  /// The longest stretch of measurements without RR-Intervals that ends in it, in seconds.
  var longestWithout = 0.0
  /// Measurements.
  var count = 0
  /// The rates that are there and not 0.
  var rates = 0
  var rateSum = 0
  var rateLeast = Int.max
  var rateMost = 0
  /// RR-Intervals that are there.
  var intervals = 0
  var intervalSum = 0
  var intervalLeast = Int.max
  var intervalMost = 0
  /// Measurements with RR-Intervals.
  var withIntervals = 0
  /// Measurements of which each RR-Interval is just what the rate makes it.
  var synthesised = 0
  /// Whether its RR-Intervals can be compared with the time: nothing cut, malformed or lost, and nothing that tells of
  /// time without beats or of intervals that are none.
  var isWhole = true

  /// This, and another one that begins where it ends.
  func followed(by next: MeasurementBlock) -> MeasurementBlock {
    var both = self
    both.last = next.last
    both.elapsed += next.elapsed
    both.covered += next.covered
    both.longestWithout = max(longestWithout, next.longestWithout)
    both.count &+= next.count
    both.rates &+= next.rates
    both.rateSum &+= next.rateSum
    both.rateLeast = min(rateLeast, next.rateLeast)
    both.rateMost = max(rateMost, next.rateMost)
    both.intervals &+= next.intervals
    both.intervalSum &+= next.intervalSum
    both.intervalLeast = min(intervalLeast, next.intervalLeast)
    both.intervalMost = max(intervalMost, next.intervalMost)
    both.withIntervals &+= next.withIntervals
    both.synthesised &+= next.synthesised
    both.isWhole = isWhole && next.isWhole
    return both
  }

  /// In beats a minute.
  var meanRate: Double? { rates > 0 ? Double(rateSum) / Double(rates) : nil }
  /// In seconds.
  var intervalSeconds: Double { Double(intervalSum) / 1024 }
}
