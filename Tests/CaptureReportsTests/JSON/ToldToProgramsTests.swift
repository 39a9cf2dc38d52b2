import CaptureReports
import TestSupport
import Testing

/// What the text tells, programs are told, too.
@Suite struct `Programs are told` {
  private func json(_ octets: [UInt8]) throws -> String {
    Reporting.analysis([try Reporting.summary("capture", octets, listsMeasurements: false)], as: .json)
  }

  @Test func `of sensors that were not connected`() throws {
    var host = HostSide()
    let data = hex("02 01 06 03 03 0d 18 05 09") + Array("HRM1".utf8) + hex("05 ff 6b 00 01 02")
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(5) + [UInt8(data.count)] + data + [0xC4])
    let sensor =
      #"{"address": "C5:44:33:22:11:05", "address_type": "random", "name": "HRM1", "company": "Polar Electro OY", "#
      + #""rssi_dbm": -60}"#
    let advertised = try json(host.file())
    #expect(advertised.contains("\"unconnected_sensors\": [\n        \(sensor)\n      ],"), "\(advertised)")
    host.connected(peer: 5)
    #expect(try json(host.file()).contains(#""unconnected_sensors": [],"#))
  }

  /// Samples/README.md tells how they were opened.
  @Test func `of enhanced bearers`() throws {
    let bearers = #""enhanced_bearers": {"count": 2, "att_mtu": {"min": 185, "max": 185}},"#
    #expect(try json(Sample.named("eatt.btsnoop").octets).contains(bearers))
    #expect(try !json(Sample.named("polar-h7.btsnoop").octets).contains("enhanced_bearers"))
  }

  @Test func `when measurements were switched on, off and on again`() throws {
    var host = HostSide()
    host.subscribe()
    host.measured(5)
    let on = host.packets.count - 5
    #expect(try json(host.file()).contains(#""subscribed": {"frame": \#(on), "time": "#))
    #expect(try !json(host.file()).contains("switched_off"))
    host.write(attribute: 17, [0, 0])
    let off = #""switched_off": {"count": 1, "first": {"frame": \#(host.packets.count), "time": "#
    #expect(try json(host.file()).contains(off))
    #expect(try json(host.file()).contains(#""again": null},"#))
    host.write(attribute: 17, [1, 0])
    #expect(try json(host.file()).contains(off))
    #expect(try json(host.file()).contains(#""again": {"frame": \#(host.packets.count), "time": "#))
  }

  /// The declarations are those of HostSide: notify, and read.
  @Test func `what a characteristic can, in a timeline`() throws {
    let lines = try Reporting.timeline("capture", HostSide.discovered.file(), kinds: ["characteristic"], as: .ndjson)
    #expect(
      lines.contains(
        #""uuid": "2A37", "name": "Heart Rate Measurement", "declaration": 15, "handle": 16, "properties": ["notify"]"#)
    )
    #expect(
      lines.contains(
        #""uuid": "2A38", "name": "Body Sensor Location", "declaration": 18, "handle": 19, "properties": ["read"]"#))
  }
}
