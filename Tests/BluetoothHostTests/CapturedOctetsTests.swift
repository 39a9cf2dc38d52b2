import BluetoothHost
import Octets
import Testing
import TestSupport

@Suite struct `Captured octets` {
  @Test(arguments: [(0, "01020304…6"), (1, "020304…5"), (4, "…2"), (5, "…1"), (6, ""), (7, ""), (1000, "")])
  func `what is behind some octets, kept and sent`(count: Int, rest: String) {
    hex("01 02 03 04 05 06").captured(keeping: 4, origin: 100) { octets in
      let behind = octets.dropping(count)
      #expect(behind.text == rest)
      // Where nothing was kept, the place is that of the first octet that was not.
      #expect(behind.origin == 100 + min(count, 4))
    }
  }

  @Test(arguments: [(3, 3, false), (3, 5, true), (3, 2, false), (0, 0, false), (0, 1, true), (3, -1, false)])
  func `are never more than were sent`(kept: Int, length: Int, isCut: Bool) {
    [UInt8](repeating: 7, count: kept).withOctets { span in
      let octets = CapturedOctets(span, length: length, origin: 0)
      #expect(octets.isCut == isCut)
      #expect(octets.length == max(length, 0))
      #expect(octets.octets.count == min(kept, max(length, 0)))
    }
  }
}
