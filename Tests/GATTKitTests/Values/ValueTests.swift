import GATTKit
import Octets
import Testing

/// The values of one field or a few: octets, what they hold, what they say.
@Suite struct `Characteristic values` {
  /// Reads, writes back, and tells what is wrong with every shorter and longer value.
  static func check<Value: AttributeValue>(
    _ octets: [UInt8], _ expected: Value, says words: [String], at location: SourceLocation = #_sourceLocation
  ) throws {
    let value = try Value(octets)
    #expect(value == expected, sourceLocation: location)
    #expect(expected.encoded() == octets, sourceLocation: location)
    #expect(value.fields.map(\.description) == words, sourceLocation: location)
    for count in 0..<octets.count {
      #expect(throws: ParsingError.self, sourceLocation: location) { try Value(octets.prefix(count)) }
    }
    let error = #expect(throws: ParsingError.self, sourceLocation: location) { try Value(octets + [0]) }
    #expect(error?.layer == Value.name.description, sourceLocation: location)
  }

  @Test(
    arguments: [
      (0, "Other"), (1, "Chest"), (2, "Wrist"), (3, "Finger"), (4, "Hand"), (5, "Ear Lobe"), (6, "Foot"),
      (7, "reserved (7)"), (255, "reserved (255)"),
    ] as [(UInt8, String)])
  func `Body Sensor Location`(octet: UInt8, name: String) throws {
    let location = BodySensorLocation(rawValue: octet)
    try Self.check([octet], location, says: ["Body Sensor Location: \(name)"])
    #expect(location.name == (octet <= 6 ? name : nil))
  }

