import Testing

@testable import GATTKit

@Suite struct `Numbers in text` {
  /// As people round.
  @Test(
    arguments: [
      (0, 3, "0.000"), (976.5625, 3, "976.563"), (770.5078125, 3, "770.508"), (0.9765625, 3, "0.977"), (1.5, 0, "2"),
      (2.5, 0, "3"), (-1.25, 1, "-1.3"), (-0.001, 2, "0.00"), (59.9999, 3, "60.000"), (11.25, 2, "11.25"),
      (0.25, 1, "0.3"), (1e15, 3, "1000000000000000.000"), (.infinity, 3, "inf"), (3.7, -1, "4"),
    ] as [(Double, Int, String)])
  func `decimals`(number: Double, decimals: Int, text: String) {
    #expect(number.text(decimals: decimals) == text)
  }

  @Test func `numbers that have no room stay as they are, and nothing traps`() {
    #expect(1e300.text(decimals: 3) == "1e+300")
    #expect(Double.nan.text(decimals: 3) == "nan")
    #expect((-Double.infinity).text(decimals: 3) == "-inf")
  }

  @Test func `hexadecimal has all its digits`() {
    #expect((0x0D as UInt8).hexadecimal == "0D")
    #expect((0x180D as UInt16).hexadecimal == "180D")
    #expect((0xABCD as UInt32).hexadecimal == "0000ABCD")
  }
}
