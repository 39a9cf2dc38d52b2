import GATTKit
import Testing

// No other import: what is here is what an app can say.

@Suite struct `With nothing but GATTKit` {
  @Test func `an app can name what went wrong`() {
    func read(_ octets: [UInt8]) -> Result<HeartRateMeasurement, ParsingError> {
      Result { () throws(ParsingError) in try HeartRateMeasurement(octets) }
    }
    guard case .failure(let error) = read([0x10, 72, 0xE8]) else {
      Issue.record("half an interval is no error"); return
    }
    #expect(error.field == "RR-Interval" && error.offset == 2 && error.problem == .tooShort(needed: 2, available: 1))
  }

  @Test func `an app can have values of its own`() throws {
    struct Cadence: AttributeValue {
      static var name: StaticString { "Cadence" }
      var steps: UInt16
      init(parsing reader: inout OctetReader) throws(ParsingError) { steps = try reader.uint16("Steps") }
      func encode(into octets: inout [UInt8]) { octets += [UInt8(truncatingIfNeeded: steps), UInt8(steps >> 8)] }
      var fields: [ValueField] { [ValueField("Steps", "\(steps)")] }
    }
    let cadence = try Cadence([0x02, 0x01] as [UInt8])
    #expect(cadence.steps == 0x0102 && cadence.encoded() == [2, 1])
    #expect(throws: ParsingError.self) { try Cadence([2, 1, 0] as [UInt8]) }
  }

  @Test func `UUIDs of numbers, octets and text`() throws {
    #expect(BluetoothUUID(0x180D) == .heartRateService)
    #expect(BluetoothUUID(0x0001_ABCD).description == "0001ABCD")
    #expect(try BluetoothUUID(octets: [0x0D, 0x18] as [UInt8]) == .heartRateService)
    #expect(throws: ParsingError.self) { try BluetoothUUID(octets: [0x0D, 0x18, 0] as [UInt8]) }
    for text in ["180D", "0001ABCD", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"] {
      let uuid = try #require(BluetoothUUID(text))
      #expect(try BluetoothUUID(octets: uuid.encoded()) == uuid)
    }
    #expect(BluetoothUUID(0x180D).encoded() == [0x0D, 0x18])
  }

  @Test func `values say what they are`() throws {
    let measurement = try HeartRateMeasurement([0x16, 72, 0xE8, 3, 0, 4] as [UInt8])
    #expect(measurement.rrIntervals.description == "[1000 (976.563 ms), 1024 (1000.000 ms)]")
    #expect(measurement.description.hasSuffix("RR-Interval: 1000 (976.563 ms), RR-Interval: 1024 (1000.000 ms)"))
    #expect(measurement.description.contains("Heart Rate Measurement Value: 72 bpm"))
    #expect(HeartRateMeasurement.Reading(lax: [0x06, 72] as [UInt8]).beatsPerMinute == 72)
    let battery = try #require(AttributeValues.kind(of: .batteryLevel))
    #expect(try battery.fields(of: [63] as [UInt8]).map(\.description) == ["Battery Level: 63 %"])
  }

  /// What a log or the debugger shows.
  @Test(
    arguments: [
      (BluetoothUUID.batteryLevel, [63], "Battery Level: 63 %"),
      (.pnpID, [1, 0x6B, 0, 2, 1, 0x13, 2], "Product ID: 0x0102, Product Version: 2.1.3"),
      (.characteristic, [0x10, 0x10, 0, 0x37, 0x2A], "Characteristic UUID: 2A37 (Heart Rate Measurement)"),
      (.serviceChanged, [1, 0, 9, 0], "Affected Attribute Handle Range: 0x0001 to 0x0009"),
      (.heartRateMeasurement, [0x06, 72], "Sensor Contact: detected"), (.bodySensorLocation, [1], "Chest"),
      (.deviceName, [0x48, 0x37], "H7"),
    ] as [(BluetoothUUID, [UInt8], String)])
  func `every value has words`(uuid: BluetoothUUID, octets: [UInt8], end: String) throws {
    let kind = try #require(AttributeValues.kind(of: uuid))
    let value = try kind.type.init(octets)
    #expect("\(value)".hasSuffix(end))
  }

  @Test func `a reading says what is there and what is wrong`() {
    let reading = HeartRateMeasurement.Reading(lax: [0x16, 72, 0xE8] as [UInt8])
    #expect(
      reading.description == """
        Flags: 0x16, Heart Rate Measurement Value: 72 bpm, Sensor Contact: detected, \
        error: RR-Interval needs 2 octets, 1 left
        """)
    #expect(HeartRateMeasurement.Reading(lax: []).description == "error: Flags needs 1 octet, none left")
    let whole: [UInt8] = [0x1E, 72, 5, 0, 0, 4]
    let measurement = HeartRateMeasurement.Reading(lax: whole)
    #expect(measurement.fields == measurement.whole?.fields)
    #expect(measurement.description == measurement.whole?.description)
  }

  @Test func `a range that is none`() throws {
    #expect(try ServiceChanged([1, 0, 0xFF, 0xFF] as [UInt8]).handles == 1...0xFFFF)
    #expect(try ServiceChanged([9, 0, 3, 0] as [UInt8]).handles == nil)
    #expect(try ServiceChanged([0, 0, 0xFF, 0xFF] as [UInt8]).handles == nil)
    #expect(try ServiceChanged([9, 0, 3, 0] as [UInt8]).fields.first?.value == "0x0009 to 0x0003, which is before it")
    #expect(
      try ServiceChanged([0, 0, 0, 0] as [UInt8]).fields.first?.value.hasSuffix("and 0x0000 is no handle") == true)
  }

  @Test(arguments: ["a\0", "\0", "a\0b\0\0", "Polar H7"])
  func `text ends where it ends`(text: String) throws {
    let name = DeviceName(text: text)
    #expect(!name.text.hasSuffix("\0"))
    #expect(try DeviceName(name.encoded()) == name)
    var string = DeviceInformationString(text: "")
    string.text = text
    #expect(string == DeviceInformationString(text: text))
    #expect(try DeviceInformationString(string.encoded()) == string)
  }
}
