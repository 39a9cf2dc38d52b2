import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// The measurements of a connection as they come: what each is beside the one before, and what they are together.
struct MeasurementSeries {
  /// The last measurement, while the next is looked at; then that.
  private(set) var current: ObservedMeasurement?
  /// The one before it.
  private(set) var previous: ObservedMeasurement?
  /// The RR-Intervals that came with the current one, as far as they are there.
  private(set) var intervals: ContiguousArray<UInt16> = []
  /// Those of the one before.
  private(set) var previousIntervals: ContiguousArray<UInt16> = []
  /// How far measurements lie apart.
  var periods = PeriodHistogram()
  /// The first that had a rate above 0.
  private(set) var firstRate: Moment?
  private var octets: ContiguousArray<UInt8> = []
  private var block = MeasurementBlock()
  private var followsLoss = false
  /// Whose server sends them; measurements of the other one are another series, and not looked at.
  private var server: ServerSide?

  /// In seconds.
  private static let blockLength = 10.0
  private static let late = 2.0

  /// Records were lost: what comes next has nothing before it.
  mutating func noteLoss() {
    followsLoss = true
    block = MeasurementBlock()
  }

  /// Looks at a measurement.
  /// - Returns: What is to be known of it; nil if it belongs to another series.
  mutating func note(_ notification: HeartRateNotification, _ moment: Moment, mtu: Int) -> ObservedMeasurement? {
    if server == nil { server = notification.server }
    guard server == notification.server else { return nil }
    let reading = notification.reading
    swap(&intervals, &previousIntervals)
    intervals.removeAll(keepingCapacity: true)
    reading.forEachKeptRRInterval { intervals.append($0.rawValue) }
    let gap = followsLoss ? nil : current.map { moment.time.seconds(since: $0.time) }
    followsLoss = false
    let measurement = ObservedMeasurement(
      frame: moment.frame, time: moment.time, ordinal: (current?.ordinal ?? -1) &+ 1, length: notification.value.length,
      gap: gap, traits: traits(reading, notification.value, gap, mtu: mtu), flags: reading.flags,
      rate: reading.beatsPerMinute.map(Int.init), energy: reading.energyExpended.map(Int.init),
      intervalCount: reading.rrCount)
    if let gap { periods.note(gap) }
    if firstRate == nil, let rate = measurement.rate, rate > 0 { firstRate = moment }
    previous = current
    current = measurement
    return measurement
  }

  private mutating func traits(
    _ reading: HeartRateMeasurement.Reading, _ value: CapturedOctets, _ gap: Double?, mtu: Int
  ) -> MeasurementTraits {
    var traits: MeasurementTraits = .any
    if current == nil { traits.insert(.first) }
    if reading.isMalformed { traits.insert(.malformed) }
    if value.length &+ 3 >= mtu { traits.insert(.full) }
    noteTiming(gap, &traits)
    noteRepetition(value.octets, &traits)
    guard let flags = reading.flags else { return traits }
    if !flags.isDisjoint(with: .reserved) { traits.insert(.reservedFlags) }
    noteContact(flags, &traits)
    if flags.contains(.uint16Format) { traits.insert(.uint16) }
    if flags.contains(.energyExpended) { traits.insert(.energy) }
    if let rate = reading.beatsPerMinute { noteRate(Int(rate), &traits) }
    noteIntervals(reading.rrCount ?? 0, &traits)
    return traits
  }

  private func noteTiming(_ gap: Double?, _ traits: inout MeasurementTraits) {
    guard let gap else { return }
    if gap > Self.late { traits.insert(.late) }
    if gap < 0.3 { traits.insert(.early) }
  }

  private mutating func noteRepetition(_ value: Span<UInt8>, _ traits: inout MeasurementTraits) {
    var isSame = octets.count == value.count && !value.isEmpty
    if isSame {
      for index in octets.indices where octets[index] != value[index] {
        isSame = false
        break
      }
    }
    if isSame { return traits.formUnion(.repeated) }
    octets.removeAll(keepingCapacity: true)
    for index in value.indices { octets.append(value[index]) }
  }

