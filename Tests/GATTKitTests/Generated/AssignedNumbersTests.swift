import GATTKit
import Testing

@Suite struct `Assigned numbers` {
  @Test(arguments: [
    ("1800", "Generic Access"), ("180D", "Heart Rate"), ("180F", "Battery Service"), ("FEEF", "Polar Electro Oy"),
    ("FEAA", "Eddystone"), ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "Nordic UART Service"),
  ])
  func `services have names`(uuid: String, name: String) throws {
    #expect(AssignedNumbers.serviceName(try #require(BluetoothUUID(uuid))) == name)
  }

  @Test(arguments: [
    ("2A00", "Device Name"), ("2A37", "Heart Rate Measurement"), ("2A38", "Body Sensor Location"),
    ("2A39", "Heart Rate Control Point"), ("2A19", "Battery Level"), ("2B2A", "Database Hash"),
    ("6E400003-B5A3-F393-E0A9-E50E24DCCA9E", "UART TX Characteristic"),
  ])
  func `characteristics have names`(uuid: String, name: String) throws {
    #expect(AssignedNumbers.characteristicName(try #require(BluetoothUUID(uuid))) == name)
  }

  @Test(arguments: [("2902", "Client Characteristic Configuration"), ("2904", "Characteristic Presentation Format")])
  func `descriptors have names`(uuid: String, name: String) throws {
    #expect(AssignedNumbers.descriptorName(try #require(BluetoothUUID(uuid))) == name)
  }

  @Test(
    arguments: [
      (0x0000, "Ericsson AB"), (0x004C, "Apple, Inc."), (0x006B, "Polar Electro OY"),
      (0x0087, "Garmin International, Inc."),
      (0x0006, "Microsoft"), (0x0001, "Nokia Mobile Phones"),
    ] as [(UInt16, String)])
  func `companies have names`(identifier: UInt16, name: String) {
    #expect(AssignedNumbers.companyName(identifier) == name)
  }

  @Test func `the last entry of a table is found too`() {
    #expect(AssignedNumbers.companyName(0x0D53) == "Luxottica Group S.p.A")
  }

  /// The source has words for these that are no names.
  @Test(arguments: [0x0CBE, 0xFFFF] as [UInt16])
  func `companies that there are not`(identifier: UInt16) {
    #expect(AssignedNumbers.companyName(identifier) == nil)
  }

  @Test func `what was given out since the first source's release`() {
    #expect(AssignedNumbers.characteristicName(BluetoothUUID(0x2BF5 as UInt16)) == "LE GATT Security Levels")
    #expect(AssignedNumbers.characteristicName(BluetoothUUID(0x2B8C as UInt16)) == "CO2 Concentration")
    #expect(AssignedNumbers.serviceName(BluetoothUUID(0x1840 as UInt16)) == "Generic Health Sensor")
  }

  @Test func `names that the source has wrong`() {
    #expect(AssignedNumbers.companyName(0x024F) == "Schneider Schreibgeräte GmbH")
    #expect(AssignedNumbers.descriptorName(.characteristicUserDescription) == "Characteristic User Description")
    let mangled = (0...UInt16.max).compactMap { AssignedNumbers.companyName($0) }.filter { $0.contains("Ã") }
    #expect(mangled == [])
  }

  @Test(
    arguments: [
      (.primaryService, "Primary Service"), (.include, "Include"), (.characteristic, "Characteristic"),
      (.heartRateService, "Heart Rate"), (.heartRateMeasurement, "Heart Rate Measurement"),
      (.clientCharacteristicConfiguration, "Client Characteristic Configuration"),
    ] as [(BluetoothUUID, String)])
  func `attributes of all kinds`(uuid: BluetoothUUID, name: String) {
    #expect(AssignedNumbers.attributeName(uuid) == name)
  }

  @Test func `what nobody named has no name`() throws {
    #expect(AssignedNumbers.attributeName(BluetoothUUID(0x0000 as UInt16)) == nil)
    #expect(AssignedNumbers.companyName(0xFFFE) == nil)
    #expect(AssignedNumbers.serviceName(BluetoothUUID(0x0000 as UInt16)) == nil)
    #expect(AssignedNumbers.serviceName(BluetoothUUID(0xFFFF as UInt16)) == nil)
    #expect(AssignedNumbers.serviceName(.heartRateMeasurement) == nil)
    #expect(AssignedNumbers.characteristicName(.heartRateService) == nil)
    #expect(AssignedNumbers.descriptorName(.heartRateService) == nil)
    #expect(AssignedNumbers.serviceName(try #require(BluetoothUUID("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))) == nil)
  }

  /// Every company up to the newest: the search must not lose a line anywhere in the table.
  @Test func `no company is lost in the search`() {
    let named = (0...UInt16.max).compactMap { AssignedNumbers.companyName($0) }
    #expect(named.count == 3411)
    #expect(!named.contains { $0.isEmpty || $0.contains("\n") })
  }
}
