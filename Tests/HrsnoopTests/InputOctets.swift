import CaptureFiles
import TestSupport

/// What the program is given in tests: captures, and what is none, as octets.
enum InputOctets {
  /// A classic pcap of another kind of link.
  static func pcap(linkType: UInt32) -> [UInt8] {
    let builder = PCAPBuilder(linkType: linkType)
    return builder.header + builder.record(Array(repeating: 0x55, count: 60))
  }

  /// A pcapng whose only interface is of another kind of link.
  static func pcapng(linkType: UInt16) -> [UInt8] {
    let builder = PCAPNGBuilder()
    return builder.section + builder.interface(linkType: linkType)
      + builder.enhanced(Array(repeating: 0x55, count: 60))
  }

  /// An event trace log of Windows, as far as its headers.
  static var eventTraceLog: [UInt8] {
    var octets = Array(repeating: 0 as UInt8, count: 0x1000)
    for place in [0x00, 0x68] { octets.replaceSubrange(place..<place + 4, with: UInt32(0x1_0000).little) }
    octets.replaceSubrange(4..<8, with: UInt32(0x0F00).little)
    octets.replaceSubrange(0x48..<0x4C, with: [0x02, 0x00, 0x02, 0xC0])
    return octets
  }

  /// What becomes of a capture in the hands of a program that takes it for text.
  static func savedAsText(_ octets: [UInt8]) -> [UInt8] { Array(String(decoding: octets, as: UTF8.self).utf8) }

  /// The same where what is no text is left out.
  static func savedAsBareText(_ octets: [UInt8]) -> [UInt8] {
    Array(
      String(decoding: octets, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FFFD}" }.map { String($0) }.joined()
        .utf8)
  }

  /// A file that was taken for text in Latin-1, and saved in UTF-8.
  static func savedAsLatin1(_ octets: [UInt8]) -> [UInt8] {
    Array(String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })).utf8)
  }

  /// What a Frontline program may write: its name among other octets.
  static var frontline: [UInt8] {
    [0x01, 0x00, 0x00, 0x00, 0x2A, 0x00] + "ComProbe Protocol Analysis System".utf16.flatMap { $0.little }
      + Array(repeating: 0, count: 200)
  }

  /// A bug report of a phone that has logged nothing.
  static let emptyBugReport = Array(
    """
    ========================================================
    == dumpstate: 2026-03-14 09:00:00
    ========================================================
    --- BEGIN:BTSNOOP_LOG_SUMMARY (0 bytes in) ---
    --- END:BTSNOOP_LOG_SUMMARY ---

    """.utf8)

  /// A connection with as many measurements as asked for, one a second.
  static func measurements(_ count: Int) -> [UInt8] {
    var host = HostSide()
    host.subscribe()
    for index in 0..<count {
      host.notified([0x16, UInt8(60 + index % 40), 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    return host.file()
  }

  /// A sensor that advertises a name, and tells it as its device name and maker when it is asked.
  static func sensor(named name: [UInt8]) -> [UInt8] {
    var host = HostSide()
    let data = [2, 0x01, 0x06, 3, 0x03, 0x0D, 0x18, UInt8(name.count + 1), 0x09] + name
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC4])
    host.connected()
    host.sent([0x08] + hex("01 00 ff ff 03 28"))
    host.received([0x09, 0x07] + hex("02 00 02 03 00 00 2a") + hex("20 00 02 21 00 29 2a"))
    host.sent([0x0A, 0x03, 0x00])
    host.received([0x0B] + name)
    host.sent([0x0A, 0x21, 0x00])
    host.received([0x0B] + name)
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.notified([0x06, 72])
    host.disconnected()
    return host.file()
  }
}