  private func noteContact(_ flags: HeartRateMeasurement.Flags, _ traits: inout MeasurementTraits) {
    if flags.contains(.contactStatus), !flags.contains(.contactSupport) { traits.insert(.statusWithoutSupport) }
    if flags.contact == .notDetected { traits.insert(.notInContact) }
    if let before = current?.flags, before.contains(.contactSupport) != flags.contains(.contactSupport) {
      traits.insert(.supportChanged)
    }
  }

  private func noteRate(_ rate: Int, _ traits: inout MeasurementTraits) {
    if rate == 0 { return traits.formUnion(.zeroRate) }
    if rate < 25 || rate > 240 { traits.insert(.implausibleRate) }
    guard let before = current?.rate, before > 0 else { return }
    if rate == before { traits.insert(.sameRate) }
    let step = abs(rate &- before)
    if step > 15 || step &* 4 > before { traits.insert(.leap) }
  }

  private func noteIntervals(_ sent: Int, _ traits: inout MeasurementTraits) {
    if sent > 0 { traits.insert(.intervals) }
    if let before = current?.intervalCount, (before > 0) != (sent > 0) { traits.insert(.presenceChanged) }
    for interval in intervals where interval < 205 || interval > 3072 {
      traits.insert(.oddInterval)
      break
    }
    if let first = intervals.first, let before = previousIntervals.first,
      first == before || previousIntervals.last == first
    {
      traits.insert(.repeatedIntervals)
    }
  }
}

// MARK: - Blocks

extension MeasurementSeries {
  /// Adds the current measurement to the block at hand.
  /// - Returns: The block, if that is full now.
  mutating func filledBlock() -> MeasurementBlock? {
    guard let measurement = current else { return nil }
    guard let gap = measurement.gap, gap >= 0, gap <= 4 * Self.late else {
      // The time before the first of a block is unknown: its beats are not counted.
      block = MeasurementBlock()
      return nil
    }
    let mark = MeasurementBlock.Mark(frame: measurement.frame, time: measurement.time)
    if block.count == 0 { block.first = mark }
    block.last = mark
    block.count &+= 1
    block.elapsed += gap
    if measurement.traits.contains(.malformed) || measurement.intervalCount != intervals.count { block.isWhole = false }
    if let rate = measurement.rate, rate > 0 { addRate(rate) }
    addIntervals(rate: measurement.rate ?? 0)
    guard block.elapsed >= Self.blockLength else { return nil }
    defer { block = MeasurementBlock() }
    return block
  }

  private mutating func addRate(_ rate: Int) {
    block.rates &+= 1
    block.rateSum &+= rate
    block.rateLeast = min(block.rateLeast, rate)
    block.rateMost = max(block.rateMost, rate)
  }

  private mutating func addIntervals(rate: Int) {
    guard !intervals.isEmpty else { return }
    block.withIntervals &+= 1
    let expected = rate > 0 ? (61_440 &+ rate / 2) / rate : -9
    var isSynthesised = true
    for interval in intervals {
      let interval = Int(interval)
      block.intervals &+= 1
      block.intervalSum &+= interval
      block.intervalLeast = min(block.intervalLeast, interval)
      block.intervalMost = max(block.intervalMost, interval)
      if abs(interval &- expected) > 1 { isSynthesised = false }
    }
    if isSynthesised { block.synthesised &+= 1 }
  }
}

/// How far apart things come, in constant memory: by twentieths of a second, up to twenty.
struct PeriodHistogram {
  private var counts: ContiguousArray<UInt32> = []
  /// How many there are.
  private(set) var count = 0
  private var cached: (count: Int, median: Double)?

  private static let places = 400
  private static let width = 0.05

  mutating func note(_ seconds: Double) {
    guard seconds >= 0 else { return }
    if counts.isEmpty { counts = ContiguousArray(repeating: 0, count: Self.places) }
    counts[min(Int(min(seconds, 1e6) / Self.width), Self.places - 1)] &+= 1
    count &+= 1
  }

  /// The median, in seconds; nil for fewer than five. It is found anew each time a tenth more have come.
  mutating func median() -> Double? {
    guard count >= 5 else { return nil }
    if let cached, count &* 10 < cached.count &* 11 { return cached.median }
    var left = count / 2
    for (place, number) in counts.enumerated() {
      left -= Int(number)
      if left < 0 {
        let median = (Double(place) + 0.5) * Self.width
        cached = (count, median)
        return median
      }
    }
    return nil
  }
}
