import Octets
import Testing
import TestSupport

@Suite struct `Fixed fields` {
  @Test func `numbers at their places, in both orders`() throws {
    hex("ff 01 02 03 04 05 06 07 08").withOctets { span in
      guard let fields = OctetWindow(span, at: 1, count: 8) else {
        Issue.record("the fields are there")
        return
      }
      #expect(fields.uint8(at: 0) == 1 && fields.uint8(at: 7) == 8)
      #expect(fields.uint16(at: 1) == 0x0302 && fields.uint16(at: 1, .big) == 0x0203)
      #expect(fields.uint32(at: 4) == 0x0807_0605 && fields.uint32(at: 4, .big) == 0x0506_0708)
      #expect(fields.uint64(at: 0) == 0x0807_0605_0403_0201 && fields.uint64(at: 0, .big) == 0x0102_0304_0506_0708)
    }
  }

  @Test(arguments: [(0, 5), (5, 1), (-1, 1), (0, -1), (4, .max), (.max, 1), (.max, .max), (.min, 4)])
  func `fields that are not there are nil, never a trap`(index: Int, count: Int) {
    hex("01 02 03 04").withOctets { span in
      let isThere = OctetWindow(span, at: index, count: count) != nil
      #expect(!isThere)
    }
  }

  @Test func `the last octets are there`() {
    hex("01 02 03 04").withOctets { span in
      let isThere = OctetWindow(span, at: 2, count: 2) != nil
      #expect(isThere)
    }
  }

  @Test func `up to eight octets as a number, zeros for those that are not there`() {
    let octets = hex("ff 81 82 83 84 85 86 87 88 89")
    for index in 0...octets.count + 1 {
      for end in 0...octets.count {
        let expected = (0..<8).reduce(UInt64(0)) { word, place in
          index + place < end ? word | UInt64(octets[index + place]) << (8 * UInt64(place)) : word
        }
        let word = octets.withOctets { OctetWindow($0.extracting(first: end)).word(at: index) }
        #expect(word == expected, "\(index) up to \(end)")
      }
    }
  }
}
