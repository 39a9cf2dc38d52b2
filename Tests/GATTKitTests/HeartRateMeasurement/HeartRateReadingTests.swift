import GATTKit
import Octets
import Testing

typealias Reading = HeartRateMeasurement.Reading

extension Reading {
  /// A reading of octets of which the capture kept the first.
  static func of(_ octets: [UInt8], keeping kept: Int? = nil, origin: Int = 0) -> Reading {
    octets.prefix(kept ?? octets.count).withOctets { Reading(lax: $0, length: octets.count, origin: origin) }
  }
}

@Suite struct `Heart Rate Measurement, read laxly` {
  @Test(arguments: `Heart Rate Measurement`.examples)
  func `a value that is right reads as the strict way reads it`(example: `Heart Rate Measurement`.Example) throws {
    let reading = Reading.of(example.octets, origin: 5)
    #expect(reading.whole == (try HeartRateMeasurement(example.octets)))
    #expect(reading.flags?.rawValue == example.octets[0])
    #expect(reading.beatsPerMinute == example.bpm)
    #expect(reading.contact == example.contact)
    #expect(reading.energyExpended == example.energy)
    #expect(reading.rrIntervals?.map(\.rawValue) == example.rr)
    #expect(reading.rrCount == example.rr.count)
    #expect(reading.origin == 5)
    #expect(!reading.isCut && !reading.isMalformed && reading.error == nil)
  }

  @Test(arguments: `Heart Rate Measurement`.examples)
  func `cut anywhere, what is there is kept and nothing is an error`(example: `Heart Rate Measurement`.Example) {
    let flags = example.octets[0]
    let rateEnd = flags & 1 == 1 ? 3 : 2
    let energyEnd = rateEnd + (flags & 8 == 8 ? 2 : 0)
    for kept in 0..<example.octets.count {
      let reading = Reading.of(example.octets, keeping: kept)
      #expect(reading.isCut)
      #expect(reading.error == nil && !reading.isMalformed)
      #expect(reading.whole == nil)
      #expect(reading.flags?.rawValue == (kept > 0 ? flags : nil))
      #expect(reading.contact == (kept > 0 ? example.contact : nil))
      #expect(reading.beatsPerMinute == (kept >= rateEnd ? example.bpm : nil))
      #expect(reading.energyExpended == (kept >= energyEnd ? example.energy : nil))
      #expect(reading.rrCount == (kept > 0 ? example.rr.count : nil))
      #expect(reading.rrIntervals == (kept > 0 && example.rr.isEmpty ? [] : nil))
      let there = max(0, kept - energyEnd) / 2
      #expect(reading.keptRRIntervals.map(\.rawValue) == Array(example.rr.prefix(there)))
    }
  }

  /// Flags, bpm, energy, RR, count of RR, error: what is left of values that contradict their flags.
  @Test(
    arguments: [
      ([], nil, nil, nil, nil),
      ([0x16], nil, nil, nil, nil),
      ([0x11, 0x48], nil, nil, nil, nil),
      ([0x18, 0x48], 72, nil, nil, nil),
      ([0x18, 0x48, 0x01], 72, nil, nil, nil),
      ([0x18, 0x48, 0x01, 0x02], 72, 0x0201, [], 0),
      ([0x18, 0x48, 0x01, 0x02, 0x03], 72, 0x0201, [], 0),
      ([0x10, 0x48, 0x00, 0x04, 0x01], 72, nil, [1024], 1),
      ([0x00, 0x48, 0x00, 0x04], 72, nil, [], 0),
    ] as [([UInt8], UInt16?, UInt16?, [UInt16]?, Int?)])
  func `a broken value keeps the fields before the fault`(
    octets: [UInt8], bpm: UInt16?, energy: UInt16?, rr: [UInt16]?, rrCount: Int?
  ) {
    let reading = Reading.of(octets)
    #expect(reading.error != nil && reading.isMalformed && !reading.isCut)
    #expect(reading.whole == nil)
    #expect(reading.flags?.rawValue == octets.first)
    #expect(reading.beatsPerMinute == bpm)
    #expect(reading.energyExpended == energy)
    #expect(reading.rrIntervals?.map(\.rawValue) == rr)
    #expect(reading.rrCount == rrCount)
  }

