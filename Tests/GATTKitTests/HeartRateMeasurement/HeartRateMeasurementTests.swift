import GATTKit
import Octets
import Testing

/// HRS 1.0, 3.1.1.
@Suite struct `Heart Rate Measurement` {
  /// Octets worked out from the specification, by hand.
  struct Example: Sendable, CustomTestStringConvertible {
    let octets: [UInt8]
    let bpm: UInt16
    let contact: HeartRateMeasurement.Contact
    let energy: UInt16?
    let rr: [UInt16]
    var testDescription: String { octets.map { String($0, radix: 16) }.joined(separator: " ") }

    init(
      _ octets: [UInt8], _ bpm: UInt16, _ contact: HeartRateMeasurement.Contact = .unsupported, energy: UInt16? = nil,
      rr: [UInt16] = []
    ) {
      (self.octets, self.bpm, self.contact, self.energy, self.rr) = (octets, bpm, contact, energy, rr)
    }
  }

  static let examples: [Example] = [
    Example([0x00, 0x48], 72),
    Example([0x00, 0x00], 0),
    Example([0x00, 0xFF], 255),
    // UINT16, little-endian: 0x012C is 300, and 0x0048 is 72 with a needlessly long format.
    Example([0x01, 0x2C, 0x01], 300),
    Example([0x01, 0x48, 0x00], 72),
    Example([0x01, 0x00, 0x48], 0x4800),
    Example([0x01, 0xFF, 0xFF], 65535),
    // Contact status without support says nothing.
    Example([0x02, 0x48], 72, .unsupported),
    Example([0x04, 0x48], 72, .notDetected),
    Example([0x06, 0x48], 72, .detected),
    // Energy: 0x1234 kJ.
    Example([0x08, 0x48, 0x34, 0x12], 72, energy: 0x1234),
    Example([0x09, 0x48, 0x00, 0x34, 0x12], 72, energy: 0x1234),
    Example([0x08, 0x48, 0x00, 0x00], 72, energy: 0),
    Example([0x08, 0x48, 0xFF, 0xFF], 72, energy: 65535),
    // A Polar H7's: 76 bpm, contact, 0x0315 = 789.
    Example([0x16, 0x4C, 0x15, 0x03], 76, .detected, rr: [789]),
    Example([0x10, 0x48, 0x00, 0x04], 72, rr: [1024]),
    Example([0x10, 0x48, 0x00, 0x04, 0xE8, 0x03], 72, rr: [1024, 1000]),
    Example([0x10, 0x48, 0x01, 0x00, 0x02, 0x00, 0x03, 0x00], 72, rr: [1, 2, 3]),
    Example([0x1E, 0x48, 0x0A, 0x00, 0xE8, 0x03], 72, .detected, energy: 10, rr: [1000]),
    Example([0x1F, 0x2C, 0x01, 0x0A, 0x00, 0xE8, 0x03, 0xE9, 0x03], 300, .detected, energy: 10, rr: [1000, 1001]),
    // As Bumble writes `HeartRateMeasurement(heart_rate=80, sensor_contact_detected=True, energy_expended=5,
    // rr_intervals=[0.5, 1.0])`.
    Example([0x1E, 0x50, 0x05, 0x00, 0x00, 0x02, 0x00, 0x04], 80, .detected, energy: 5, rr: [512, 1024]),
    // The nine that fit the default ATT_MTU, the ten that fit inline, and one more.
    Example([0x10, 0x48] + (1...9).flatMap { [$0, 0x03] }, 72, rr: (1...9).map { 0x300 + $0 }),
    Example([0x10, 0x48] + (1...10).flatMap { [$0, 0x03] }, 72, rr: (1...10).map { 0x300 + $0 }),
    Example([0x10, 0x48] + (1...11).flatMap { [$0, 0x03] }, 72, rr: (1...11).map { 0x300 + $0 }),
    Example(
      [0x19, 0x48, 0x00, 0x01, 0x02] + (1...8).flatMap { [$0, 0x03] }, 72, energy: 0x201,
      rr: (1...8).map { 0x300 + $0 }),
    // Reserved bits are ignored.
    Example([0xE0, 0x48], 72),
    Example([0xF6, 0x4C, 0x15, 0x03], 76, .detected, rr: [789]),
  ]

