import CaptureFiles
import Testing
import TestSupport

/// What the text report says of notifications that are switched off, or seem to be.
@Suite struct `Notifications that are switched off` {
  private func text(_ host: HostSide) throws -> String {
    Reporting.analysis([try Reporting.summary("off", host.file())], width: 200)
  }

  /// What was meant is on, and what was written says nothing: it is neither on nor switched off.
  @Test(arguments: [([0, 1], "00 01 where 01 00 was meant"), ([0, 3], "00 03 where 03 00 was meant")])
  func `were never on where the octets are swapped`(octets: [UInt8], words: String) throws {
    var host = HostSide.discovered
    host.write(attribute: 17, octets)
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    let text = try text(host)
    #expect(
      text.contains(
        "The measurement's configuration (0x0011) is written with swapped octets, \(words): that switches nothing on (#"
      ))
    #expect(text.contains("   never subscribed   discovered\n"), "\(text)")
  }

  @Test(arguments: [[1, 1], [0, 0x80], [0, 5]] as [[UInt8]])
  func `may have reserved bits that are no swapped octets`(octets: [UInt8]) throws {
    var host = HostSide.discovered
    host.write(attribute: 17, octets)
    let text = try text(host)
    #expect(text.contains(", which has reserved bits"))
    #expect(!text.contains("swapped"))
  }

  /// Whoever has a bond may have had them on before.
  @Test func `are so where they may have been on`() throws {
    var host = HostSide.discovered
    host.write(attribute: 17, [0, 0])
    #expect(try !text(host).contains("switched off"))
    var bonded = HostSide.discovered
    bonded.event(0x08, hex("00 40 00 01"))
    bonded.write(attribute: 17, [0, 0])
    #expect(try text(bonded).contains("   switched off #"))
    var swapped = HostSide.discovered
    swapped.write(attribute: 17, [1, 0])
    swapped.write(attribute: 17, [0, 1])
    #expect(try text(swapped).contains("   switched off #"))
  }
}