  /// The length as sent contradicts the flags, although the capture kept too little to see the octets.
  @Test(
    arguments: [
      ([0x16, 0x4C, 0x15, 0x03, 0x01], 2, "RR-Interval needs 2 octets, 1 left"),
      ([0x16, 0x4C, 0x15, 0x03, 0x01], 1, "RR-Interval needs 2 octets, 1 left"),
      ([0x16, 0x4C], 1, "RR-Interval needs 2 octets, none left"),
      ([0x06, 0x4C, 0x15], 1, "1 octet left over after Heart Rate Measurement Value"),
      ([0x08, 0x4C, 0x15], 1, "Energy Expended needs 2 octets, 1 left"),
    ] as [([UInt8], Int, String)])
  func `a value may be cut and wrong`(octets: [UInt8], kept: Int, text: String) {
    let reading = Reading.of(octets, keeping: kept)
    #expect(reading.isCut)
    #expect(reading.error?.description == text)
  }

  @Test func `a value cut to nothing is no error, an empty one is`() {
    #expect(Reading.of([0x16, 0x4C, 0x15, 0x03], keeping: 0).error == nil)
    #expect(Reading.of([]).error?.description == "Flags needs 1 octet, none left")
  }

  /// Octets behind the value are none of it.
  @Test func `more octets than were sent are not read`() {
    let octets: ContiguousArray<UInt8> = [0x16, 0x4C, 0x15, 0x03, 0x00, 0x04]
    let reading = Reading(lax: octets.span, length: 4)
    #expect(reading.rrIntervals == [RRInterval(rawValue: 789)])
    #expect(!reading.isCut && reading.error == nil)
    let none = Reading(lax: octets.span, length: -1)
    #expect(none.flags == nil && none.isMalformed)
  }

  @Test func `the lax way and the strict agree on every value`() {
    for flags in UInt8.min...UInt8.max {
      for count in 0..<40 {
        let octets = Array(([flags] + (1..<60).map { UInt8($0) }).prefix(count))
        let reading = Reading.of(octets)
        do {
          let strict = try HeartRateMeasurement(octets)
          #expect(reading.whole == strict)
        } catch {
          #expect(reading.error == error)
        }
        #expect(reading.isMalformed == (reading.error != nil))
      }
    }
  }

  @Test(arguments: [.max, -1, .min] as [Int]) func `wherever the input begins, an error has a place`(origin: Int) {
    let octets: ContiguousArray<UInt8> = [0]
    let reading = HeartRateMeasurement.Reading(lax: octets.span, length: 1, origin: origin)
    #expect(reading.error?.offset == origin &+ 1)
    #expect(HeartRateMeasurement.Reading(lax: octets.span, length: .min, origin: origin).error?.offset == origin)
    var reader = OctetReader(octets.span, layer: "test", origin: origin)
    reader.skip(upTo: 1)
    let error = reader.tooShort("Field", needs: 1)
    #expect(error.offset == origin &+ 1)
  }

  /// No attribute is as long as that.
  @Test(arguments: [65534, 65535, 65536, 70000]) func `of what is longer than any value, the beginning`(count: Int) {
    let reading = HeartRateMeasurement.Reading(lax: [0x10, 72] + [UInt8](repeating: 3, count: count - 2))
    #expect(reading.rrIntervals?.count == reading.rrCount && reading.rrCount == (min(count, 65535) - 2) / 2)
    #expect(reading.isMalformed == (count > 65534))
  }

  @Test func `a reading stays small`() {
    #expect(MemoryLayout<HeartRateMeasurement>.stride == 40)
    #expect(MemoryLayout<Reading>.stride == 48)
  }
}
