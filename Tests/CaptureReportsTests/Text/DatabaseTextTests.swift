import CaptureReports
import Testing
import TestSupport

/// What a tree says of services whose type is not known.
@Suite struct `Databases in text` {
  private static let unclear = "unknown type   perhaps several services"

  /// Its type takes 128 bits, which an include leaves out; its handles are told.
  @Test func `a service that another includes is one`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("08 0e 00 13 00 02 28"))
    host.received(hex("09 06 0f 00 20 00 25 00"))
    let text = Reporting.databases([try Reporting.summary("included", host.file())])
    #expect(text.contains("0x0020–0x0025") && !text.contains(Self.unclear))
  }

  @Test func `characteristics in no service may be of several`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
    #expect(Reporting.databases([try Reporting.summary("alone", host.file())]).contains(Self.unclear))
  }

  /// A descriptor was discovered, and no characteristic: to which it belongs nobody knows.
  @Test(arguments: [true, false]) func `what was discovered by itself is told`(isInService: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex(isInService ? "11 06 0e 00 13 00 0d 18" : "11 06 0e 00 10 00 0d 18"))
    host.sent(hex("04 11 00 13 00"))
    host.received(hex("05 01 11 00 02 29"))
    let text = Reporting.databases([try Reporting.summary("alone", host.file())], width: 200)
    let line = "0x0011   2902   Client Characteristic Configuration   its characteristic is not known"
    #expect(text.contains("\n\(isInService ? "    " : "  ")\(line)\n"), "\(text)")
  }

  /// As much of the damage in a file as people read; that there is more is said where there is.
  @Test(arguments: [24, 25]) func `damage is told at its end`(count: Int) throws {
    let records = Array(repeating: BTSnoopBuilder.record([4, 0x0F, 0]), count: 10).flatMap(\.self)
    let damage = [UInt8](repeating: 0xFF, count: 40)
    let octets = BTSnoopBuilder.header() + (0..<count).flatMap { _ in records + damage } + records
    let text = Reporting.databases([try Reporting.summary("damaged", octets)], width: 200)
    #expect(text.ranges(of: "octets-skipped").count == 24)
    #expect(text.hasSuffix("all of them: analyze --format json\n") == (count == 25))
  }
}
