import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 4, Part E, 7.7.19.
@Suite struct `Completed packets` {
  @Test(
    arguments: [
      ("01 40 00 02 00", ["0040: 2"]), ("02 40 00 01 00 05 00 ff ff", ["0040: 1", "0005: 65535"]), ("00", []),
      // Above the twelve bits of a handle are flags that mean nothing here.
      ("01 40 20 01 00", ["0040: 1"]),
      // More than there are, and what is not all there.
      ("03 40 00 01 00", ["0040: 1"]), ("02 40 00 01 00 41 00 01", ["0040: 1"]), ("01 40 00 01", []), ("ff", []),
      // Octets behind the last one.
      ("01 40 00 01 00 41 00 01 00", ["0040: 1"]),
    ] as [(String, [String])])
  func `of each connection`(octets: String, expected: [String]) {
    let found = hex(octets).withOctets { span in
      var found: [String] = []
      guard var counts = CompletedPackets(parsing: span) else { return found }
      while let next = counts.next() {
        let digits = String(next.connectionHandle, radix: 16)
        found.append(String(repeating: "0", count: 4 - digits.count) + "\(digits): \(next.count)")
      }
      return found
    }
    #expect(found == expected)
  }

  @Test func `without a number are none`() {
    let isThere = [UInt8]().withOctets { CompletedPackets(parsing: $0) != nil }
    #expect(!isThere)
  }
}