  @Test(arguments: examples) func `octets become fields`(example: Example) throws {
    let measurement = try HeartRateMeasurement(example.octets)
    #expect(measurement.beatsPerMinute == example.bpm)
    #expect(measurement.contact == example.contact)
    #expect(measurement.energyExpended == example.energy)
    #expect(measurement.rrIntervals.map(\.rawValue) == example.rr)
    #expect(measurement.flags.rawValue == example.octets[0])
    #expect(measurement.usesUInt16Format == (example.octets[0] & 1 == 1))
  }

  @Test(arguments: examples) func `what was read is written as it was`(example: Example) throws {
    #expect(try HeartRateMeasurement(example.octets).encoded() == example.octets)
  }

  @Test(arguments: examples) func `fields become octets`(example: Example) throws {
    var measurement = HeartRateMeasurement(
      beatsPerMinute: example.bpm, contact: example.contact, energyExpended: example.energy,
      rrIntervals: RRIntervals(example.rr.map(RRInterval.init(rawValue:))))
    measurement.usesUInt16Format = example.octets[0] & 1 == 1
    var expected = example.octets
    // What does not follow from the fields: reserved bits, and a status without support.
    expected[0] &= 0b0001_1111
    if expected[0] & 0b100 == 0 { expected[0] &= 0b1111_1101 }
    #expect(measurement.encoded() == expected)
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func `every combination of flags, at every length`(flags: UInt8) throws {
    let rateLength = flags & 1 == 1 ? 2 : 1
    let energyLength = flags & 8 == 8 ? 2 : 0
    let hasIntervals = flags & 16 == 16
    let fixed = 1 + rateLength + energyLength
    for count in 0...60 {
      let octets = [flags] + (1..<61).map { UInt8($0) }
      let value = Array(octets.prefix(count))
      let left = count - fixed
      let isRight = hasIntervals ? left > 0 && left % 2 == 0 : left == 0
      if isRight {
        let measurement = try HeartRateMeasurement(value)
        #expect(measurement.beatsPerMinute == (rateLength == 2 ? 0x0201 : 1))
        #expect(measurement.rrIntervals.count == (hasIntervals ? left / 2 : 0))
        if let first = measurement.rrIntervals.first {
          #expect(first.rawValue == UInt16(fixed + 1) << 8 | UInt16(fixed))
        }
        #expect(measurement.encoded() == value)
      } else {
        #expect(throws: ParsingError.self) { try HeartRateMeasurement(value) }
      }
    }
  }

  @Test(
    arguments: [
      ([], "Flags needs 1 octet, none left", 0),
      ([0x00], "Heart Rate Measurement Value needs 1 octet, none left", 1),
      ([0x01, 0x48], "Heart Rate Measurement Value needs 2 octets, 1 left", 1),
      ([0x08, 0x48], "Energy Expended needs 2 octets, none left", 2),
      ([0x08, 0x48, 0x01], "Energy Expended needs 2 octets, 1 left", 2),
      ([0x10, 0x48], "RR-Interval needs 2 octets, none left", 2),
      ([0x10, 0x48, 0x00], "RR-Interval needs 2 octets, 1 left", 2),
      ([0x10, 0x48, 0x00, 0x04, 0x01], "RR-Interval needs 2 octets, 1 left", 4),
      ([0x00, 0x48, 0x00], "1 octet left over after Heart Rate Measurement Value", 2),
      ([0x00, 0x48, 0x00, 0x04], "2 octets left over after Heart Rate Measurement Value", 2),
      ([0x08, 0x48, 0x00, 0x04, 0x01], "1 octet left over after Energy Expended", 4),
    ] as [([UInt8], String, Int)])
  func `an error names the field and the place, the lax way and the strict`(octets: [UInt8], text: String, offset: Int)
  {
    let error = #expect(throws: ParsingError.self) { try HeartRateMeasurement(octets) }
    #expect(error?.description == text)
    #expect(error?.offset == offset)
    #expect(error?.layer == "Heart Rate Measurement")
    let reading = Reading.of(octets, origin: 1000)
    #expect(reading.error?.description == text)
    #expect(reading.error?.offset == 1000 + offset)
    #expect(reading.error?.layer == "Heart Rate Measurement")
  }

  @Test func `flags follow the fields`() {
    var measurement = HeartRateMeasurement(beatsPerMinute: 72)
    #expect(measurement.flags == [])
    measurement.beatsPerMinute = 256
    #expect(measurement.flags == .uint16Format)
    measurement.usesUInt16Format = false
    #expect(measurement.flags == .uint16Format, "256 has no shorter format")
    measurement.beatsPerMinute = 72
    measurement.usesUInt16Format = false
    measurement.contact = .detected
    measurement.energyExpended = 0
    measurement.rrIntervals = [RRInterval(rawValue: 1024)]
    #expect(measurement.flags == [.contactStatus, .contactSupport, .energyExpended, .rrIntervals])
    measurement.contact = .notDetected
    measurement.energyExpended = nil
    measurement.rrIntervals = []
    #expect(measurement.flags == .contactSupport)
    #expect(measurement == HeartRateMeasurement(beatsPerMinute: 72, contact: .notDetected))
  }

  /// A value that fills a notification is as long as that, or an octet shorter.
  @Test(
    arguments: [
      (72, nil, 20, 9), (300, nil, 20, 8), (72, 5, 20, 8), (300, 5, 20, 7), (72, nil, 244, 121), (72, nil, 4, 1),
      (72, nil, 3, 0), (300, 5, 5, 0), (300, 5, 0, 0), (72, nil, .min, 0), (72, nil, 512, 255), (300, nil, 512, 254),
    ] as [(UInt16, UInt16?, Int, Int)])
  func `as many intervals as there is room for`(rate: UInt16, energy: UInt16?, length: Int, count: Int) {
    let intervals = (0..<300).map { _ in RRInterval(milliseconds: 800) }
    var measurement = HeartRateMeasurement(beatsPerMinute: rate, energyExpended: energy, rrIntervals: intervals)
    #expect(measurement.rrIntervals.count == 300 && measurement.rrCapacity(inOctets: length) == count)
    measurement.rrIntervals = RRIntervals(intervals.prefix(measurement.rrCapacity(inOctets: length)))
    if count > 0 { #expect((length - 1...length).contains(measurement.encoded().count)) }
  }

  /// No attribute holds more, whatever a notification has room for.
  @Test(arguments: [513, 514, 1024, .max]) func `never more intervals than an attribute holds`(length: Int) {
    var measurement = HeartRateMeasurement(beatsPerMinute: 72)
    #expect(measurement.rrCapacity(inOctets: length) == 255)
    measurement.rrIntervals = RRIntervals((0..<255).map { _ in RRInterval(milliseconds: 800) })
    #expect(measurement.encoded().count == 512)
  }

  @Test func `fields in words`() throws {
    let measurement = try HeartRateMeasurement([0x1E, 72, 0x0A, 0x00, 0xE8, 0x03] as [UInt8])
    #expect(
      measurement.fields.map(\.description) == [
        "Flags: 0x1E", "Heart Rate Measurement Value: 72 bpm", "Sensor Contact: detected", "Energy Expended: 10 kJ",
        "RR-Interval: 1000 (976.563 ms)",
      ])
  }

  @Test func `a slice of a longer buffer is read like any other`() throws {
    let buffer: [UInt8] = [0xFF, 0xFF, 0x16, 0x4C, 0x15, 0x03, 0xFF]
    #expect(try HeartRateMeasurement(buffer[2..<6]).rrIntervals == [RRInterval(rawValue: 789)])
  }

  /// The way without branches against the one that can throw: all flags, at all lengths up to more intervals than are
  /// copied.
  @Test func `a view says what is decoded, or nothing`() throws {
    for flags in UInt8.min...UInt8.max {
      for length in 0...24 {
        let octets = ContiguousArray((0..<length).map { $0 == 0 ? flags : UInt8(truncatingIfNeeded: $0 * 37 + 11) })
        let decoded = try? HeartRateMeasurement(octets)
        guard let view = HeartRateMeasurement.View(octets.span) else {
          #expect(decoded == nil, "\(octets)")
          continue
        }
        let expected = try #require(decoded, "\(octets)")
        let intervals = Array(expected.rrIntervals)
        let (rate, energy, contact) = (view.beatsPerMinute, view.energyExpended, view.contact)
        #expect(rate == expected.beatsPerMinute && energy == expected.energyExpended && contact == expected.contact)
        let (count, first) = (view.rrCount, view.firstRRIntervals)
        #expect(count == intervals.count && view.flags == expected.flags)
        var each: [RRInterval] = []
        view.forEachRRInterval { each.append($0) }
        #expect(each == intervals)
        for place in 0..<4 {
          let packed = UInt16(truncatingIfNeeded: first >> (16 * UInt64(place)))
          #expect(packed == (place < intervals.count ? intervals[place].rawValue : 0))
        }
      }
    }
  }
}
