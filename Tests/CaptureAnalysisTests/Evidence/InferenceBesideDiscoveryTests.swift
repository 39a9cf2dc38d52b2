import TestSupport
import Testing

@testable import CaptureAnalysis

/// What a discovery tells of values before it and behind, and where it is of another time.
@Suite struct `Inference beside discovery` {
  @Test func `discovered later, known from the beginning`() throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 3, strap)
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected()
    host.discoverHeartRate()
    host.stream(seconds: 3, strap)
    #expect(try InferredCapture(host).measurements == [16: 6])
  }

  /// A peripheral's own log: what its phones have kept from earlier is told by what another phone discovers.
  @Test func `discovered later, on the sensor's side`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.sent(hex("1b 10 00 00 46"))
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected(peer: 2, isPeripheral: true)
    host.sent(hex("1b 10 00 00 47"))
    host.received(hex("08 0e 00 13 00 03 28"))
    host.sent(hex("09 07 0f 00 10 10 00 37 2a"))
    host.sent(hex("1b 10 00 00 48"))
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 3])
    #expect(capture.conclusions.inferences.isEmpty)
  }

  /// A phone that reads the name by its type knows one attribute, and not the others.
  @Test func `discovered later, where single attributes were known before`() throws {
    var host = HostSide()
    func readName() {
      host.sent(hex("08 01 00 ff ff 00 2a"))
      host.received(hex("09 05 03 00 41 42 43"))
    }
    host.connected()
    readName()
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 71])
    host.disconnected()
    host.wait(milliseconds: 3000)
    // The name is read before it is reported whose connection it is.
    host.sent(on: 0x41, hex("08 01 00 ff ff 00 2a"))
    host.received(on: 0x41, hex("09 05 03 00 41 42 43"))
    host.connected(0x41)
    host.notified(on: 0x41, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 3])
  }

  /// The first discovery behind the values tells what they are, and a connection's own more than any other.
  @Test func `a table that changes later changes nothing before`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.notified(attribute: 42, hex("00 46"))
    host.discoverHeartRate()
    host.notified([0x00, 71])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate(first: 40)
    host.notified(attribute: 42, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 2, 42: 1])
  }

  /// The same handle is a battery's on the second connection, and a heart rate's on the third.
  @Test func `what is something else in the table behind it stays so`() throws {
    var host = HostSide()
    host.connected()
    host.notified([0x16, 0x48])
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.connected()
    host.notified([0x16, 0x48])
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 19 2a"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x06, 71])
    #expect(try InferredCapture(host).measurements == [16: 1])
  }

  /// What came before Service Changed is a heart rate if it looks like one: most tables are what they were.
  @Test(arguments: [("55", 1), ("06 46", 2)])
  func `discovered after the table has changed`(value: String, count: Int) throws {
    for isSameConnection in [false, true] {
      var host = HostSide()
      host.connected()
      host.notified(hex(value))
      if !isSameConnection {
        host.disconnected()
        host.wait(milliseconds: 2000)
        host.connected()
      }
      host.received(hex("1d 0a 00 01 00 ff ff"))
      host.sent(hex("1e"))
      host.discoverHeartRate()
      host.notified([0x06, 71])
      #expect(try InferredCapture(host).measurements == [16: count])
    }
  }

  /// Values that contradict their flags say that they are no heart rates, which discovery knows better.
  @Test(arguments: ["16 46", ""]) func `discovered later, though all values before are broken`(value: String) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 12) { _ in hex(value) }
    host.discoverHeartRate()
    #expect(try InferredCapture(host).measurements == [16: 12])
  }

  /// Nobody says that the table has changed, but what came before does: its measurement is not where it was, and something
  /// else stood there.
  @Test(arguments: [false, true]) func `discovered later, in a table that has changed unseen`(isOther: Bool) throws {
    var host = HostSide()
    host.connected()
    for second in 0..<20 {
      if isOther { host.notified(attribute: 12, strap(second)) }
      host.notified([0x55, UInt8(second), 3, 4, 5])
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.discoverHeartRate()
    host.notified([0x06, 71])
    // Where nothing else has sent heart rates, these are what the table says, and broken.
    #expect(try InferredCapture(host).measurements == (isOther ? [12: 20, 16: 1] : [16: 21]))
  }

  @Test func `known from an earlier connection, before it is reported whose connection it is`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.notified(on: 0x41, [0x00, 71])
    host.connected(0x41)
    host.notified(on: 0x41, [0x00, 72])
    #expect(try InferredCapture(host).measurements == [16: 3])
  }

  /// What an earlier connection has told of a handle is of another time, if its service has turned into one of heart rates
  /// by now, and what comes from there cannot be that.
  @Test(arguments: ["19 2a", "38 2a"]) func `in a service that was another one's`(earlier: String) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 12 10 00") + hex(earlier))
    host.disconnected()
    host.wait(milliseconds: 3000)
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  /// What says that it is something else: a discovery on the same connection or the next, or one of the measurement itself.
  enum Denial: CaseIterable { case sameConnection, nextConnection, measurementElsewhere }

  @Test(arguments: Denial.allCases)
  func `not where discovery says that it is something else`(denial: Denial) throws {
    var host = HostSide()
    host.connected()
    host.stream(seconds: 20, strap)
    if denial == .nextConnection {
      host.disconnected()
      host.wait(milliseconds: 3000)
      host.connected()
    }
    if denial == .measurementElsewhere {
      host.discoverHeartRate(first: 40)
    } else {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 15 0f 00 10 10 00") + Array(repeating: 0xA5, count: 16))
    }
    let capture = try InferredCapture(host)
    #expect(capture.measurements.isEmpty)
    #expect(!capture.events.contains { if case .inferred(let one) = $0.content { one.isTaken } else { false } })
  }
}