  @Test func `Body Sensor Locations by name`() {
    let named: [BodySensorLocation] = [.other, .chest, .wrist, .finger, .hand, .earLobe, .foot]
    #expect(named.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [(1, "Reset Energy Expended"), (0, "reserved (0)"), (2, "reserved (2)")] as [(UInt8, String)])
  func `Heart Rate Control Point`(octet: UInt8, name: String) throws {
    try Self.check([octet], HeartRateControlPoint(rawValue: octet), says: ["Heart Rate Control Point: \(name)"])
    #expect(HeartRateControlPoint(rawValue: octet).isReserved == (octet != 1))
  }

  @Test(arguments: [0, 1, 87, 100] as [UInt8])
  func `Battery Level`(percent: UInt8) throws {
    try Self.check([percent], #require(BatteryLevel(percent: percent)), says: ["Battery Level: \(percent) %"])
  }

  @Test(arguments: [101, 255] as [UInt8])
  func `a Battery Level above 100 is an error`(percent: UInt8) {
    let error = #expect(throws: ParsingError.self) { try BatteryLevel([percent]) }
    #expect(error?.description == "Battery Level: \(percent), but it ends at 100")
    #expect(error?.offset == 0)
    #expect(BatteryLevel(percent: percent) == nil)
  }

  @Test(
    arguments: [
      ([], ""), (Array("Polar H7".utf8), "Polar H7"), (Array("H10\0\0".utf8), "H10"), ([0], ""),
      ([0x50, 0x00, 0x51], "P\0Q"), ([0x50, 0xFF, 0x51], "P\u{FFFD}Q"), (Array("Süß".utf8), "Süß"),
    ] as [([UInt8], String)])
  func `strings are repaired and lose their NULs`(octets: [UInt8], text: String) throws {
    #expect(try DeviceInformationString(octets).text == text)
    #expect(try DeviceName(octets).text == text)
    #expect(try DeviceInformationString(octets).fields.map(\.value) == [text])
    #expect(DeviceInformationString(text: text).encoded() == Array(text.utf8))
    #expect(DeviceName(text: text).encoded() == Array(text.utf8))
  }

  @Test func `PnP ID`() throws {
    try Self.check(
      [0x01, 0x6B, 0x00, 0x0A, 0x00, 0x13, 0x02],
      PnPID(vendorIDSource: .bluetoothSIG, vendorID: 0x006B, productID: 10, productVersion: 0x0213),
      says: [
        "Vendor ID Source: Bluetooth SIG", "Vendor ID: 0x006B (Polar Electro OY)", "Product ID: 0x000A",
        "Product Version: 2.1.3",
      ])
    try Self.check(
      [0x02, 0x6B, 0x00, 0x34, 0x12, 0x00, 0x10],
      PnPID(vendorIDSource: .usbImplementersForum, vendorID: 0x006B, productID: 0x1234, productVersion: 0x1000),
      says: [
        "Vendor ID Source: USB Implementer's Forum", "Vendor ID: 0x006B", "Product ID: 0x1234",
        "Product Version: 10.0.0",
      ])
  }

  @Test(
    arguments: [
      ([0x00, 0x00], [], "off"), ([0x01, 0x00], .notification, "notification"),
      ([0x02, 0x00], .indication, "indication"),
      ([0x03, 0x00], [.notification, .indication], "notification, indication"),
      ([0x01, 0x80], ClientCharacteristicConfiguration(rawValue: 0x8001), "notification, reserved 0x8000"),
      ([0x00, 0x01], ClientCharacteristicConfiguration(rawValue: 0x0100), "reserved 0x0100"),
    ] as [([UInt8], ClientCharacteristicConfiguration, String)])
  func `Client Characteristic Configuration`(
    octets: [UInt8], value: ClientCharacteristicConfiguration, text: String
  ) throws {
    try Self.check(octets, value, says: ["Client Characteristic Configuration: \(text)"])
  }

  /// No options are no octets that are missing.
  @Test func `configurations of options`() throws {
    #expect(ClientCharacteristicConfiguration([]) == ClientCharacteristicConfiguration())
    #expect(ClientCharacteristicConfiguration([.notification, .indication]).rawValue == 3)
    #expect(try ClientCharacteristicConfiguration([1, 0] as [UInt8]) == .notification)
    #expect(throws: ParsingError.self) { try ClientCharacteristicConfiguration([] as [UInt8]) }
  }

  @Test func `Characteristic Declaration`() throws {
    let octets: [UInt8] = [0x10, 0x10, 0x00, 0x37, 0x2A]
    try Self.check(
      octets, CharacteristicDeclaration(properties: .notify, valueHandle: 0x10, uuid: .heartRateMeasurement),
      says: [
        "Characteristic Properties: notify", "Characteristic Value Handle: 0x0010",
        "Characteristic UUID: 2A37 (Heart Rate Measurement)",
      ])
    // 128 bits, with a handle above 255.
    let tail: [UInt8] = [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 2, 0, 0x40, 0x6E]
    let long = try CharacteristicDeclaration([0x0C, 0x02, 0x01] + tail)
    #expect(long.properties == [.write, .writeWithoutResponse])
    #expect(long.valueHandle == 0x0102)
    #expect(long.uuid.description == "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
    #expect(long.encoded() == [0x0C, 0x02, 0x01] + tail)
  }

  @Test(arguments: Array(0...40).filter { $0 != 5 && $0 != 19 })
  func `a declaration of any other length is an error`(count: Int) {
    #expect(throws: ParsingError.self) { try CharacteristicDeclaration([UInt8](repeating: 1, count: count)) }
  }

  @Test func `a 32-bit UUID is declared as a 128-bit one`() throws {
    let declaration = CharacteristicDeclaration(
      properties: .read, valueHandle: 3, uuid: BluetoothUUID(0x0001_ABCD as UInt32))
    #expect(declaration.encoded().count == 19)
    #expect(try CharacteristicDeclaration(declaration.encoded()) == declaration)
  }

  @Test(
    arguments: [
      (0x00, "none"), (0x01, "broadcast"), (0x02, "read"), (0x04, "write-without-response"), (0x08, "write"),
      (0x10, "notify"), (0x20, "indicate"), (0x40, "authenticated-signed-writes"), (0x80, "extended-properties"),
      (0x12, "read, notify"),
    ] as [(UInt8, String)])
  func `properties have names`(bits: UInt8, text: String) {
    let properties = CharacteristicProperties(rawValue: bits)
    #expect(properties.description == text)
    let again = properties.names.compactMap { CharacteristicProperties(named: $0) }
    #expect(again.reduce(into: []) { $0.formUnion($1) } == properties)
    #expect(CharacteristicProperties(named: "none") == nil)
  }

  @Test func `Service Changed`() throws {
    try Self.check(
      [0x01, 0x00, 0xFF, 0xFF], ServiceChanged(start: 1, end: 0xFFFF),
      says: ["Affected Attribute Handle Range: 0x0001 to 0xFFFF"])
  }

  @Test func `Database Hash`() throws {
    try Self.check(
      Array(1...16), DatabaseHash(high: 0x100F_0E0D_0C0B_0A09, low: 0x0807_0605_0403_0201),
      says: ["Database Hash: 100F0E0D0C0B0A090807060504030201"])
  }

  @Test func `System ID`() throws {
    let number = SystemID(rawValue: 0x0022_D0FF_FE77_0001)
    let parts = SystemID(manufacturerDefinedIdentifier: 0xFF_FE77_0001, organizationallyUniqueIdentifier: 0x00_22D0)
    #expect(parts == number)
    try Self.check(
      [0x01, 0x00, 0x77, 0xFE, 0xFF, 0xD0, 0x22, 0x00], number, says: ["System ID: 00:22:D0:FF:FE:77:00:01"])
    #expect(number.organizationallyUniqueIdentifier == 0x0022D0)
    #expect(number.manufacturerDefinedIdentifier == 0xFF_FE77_0001)
  }

  @Test(
    arguments: [
      (0x0341, "0x0341 (Heart Rate Belt)", true), (0x0340, "0x0340 (Heart Rate Sensor)", true),
      (0x0342, "0x0342 (category 13, subcategory 2)", true), (0, "0x0000 (unknown)", false),
      (0x00C1, "0x00C1 (category 3, subcategory 1)", false),
    ] as [(UInt16, String, Bool)])
  func `Appearance as sent`(number: UInt16, text: String, isSensor: Bool) throws {
    let octets = [UInt8(number & 0xFF), UInt8(number >> 8)]
    try Self.check(octets, Appearance(rawValue: number), says: ["Appearance: \(text)"])
    #expect(Appearance(rawValue: number).isHeartRateSensor == isSensor)
  }

  @Test func `bits of features and properties`() throws {
    try Self.check(
      [0x03, 0x00], [.reliableWrite, .writableAuxiliaries] as CharacteristicExtendedProperties,
      says: ["Characteristic Extended Properties: reliable write, writable auxiliaries"])
    try Self.check(
      [0x00, 0x80], CharacteristicExtendedProperties(rawValue: 0x8000),
      says: ["Characteristic Extended Properties: reserved 0x8000"])
    let client = try ClientSupportedFeatures([0x0D] as [UInt8])
    #expect(client == [.robustCaching, .multipleHandleValueNotifications, ClientSupportedFeatures(rawValue: 8)])
    #expect(client.description == "robust caching, multiple handle value notifications, reserved 0x08")
    #expect(client.encoded() == [0x0D])
    #expect(try ServerSupportedFeatures([0x01] as [UInt8]) == .enhancedATTBearer)
    #expect(try ServerSupportedFeatures([0x00] as [UInt8]).fields.map(\.value) == ["none"])
    // Those that later versions may add are kept, and told.
    let later = try ClientSupportedFeatures([0x02, 0x01] as [UInt8])
    #expect(
      later == [.enhancedATTBearer, ClientSupportedFeatures(rawValue: 0x100)] && later.encoded() == [0x02, 0x01])
    #expect(later.description == "enhanced ATT bearer, reserved 0x0100")
    #expect(try ServerSupportedFeatures([0x00, 0x00, 0x00] as [UInt8]).encoded() == [0x00])
    let long = try ServerSupportedFeatures(Array(repeating: 0xFF, count: 12))
    #expect(long.rawValue == .max && long.encoded().count == 8)
    #expect(throws: ParsingError.self) { try ClientSupportedFeatures([] as [UInt8]) }
    #expect(throws: ParsingError.self) { try ServerSupportedFeatures([] as [UInt8]) }
  }

  @Test func `what a characteristic is and how it is shown`() throws {
    #expect(try CharacteristicUserDescription(Array("Pulse\0".utf8)).text == "Pulse")
    #expect(CharacteristicUserDescription(text: "Pulse").encoded() == Array("Pulse".utf8))
    let format = CharacteristicPresentationFormat(
      format: 0x0E, exponent: -3, unit: 0x27A4, namespace: 1, descriptionNumber: 0x0102)
    try Self.check(
      [0x0E, 0xFD, 0xA4, 0x27, 0x01, 0x02, 0x01], format,
      says: ["Format: 0x0E", "Exponent: -3", "Unit: 0x27A4", "Namespace: 1", "Description: 0x0102"])
  }

  @Test func `of what a value is put together, and whether it is broadcast`() throws {
    let aggregate = try CharacteristicAggregateFormat([0x40, 0x00, 0x50, 0x01] as [UInt8])
    #expect(aggregate.handles == [0x0040, 0x0150] && aggregate.encoded() == [0x40, 0x00, 0x50, 0x01])
    #expect(aggregate.description == "Attribute Handles: 0x0040, 0x0150")
    #expect(try CharacteristicAggregateFormat([] as [UInt8]).fields.map(\.value) == ["none"])
    #expect(throws: ParsingError.self) { try CharacteristicAggregateFormat([0x40, 0x00, 0x50] as [UInt8]) }
    try Self.check(
      [0x01, 0x00], ServerCharacteristicConfiguration.broadcast,
      says: ["Server Characteristic Configuration: broadcast"])
    try Self.check(
      [0x02, 0x00], ServerCharacteristicConfiguration(rawValue: 2),
      says: ["Server Characteristic Configuration: reserved 0x0002"])
    #expect(ServerCharacteristicConfiguration([]).description == "off")
  }

  @Test(
    arguments: [
      (0, "not supported", "after bonding"), (1, "supported", "reserved (1)"), (2, "reserved (2)", "reserved (2)"),
    ] as [(UInt8, String, String)])
  func `private addresses as sent`(number: UInt8, resolution: String, only: String) throws {
    try Self.check(
      [number], CentralAddressResolution(rawValue: number), says: ["Central Address Resolution: \(resolution)"])
    try Self.check(
      [number], ResolvablePrivateAddressOnly(rawValue: number), says: ["Resolvable Private Address Only: \(only)"])
  }

  @Test func `Peripheral Preferred Connection Parameters`() throws {
    let parameters = PeripheralPreferredConnectionParameters(
      minimumInterval: 9, maximumInterval: 24, latency: 4, supervisionTimeout: 400)
    try Self.check(
      [0x09, 0x00, 0x18, 0x00, 0x04, 0x00, 0x90, 0x01], parameters,
      says: [
        "Connection Interval Minimum: 11.25 ms", "Connection Interval Maximum: 30.00 ms", "Peripheral Latency: 4",
        "Connection Supervision Timeout: 4000 ms",
      ])
    let none = try PeripheralPreferredConnectionParameters([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF] as [UInt8])
    #expect(none.minimumIntervalMilliseconds == nil)
    #expect(none.maximumIntervalMilliseconds == nil)
    #expect(none.supervisionTimeoutMilliseconds == nil)
    #expect(none.fields.first?.description == "Connection Interval Minimum: no specific value")
    // Each beside its range: 7.5 ms to 4 s, 0 to 499, 100 ms to 32 s.
    let reversed = try PeripheralPreferredConnectionParameters([0x28, 0, 0x10, 0, 0, 0, 0x58, 2] as [UInt8])
    #expect(!reversed.hasOrderedIntervals && parameters.hasOrderedIntervals && none.hasOrderedIntervals)
    #expect(reversed.fields.first?.value == "50.00 ms, which is above the maximum")
    let beyond = try PeripheralPreferredConnectionParameters([5, 0, 0x81, 0x0C, 0xF4, 1, 9, 0] as [UInt8])
    #expect(beyond.fields.map(\.value) == ["reserved (5)", "reserved (3201)", "reserved (500)", "reserved (9)"])
  }
}
