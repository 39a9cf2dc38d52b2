import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part C, 11.
@Suite struct `Advertising data` {
  @Test(
    arguments: [
      ("", []),
      ("02 01 06", ["1:06"]),
      ("02 01 06 03 03 0d 18 05 09 54 49 43 4b", ["1:06", "3:0d18", "9:5449434b"]),
      // A length of 1: a type without data.
      ("01 09 02 01 06", ["9:", "1:06"]),
      // A length of 0 ends the data: the rest is padding.
      ("02 01 06 00 00 00", ["1:06"]), ("00 02 01 06", []), ("00", []),
      // Overruns: nothing is made of them, and nothing before them is lost.
      ("02 01 06 05 09 54 49", ["1:06"]), ("ff", []), ("ff 09", []), ("02 01", []), ("02 01 06 02", ["1:06"]),
    ] as [(String, [String])])
  func `structures`(octets: String, expected: [String]) {
    let found = hex(octets).withOctets { span in
      var structures = AdvertisingStructures(OctetWindow(span))
      var found: [String] = []
      while let structure = structures.next() {
        found.append("\(structure.type.rawValue):\(structure.data.octets.text)")
      }
      return found
    }
    #expect(found == expected)
  }
}

/// Core 6.0, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
private struct NoReports: Error {}

@Suite struct `Advertising reports` {
  private func read(_ octets: [UInt8], isExtended: Bool) throws -> [String] {
    try ([isExtended ? 0x0D : 0x02] + octets).withOctets { span in
      guard var reports = AdvertisingReports(parsing: OctetWindow(span)) else { throw NoReports() }
      var all: [String] = []
      while let report = reports.next() {
        all.append(
          "\(report.address) \(report.address.kind) \(report.rssi.map { "\($0)" } ?? "-") \(report.data.octets.text)")
      }
      return all
    }
  }

  private static let legacy = "00 01 01 11 22 33 44 c5 03 02 01 06 c4"
  private static let extended =
    "13 00 01 01 11 22 33 44 c5 01 00 ff 7f c4 00 00 00 00 00 00 00 00 00 03 02 01 06"

  @Test func `legacy`() throws {
    #expect(try read(hex("01" + Self.legacy), isExtended: false) == ["C5:44:33:22:11:01 random -60 020106"])
    #expect(
      try read(hex("02" + Self.legacy + "04 00 02 11 22 33 44 05 00 7f"), isExtended: false)
        == ["C5:44:33:22:11:01 random -60 020106", "05:44:33:22:11:02 public - "])
  }

  @Test func `extended`() throws {
    #expect(try read(hex("01" + Self.extended), isExtended: true) == ["C5:44:33:22:11:01 random -60 020106"])
    #expect(
      try read(hex("02" + Self.extended + Self.extended), isExtended: true)
        == Array(repeating: "C5:44:33:22:11:01 random -60 020106", count: 2))
  }

  /// 2 and 3 are identities to which the controller resolved a private address; FF is anonymous.
  @Test(arguments: [(0, "public"), (1, "random"), (2, "public"), (3, "random")] as [(UInt8, String)])
  func `address types`(type: UInt8, kind: String) throws {
    var octets = hex("01" + Self.legacy)
    octets[2] = type
    #expect(try read(octets, isExtended: false) == ["C5:44:33:22:11:01 \(kind) -60 020106"])
  }

  @Test(arguments: [false, true])
  func `cut anywhere, whole reports are kept`(isExtended: Bool) throws {
    let one = hex(isExtended ? Self.extended : Self.legacy)
    let octets = [2] + one + one
    #expect(throws: NoReports.self) { try read([], isExtended: isExtended) }
    for length in 1..<octets.count {
      let count = (length - 1) / one.count
      #expect(try read(Array(octets.prefix(length)), isExtended: isExtended).count == count)
    }
  }

  @Test func `a data length beyond the end, and a count beyond the reports`() throws {
    var octets = hex("01" + Self.legacy)
    octets[9] = 0xFF
    #expect(try read(octets, isExtended: false) == [])
    #expect(try read(hex("ff" + Self.legacy), isExtended: false).count == 1)
    #expect(try read([0], isExtended: false) == [])
  }
}
