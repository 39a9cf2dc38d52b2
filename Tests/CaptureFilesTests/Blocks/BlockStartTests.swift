@testable import CaptureFiles
import Octets
import Testing
import TestSupport

/// Behind damage, whether a block can begin is asked for every octet, and so in a quick way of its own.
@Suite struct `Where a block can begin` {
  @Test(arguments: Container.allCases)
  func `is the same asked quickly or thoroughly`(container: Container) throws {
    let sound = container.file(Traffic.notifications(6))
    let format = try #require(
      CaptureFormats.all.lazy.compactMap { try? $0.recognise(ContiguousArray(sound).span, isAll: true) }.first)
    var (can, cannot) = (0, 0)
    for change in [0x00, 0x01, 0x80, 0xFF] as [UInt8] {
      for place in stride(from: 16, to: sound.count, by: change == 0 ? sound.count : 1) {
        var file = ContiguousArray(sound)
        file[place] ^= change
        for index in 0...file.count {
          let isBlock = (try? format.extent(file.span, at: index)) != nil
          #expect(format.canBegin(file.span, at: index) == isBlock, "octet \(place) ^ \(change), at \(index)")
          if isBlock { can += 1 } else { cannot += 1 }
        }
      }
    }
    #expect(can > 6 && cannot > can)
  }
}
