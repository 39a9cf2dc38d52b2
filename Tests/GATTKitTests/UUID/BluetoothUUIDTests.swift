import Foundation
import GATTKit
import Octets
import Testing

@Suite struct `Bluetooth UUID` {
  static let nordicUART = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"

  @Test(arguments: [
    ("180D", "180D"), ("2a37", "2A37"), ("0x2A37", "2A37"), ("0X2a37", "2A37"), ("0000180D", "180D"),
    ("0001abcd", "0001ABCD"), ("0x0001ABCD", "0001ABCD"), ("0000180D-0000-1000-8000-00805F9B34FB", "180D"),
    ("0000180d-0000-1000-8000-00805f9b34fb", "180D"), ("0001ABCD-0000-1000-8000-00805F9B34FB", "0001ABCD"),
    ("0000180D00001000800000805F9B34FB", "180D"), (nordicUART, nordicUART),
    ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", nordicUART), ("0000", "0000"),
    ("0000180D-0000-1000-8000-00805F9B34FC", "0000180D-0000-1000-8000-00805F9B34FC"),
    ("0000180D-0000-2000-8000-00805F9B34FB", "0000180D-0000-2000-8000-00805F9B34FB"),
  ])
  func `text is read and written back in its shortest form`(text: String, shortest: String) throws {
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.description == shortest)
    #expect(BluetoothUUID(shortest) == uuid)
    #expect(BluetoothUUID(uuid.longDescription) == uuid)
  }

  @Test(arguments: [
    "", "0x", "2A3", "2A377", "2G37", "+A37", " 2A37", "2A37 ", "0x0x2A", "2A37\n", "ᎪA37",
    "0000180D-0000-1000-8000-00805F9B34F", "0000180D-0000-1000-8000-00805F9B34FBB",
    "0000180D0-000-1000-8000-00805F9B34FB", "0000180D-0000-1000-8000-0-805F9B34FB",
    "0000180D-0000-1000-8000+00805F9B34FB", "0x0000180D-0000-1000-8000-00805F9B34FB",
    "{0000180D-0000-1000-8000-00805F9B34FB}",
  ])
  func `other text is refused`(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }

  @Test(
    arguments: [
      ([0x0D, 0x18], "180D", 2), ([0x0D, 0x18, 0x00, 0x00], "180D", 2), ([0xCD, 0xAB, 0x01, 0x00], "0001ABCD", 4),
      (
        [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, 0x37, 0x2A, 0x00, 0x00], "2A37", 2
      ),
      (
        [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40, 0x6E], nordicUART, 16
      ),
    ] as [([UInt8], String, Int)])
  func `octets are read least significant first`(octets: [UInt8], text: String, shortestLength: Int) throws {
    let uuid = try Self.read(octets)
    #expect(uuid.description == text)
    #expect(uuid.shortestLength == shortestLength)
    var shortest: [UInt8] = []
    uuid.encode(into: &shortest)
    #expect(shortest.count == shortestLength)
    #expect(try Self.read(shortest) == uuid)
    var full: [UInt8] = []
    uuid.encode(into: &full, length: 16)
    #expect(full.count == 16)
    #expect(try Self.read(full) == uuid)
    var same: [UInt8] = []
    uuid.encode(into: &same, length: octets.count)
    #expect(same == octets)
  }

  @Test(arguments: [0, 1, 3, 5, 8, 15, 17, -1])
  func `no other lengths exist`(length: Int) {
    let error = #expect(throws: ParsingError.self) { try Self.read([UInt8](repeating: 0, count: 20), length: length) }
    let octets = length == 1 ? "1 octet" : "\(length) octets"
    #expect(error?.problem == .invalid("\(octets), but a UUID has 2, 4 or 16"))
  }

  @Test(arguments: [2, 4, 16])
  func `missing octets are an error that counts them`(length: Int) {
    for count in 0..<length {
      let error = #expect(throws: ParsingError.self) {
        try Self.read([UInt8](repeating: 1, count: count), length: length)
      }
      #expect(error?.problem == .tooShort(needed: length, available: count))
    }
  }

  /// In fewer octets than it needs it would be another one.
  @Test(arguments: [(nordicUART, 2), (nordicUART, 4), ("0001ABCD", 2)])
  func `what does not fit is written as short as it can be`(text: String, length: Int) throws {
    let uuid = try #require(BluetoothUUID(text))
    var octets: [UInt8] = []
    uuid.encode(into: &octets, length: length)
    #expect(try Self.read(octets) == uuid)
  }

  /// 2A37 has one bit that 2A36 has not; 2A38 differs from it in four.
  @Test(arguments: [(0x2A37, 0), (0x2A36, 1), (0x2A38, 4), (0xAA37, 1)] as [(UInt16, Int)])
  func `how many bits are others`(number: UInt16, bits: Int) {
    let other = BluetoothUUID(number)
    #expect(BluetoothUUID.heartRateMeasurement.distance(to: other) == bits)
    #expect(other.distance(to: .heartRateMeasurement) == bits)
  }

  @Test func `short forms`() {
    #expect(BluetoothUUID(0x2A37 as UInt16).shortForm == 0x2A37)
    #expect(BluetoothUUID(0x0000_2A37 as UInt32).shortForm == 0x2A37)
    #expect(BluetoothUUID(0x0001_2A37 as UInt32).shortForm == nil)
    #expect(BluetoothUUID(0x0001_2A37 as UInt32).isOnBase)
    #expect(BluetoothUUID(Self.nordicUART)?.shortForm == nil)
    #expect(BluetoothUUID(Self.nordicUART)?.isOnBase == false)
    #expect(BluetoothUUID("0000180D-0000-1000-8000-00805F9B34FC")?.shortForm == nil)
    #expect(BluetoothUUID.heartRateMeasurement.shortForm == 0x2A37)
  }

  @Test func `what means the same is equal, and hashes the same`() throws {
    let spellings = try [
      BluetoothUUID(0x180D as UInt16), BluetoothUUID(0x180D as UInt32), #require(BluetoothUUID("180d")),
      #require(BluetoothUUID("0000180D-0000-1000-8000-00805F9B34FB")), .heartRateService,
    ]
    #expect(Set(spellings).count == 1)
  }

  @Test func `order is that of the numbers`() throws {
    let uuids = try ["1800", "180D", "2A37", "0001ABCD", Self.nordicUART].map { try #require(BluetoothUUID($0)) }
    #expect(uuids.reversed().sorted() == uuids)
  }

  @Test func `JSON holds their shortest text`() throws {
    let uuids = try ["180D", "0001ABCD", Self.nordicUART].map { try #require(BluetoothUUID($0)) }
    let json = try JSONEncoder().encode(uuids)
    #expect(String(decoding: json, as: UTF8.self) == "[\"180D\",\"0001ABCD\",\"\(Self.nordicUART.uppercased())\"]")
    #expect(try JSONDecoder().decode([BluetoothUUID].self, from: json) == uuids)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([BluetoothUUID].self, from: Data("[\"180\"]".utf8))
    }
  }

  @Test func `storage is sixteen plain octets`() {
    #expect(MemoryLayout<BluetoothUUID>.size == 16)
    #expect(_isPOD(BluetoothUUID.self))
  }

  static func read(_ octets: [UInt8], length: Int? = nil) throws -> BluetoothUUID {
    try octets.withOctets { (span) throws(ParsingError) in
      var reader = OctetReader(span, layer: "test")
      return try BluetoothUUID(parsing: &reader, octets: length ?? octets.count)
    }
  }
}
