import BluetoothHost
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A bit of a discovery that the capture got wrong costs no measurement, and makes none.
@Suite struct `Damaged discovery` {
  /// The responses that tell of a heart rate service 14 to 19 behind another one, each with its request.
  private static let exchanges: [(request: String, response: String)] = [
    ("10 01 00 ff ff 00 28", "11 06 01 00 07 00 00 18 0e 00 13 00 0d 18"),
    ("08 01 00 07 00 03 28", "09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a"),
    ("08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"),
    ("04 11 00 11 00", "05 01 11 00 02 29"),
  ]

  /// - Parameter values: What is notified behind the discovery.
  private func host(
    _ responses: [[UInt8]], _ values: (inout HostSide) -> Void = { $0.stream(seconds: 20, strap) }
  ) -> HostSide {
    var host = HostSide()
    host.connected()
    for (exchange, response) in zip(Self.exchanges, responses) {
      host.sent(hex(exchange.request))
      host.received(response)
    }
    host.write(attribute: 17, [1, 0])
    values(&host)
    host.disconnected()
    return host
  }

  private var responses: [[UInt8]] { Self.exchanges.map { hex($0.response) } }

  @Test(arguments: exchanges.indices) func `any bit of a response`(exchange: Int) throws {
    for place in responses[exchange].indices {
      for bit in 0..<8 {
        var damaged = responses
        damaged[exchange][place] ^= 1 << bit
        #expect(try InferredCapture(host(damaged)).measurements == [16: 20], "octet \(place), bit \(bit)")
      }
    }
  }

  /// 2A37 as 128 bits, and every one of them.
  @Test func `any bit of a long type`() throws {
    let long = BluetoothUUID.heartRateMeasurement
    var type: [UInt8] = []
    long.encode(into: &type, length: 16)
    for bit in 0..<128 {
      var damaged = type
      damaged[bit / 8] ^= 1 << (bit % 8)
      var responses = responses
      responses[2] = hex("09 15 0f 00 10 10 00") + damaged
      #expect(try InferredCapture(host(responses)).measurements == [16: 20], "bit \(bit)")
    }
  }

  /// Each heart rate service has a measurement of its own: what the other one holds says nothing.
  @Test(arguments: [5, 7]) func `of one of two services`(octet: Int) throws {
    var responses = responses
    responses[2][octet] ^= 0x80
    let host = host(responses) { host in
      host.discoverHeartRate(first: 40)
      host.stream(seconds: 20, strap)
    }
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  @Test func `what is not believed is told`() throws {
    var responses = responses
    responses[2][5] ^= 0x80
    var evidence = try InferredCapture(host(responses)).conclusions.inferences.first?.inference.evidence
    #expect(evidence?.last == "the one that was told at 0x0090 is not right behind its declaration")
    responses = self.responses
    responses[2][7] ^= 0x08
    evidence = try InferredCapture(host(responses)).conclusions.inferences.first?.inference.evidence
    #expect(
      evidence?.last == "its service has to have a measurement, and its type was told as 2A3F, one bit from it")
  }

  /// A type that has lost more than a bit is hardly ever another one.
  @Test(arguments: ["00 37", "ff ff", "37 00", "00 00"])
  func `a type that is no characteristic's`(type: String) throws {
    var responses = responses
    responses[2] = hex("09 07 0f 00 10 10 00 \(type) 12 00 02 13 00 38 2a")
    let capture = try InferredCapture(host(responses))
    #expect(capture.measurements == [16: 20])
    let evidence = capture.conclusions.inferences.first?.inference.evidence.last
    #expect(evidence?.hasSuffix(", which is no characteristic's") == true, "\(evidence ?? "")")
  }

  @Test func `at once, where a capture cannot be read again`() throws {
    var knowledge = CaptureKnowledge()
    knowledge.concludesAtOnce = true
    var responses = responses
    responses[2][5] ^= 0x80
    var picture = LivePicture()
    for event in try InferredCapture(host(responses), knowledge).events { picture.note(event) }
    let connection = try #require(picture.connections.first)
    #expect(connection.measurementHandle == 16 && connection.inference?.handle == 16 && !connection.isDiscovered)
  }

  /// A server may leave out handles between a declaration and its value: then its values say so.
  @Test func `a value that is far from its declaration and comes is one, and the only one`() throws {
    var responses = responses
    responses[2] = hex("09 07 0f 00 10 90 00 37 2a")
    let host = host(responses) { host in
      for second in 0..<20 {
        host.notified(attribute: 0x92, strap(second))
        host.notified(attribute: 0x90, [0x00, 70])
        host.wait(milliseconds: 980)
      }
    }
    #expect(try InferredCapture(host).measurements == [0x90: 20])
  }

  @Test(arguments: [
    ("beside a measurement", "09 07 0f 00 10 10 00 36 2a 12 00 10 13 00 37 2a"),
    ("two bits away", "09 07 0f 00 10 10 00 34 2a"),
    ("no characteristic's, beside a measurement", "09 07 0f 00 10 10 00 f1 ff 12 00 10 13 00 37 2a"),
    ("of 128 bits", "09 15 0f 00 10 10 00 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff"),
  ])
  func `another type stays what it is`(_ what: String, declarations: String) throws {
    var responses = responses
    responses[2] = hex(declarations)
    #expect(try InferredCapture(host(responses)).measurements.isEmpty)
  }

  @Test func `another type in another service stays what it is`() throws {
    var responses = responses
    responses[0] = hex("11 06 01 00 07 00 00 18 0e 00 13 00 1d 18")
    responses[2] = hex("09 07 0f 00 10 10 00 36 2a")
    #expect(try InferredCapture(host(responses)).measurements.isEmpty)
  }
}
