import Octets
import Testing
import TestSupport

@Suite struct `Octet reader` {
  @Test(arguments: [
    (OctetOrder.little, 0x01, 0x0201, 0x0403_0201, 0x0807_0605_0403_0201),
    (.big, 0x01, 0x0102, 0x0102_0304, 0x0102_0304_0506_0708),
  ])
  func `integers of every width, in both orders`(
    order: OctetOrder, one: UInt8, two: UInt16, four: UInt32, eight: UInt64
  ) throws(ParsingError) {
    let octets = hex("01 02 03 04 05 06 07 08")
    try octets.withOctets { (span) throws(ParsingError) in
      var reader = OctetReader(span, layer: "test")
      #expect(try reader.uint8("a") == one)
      reader.rewind(to: 0)
      #expect(try reader.uint16("b", order) == two)
      reader.rewind(to: 0)
      #expect(try reader.uint32("c", order) == four)
      reader.rewind(to: 0)
      #expect(try reader.uint64("d", order) == eight)
      let isAtEnd = reader.isAtEnd
      #expect(isAtEnd)
    }
  }

  @Test func `signed integers keep their sign`() throws(ParsingError) {
    try hex("fe ff ff ff").withOctets { (span) throws(ParsingError) in
      var reader = OctetReader(span, layer: "test")
      #expect(try reader.integer(Int16.self, "a") == -2)
      #expect(try reader.integer(Int16.self, "b", .big) == -1)
    }
  }

  @Test(arguments: 0..<8)
  func `an integer that is not all there is an error, and the reader stays`(there: Int) {
    let octets = [UInt8](repeating: 0xAA, count: there + 1)
    octets.withOctets { span in
      var reader = OctetReader(span, layer: "test", origin: 100)
      reader.skip(upTo: 1)
      #expect(
        throws: ParsingError(
          layer: "test", field: "Time", problem: .tooShort(needed: 8, available: there), offset: 101)
      ) { try reader.uint64("Time") }
      #expect(reader.consumed == 1 && reader.count == there && reader.offset == 101)
    }
  }

  @Test func `octets are taken, passed over and looked at`() throws {
    try hex("00 01 02 03 04 05 06 07 08 09").withOctets { span in
      var reader = OctetReader(span, layer: "test", origin: 1000)
      let two = try reader.octets(2, "two")
      #expect(Array(ContiguousArray(two)) == [0, 1])
      try reader.skip(1, "one")
      #expect(reader.consumed == 3 && reader.count == 7 && reader.offset == 1003)
      #expect(reader.skip(upTo: 2) == 2)
      let three = reader.prefix(3)
      #expect(Array(ContiguousArray(three)) == [5, 6, 7])
      let rest = reader.rest()
      #expect(Array(ContiguousArray(rest)) == [8, 9])
      let isAtEnd = reader.isAtEnd
      #expect(isAtEnd)
      #expect(reader.skip(upTo: 5) == 0)
      let nothing = reader.prefix(4)
      let count = nothing.count
      #expect(count == 0)
    }
  }

  @Test(arguments: [-1, -1000, Int.min, 4, 1000, Int.max])
  func `counts that cannot be are errors, never traps`(count: Int) {
    hex("01 02 03").withOctets { span in
      var reader = OctetReader(span, layer: "test")
      #expect(throws: ParsingError.self) { try reader.skip(count, "field") }
      #expect(throws: ParsingError.self) { _ = try reader.octets(count, "field").count }
      #expect(reader.consumed == 0)
      let taken = reader.prefix(count)
      #expect(taken.count == (count > 0 ? 3 : 0))
    }
  }

  @Test func `a reader goes back only to where it was`() {
    hex("01 02 03").withOctets { span in
      var reader = OctetReader(span, layer: "test")
      reader.skip(upTo: 2)
      reader.rewind(to: 3)
      #expect(reader.consumed == 2)
      reader.rewind(to: -1)
      #expect(reader.consumed == 2)
      reader.rewind(to: 1)
      #expect(reader.consumed == 1)
    }
  }

  @Test func `what is left over is an error`() throws {
    try hex("01 02 03").withOctets { span in
      var reader = OctetReader(span, layer: "test")
      #expect(
        throws: ParsingError(layer: "test", field: "Last", problem: .leftOver(count: 3), offset: 0)
      ) { try reader.expectEnd(after: "Last") }
      reader.skip(upTo: 3)
      try reader.expectEnd(after: "Last")
    }
  }

  @Test func `an error says in which layer, where, and what set the end`() {
    hex("01").withOctets { span in
      var reader = OctetReader(span, layer: "ATT", origin: 7)
      #expect(
        throws: ParsingError(
          layer: "ATT", field: "Attribute Handle", problem: .tooShort(needed: 2, available: 1), offset: 7)
      ) { try reader.uint16("Attribute Handle") }
      reader.skip(upTo: 1)
      let invalid = reader.invalid("Format", "3, neither 1 nor 2")
      #expect("\(invalid)" == "Format: 3, neither 1 nor 2")
      // No length says what a field holds.
      #expect("\(invalid.limited(by: "the L2CAP length"))" == "Format: 3, neither 1 nor 2")
      let short = ParsingError(layer: "ATT", field: "Format", problem: .tooShort(needed: 1, available: 0), offset: 8)
      let words = "Format needs 1 octet, none left, as the L2CAP length says"
      #expect("\(short.limited(by: "the L2CAP length"))" == words)
      #expect(invalid.layer == "ATT" && invalid.offset == 8)
    }
  }

  @Test(arguments: [[], [0x00], [0xFF, 0x00, 0x7F]] as [[UInt8]])
  func `octets are borrowed from any collection and copied back`(octets: [UInt8]) {
    octets.withOctets { #expect(Array(ContiguousArray($0)) == octets) }
    octets[...].withOctets { #expect($0.count == octets.count) }
    octets.reversed().withOctets { #expect(Array(ContiguousArray($0)) == octets.reversed()) }
    var all = ContiguousArray<UInt8>([9])
    octets.withOctets { all.append($0) }
    #expect(Array(all) == [9] + octets)
  }
}
