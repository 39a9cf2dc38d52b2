import TestSupport
import Testing

@testable import CaptureAnalysis

/// Several attributes of one server whose values may be heart rates: one of them is, at most.
@Suite struct `Rivals for the heart rate` {
  /// A sensor that advertises heart rates, of whose table nothing is told, and what its attributes send each second.
  private static func host(
    advertises: Bool = true, before: [([UInt8], [UInt8])] = [], _ streams: [(handle: UInt16, value: (Int) -> [UInt8])]
  ) -> HostSide {
    var host = HostSide()
    if advertises { host.event(0x3E, hex("02 01 00 01 01 11 22 33 44 c5 07 02 01 06 03 03 0d 18 c4")) }
    host.connected()
    for (request, answer) in before {
      host.sent(request)
      host.received(answer)
    }
    for stream in streams { host.write(attribute: stream.handle + 1, [1, 0]) }
    for second in 0..<20 {
      for stream in streams {
        host.wait(milliseconds: 1000 / Int64(streams.count))
        host.notified(attribute: stream.handle, stream.value(second))
      }
    }
    host.disconnected(reason: 0x16)
    return host
  }

  /// A level of a vendor's between 80 and 90, behind an octet that looks like flags.
  private static func level(_ flags: UInt8) -> (Int) -> [UInt8] {
    { [flags, UInt8(85 + [0, 1, 2, 1, 0, -1][$0 % 6])] }
  }

  /// A rate, without anything else.
  private static func plain(_ flags: UInt8) -> (Int) -> [UInt8] {
    { [flags, UInt8(70 + [0, 1, 2, 3, 2, 1, 0, -1][$0 % 8])] }
  }

  @Test(arguments: [(12, 18), (18, 12)] as [(UInt16, UInt16)], [0x00, 0x06] as [UInt8])
  func `whose RR-Intervals fit is the one`(handles: (strap: UInt16, level: UInt16), flags: UInt8) throws {
    let capture = try InferredCapture(Self.host([(handles.strap, strap), (handles.level, Self.level(flags))]))
    #expect(capture.measurements == [handles.strap: 20])
    #expect((capture.confidence(of: handles.level) ?? 0) < 0.5)
  }

  /// Neither has RR-Intervals.
  @Test func `that have as little for them are candidates, both`() throws {
    for flags in [(0x00, 0x06), (0x06, 0x06), (0x06, 0x00)] as [(UInt8, UInt8)] {
      let capture = try InferredCapture(Self.host([(12, Self.plain(flags.0)), (18, Self.level(flags.1))]))
      #expect(capture.measurements.isEmpty, "\(flags)")
      #expect([12, 18].allSatisfy { (0.1..<0.9).contains(capture.confidence(of: $0) ?? 0) }, "\(flags)")
    }
  }

  /// Where a sensor is worn, it tells beside its measurement, and nowhere else.
  @Test(arguments: [nil, 14, 20] as [UInt8?]) func `without a location are none beside one that has it`(
    location: UInt8?
  ) throws {
    let read: [([UInt8], [UInt8])] = location.map { [([0x0A, $0, 0x00], [0x0B, 0x01])] } ?? []
    let capture = try InferredCapture(Self.host(before: read, [(12, Self.plain(0x06)), (18, Self.level(0x06))]))
    let handle = location.map { UInt16($0) - 2 }
    #expect(capture.measurements == (handle.map { [$0: 20] } ?? [:]))
  }

  /// A control point may answer so.
  @Test(arguments: [0, 10, 19]) func `that send a value or two contest nothing`(place: Int) throws {
    var host = Self.host([])
    host.connected()
    for attribute in [13, 19] as [UInt16] { host.write(attribute: attribute, [1, 0]) }
    for second in 0..<20 {
      host.wait(milliseconds: 990)
      host.notified(attribute: 12, Self.plain(0x06)(second))
      if second == place { host.notified(attribute: 18, [0x02, 0x64]) }
    }
    #expect(try InferredCapture(host).measurements == [12: 20])
  }

  /// Of a log that cuts what is longer, a few values are whole.
  @Test(arguments: [0, 1, 3, 4, 5]) func `count their intervals, a few of which are kept`(whole: Int) throws {
    var host = Self.host([])
    host.connected()
    for attribute in [13, 19] as [UInt16] { host.write(attribute: attribute, [1, 0]) }
    for second in 0..<30 {
      host.wait(milliseconds: 500)
      host.notified(attribute: 12, strap(second))
      if second >= whole { host.cutLast(to: 14) }
      host.wait(milliseconds: 490)
      host.notified(attribute: 18, Self.level(0x06)(second))
    }
    #expect(try InferredCapture(host).measurements == [12: 30])
  }

  /// On the table, a strap says only that nobody wears it.
  @Test func `that are not worn are told`() throws {
    var host = HostSide()
    let name = hex("0a 09 50 6f 6c 61 72 20 48 31 30")
    host.event(0x3E, hex("02 01 00 01 01 11 22 33 44 c5 12 02 01 06 03 03 0d 18") + name + [0xC4])
    host.connected()
    host.write(attribute: 17, [1, 0])
    for _ in 0..<20 {
      host.wait(milliseconds: 990)
      host.notified([0x04, 0])
    }
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  @Test func `stand aside for one alone`() throws {
    #expect(try InferredCapture(Self.host([(12, Self.plain(0x06))])).measurements == [12: 20])
  }

  /// Find By Type Value tells the service, and nothing of what is in it.
  private static func service(_ end: UInt8) -> [([UInt8], [UInt8])] {
    [(hex("06 01 00 ff ff 00 28 0d 18"), [0x07, 0x0A, 0x00, end, 0x00])]
  }

  @Test func `outside of the service are none`() throws {
    let both = Self.host(before: Self.service(15), [(12, strap), (18, Self.level(0x06))])
    #expect(try InferredCapture(both).measurements == [12: 20])
    let alone = Self.host(advertises: false, before: Self.service(15), [(18, Self.level(0x06))])
    #expect(try InferredCapture(alone).measurements.isEmpty)
    let inside = Self.host(advertises: false, before: Self.service(20), [(18, Self.plain(0x06))])
    #expect(try InferredCapture(inside).measurements == [18: 20])
  }

  @Test func `in the service beside the measurement are none`() throws {
    let host = Self.host(advertises: false, before: Self.service(18), [(12, strap), (17, Self.level(0x00))])
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [12: 20])
    let evidence = capture.conclusions.inferences.flatMap(\.inference.evidence)
    #expect(!evidence.contains { $0.contains("in which nothing else notifies") })
  }

  /// PLX Continuous Measurement: flags, SpO2 and a pulse rate as SFLOATs, and more.
  @Test(arguments: [1000, 11]) func `that contradict their own intervals are none`(kept: Int) throws {
    let oximeter: (Int) -> [UInt8] = { [0x1E, UInt8(96 + $0 % 3), 0, 0x44, 0, 0x61, 0, 0x45, 0, 0x60, 0, 0x44, 0] }
    let capture = try InferredCapture(Self.host([(18, { Array(oximeter($0).prefix(kept)) })]))
    #expect(capture.measurements.isEmpty)
  }

  @Test func `without a rate are none`() throws {
    let power: (Int) -> [UInt8] = { [0x14, 0x00, UInt8(150 + $0 % 8), 0, UInt8($0 * 7 & 0xFF), 2, UInt8($0), 4] }
    #expect(try InferredCapture(Self.host([(18, power)])).measurements.isEmpty)
  }
}
