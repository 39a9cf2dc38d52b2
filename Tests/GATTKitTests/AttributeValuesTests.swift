import Foundation
import GATTKit
import Octets
import Testing

@Suite struct `List of characteristic values` {
  @Test func `every file of the Values folder is in the list`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources/GATTKit/Values")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // The heart rate measurement is so much of what this is about that it has a folder of its own.
    let types = Set(files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(".swift".count)) })
      .union(["HeartRateMeasurement"])
    let listed = Set(AttributeValues.all.map { "\($0.type)" })
    #expect(types.count > 10)
    for type in types.subtracting(listed).sorted() {
      Issue.record("AttributeValues.all lacks: Kind(.…, \(type).self),")
    }
    #expect(listed.subtracting(types) == [], "a value without a file of its own in Values")
  }

  @Test func `the list is in the order of the UUIDs, and has none twice`() {
    let uuids = AttributeValues.all.map(\.uuid)
    #expect(uuids == Set(uuids).sorted())
  }

  @Test func `names are those of the Assigned Numbers`() {
    for kind in AttributeValues.all where kind.uuid >= .deviceName {
      #expect(kind.name == AssignedNumbers.characteristicName(kind.uuid))
    }
  }

  @Test(
    arguments: [
      ("2A37", [0x16, 0x48, 0xE8, 0x03], "RR-Interval: 1000 (976.563 ms)"),
      ("2A38", [0x01], "Body Sensor Location: Chest"),
      ("2A39", [0x01], "Heart Rate Control Point: Reset Energy Expended"),
      ("2A19", [0x57], "Battery Level: 87 %"), ("2A29", [0x50, 0x6F], "Text: Po"),
      ("2902", [0x01, 0x00], "Client Characteristic Configuration: notification"),
    ] as [(String, [UInt8], String)])
  func `a value is put into words by its UUID`(uuid: String, octets: [UInt8], last: String) throws {
    let uuid = try #require(BluetoothUUID(uuid))
    let kind = try #require(AttributeValues.kind(of: uuid))
    let fields = try octets.withOctets { (span) throws(ParsingError) in try kind.fields(of: span) }
    #expect(fields.last?.description == last)
  }

  @Test func `octets that are no such value are an error`() throws {
    let kind = try #require(AttributeValues.kind(of: .heartRateMeasurement))
    #expect(throws: ParsingError.self) {
      try ([0x16, 0x48] as [UInt8]).withOctets { (span) throws(ParsingError) in try kind.fields(of: span) }
    }
  }

  @Test func `a UUID nobody decodes has no kind`() {
    #expect(AttributeValues.kind(of: .batteryService) == nil)
  }

  /// What an app does: Core Bluetooth hands it a `Data`, often one that is a slice of another.
  @Test func `a Data is read as it is`() throws {
    let data = Data([0xFF, 0x16, 0x4C, 0x15, 0x03])
    let measurement = try HeartRateMeasurement(data.dropFirst())
    #expect(measurement.beatsPerMinute == 76)
    #expect(measurement.rrIntervals == [RRInterval(rawValue: 789)])
  }
}
