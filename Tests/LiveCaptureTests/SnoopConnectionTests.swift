#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CaptureSources
import LiveCapture
import Testing

/// Someone who listens on a port of this computer.
private final class Listener {
  private var socket: Int32
  private var client: Int32 = -1
  private(set) var port: UInt16 = 0

  init(port: UInt16 = 0) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var on: Int32 = 1
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let bound = unsafe bind(socket, address, length)
        _ = unsafe getsockname(socket, address, &length)
        return bound
      }
    }
    try #require(result == 0 && listen(socket, 1) == 0)
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close() }

  /// Accepts who connects, as he goes on trying.
  func accept(_ input: inout LiveInput) throws {
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let deadline = ContinuousClock.now + .seconds(20)
    while unsafe poll(&state, 1, 10) != 1 {
      try #require(ContinuousClock.now < deadline, "nobody connects")
      if Readiness.wait(for: input.readiness, or: [], atMost: .zero).source { _ = try input.fill() }
    }
    accept()
  }

  func accept() { client = Glibc.accept(socket, nil, nil) }

  func send(_ octets: [UInt8]) { _ = unsafe octets.withUnsafeBytes { unsafe write(client, $0.baseAddress, $0.count) } }

  func hangUp() {
    Glibc.close(client)
    client = -1
  }

  func close() {
    if socket >= 0 { Glibc.close(socket) }
    socket = -1
  }
}

@Suite(.serialized) struct `Ports that send a capture` {
  @Test(arguments: ["localhost", "127.0.0.1", "", "[::ffff:127.0.0.1]"])
  func `are read, and connected to again`(host: String) throws {
    let listener = try Listener()
    var input = try LiveInput.host("\(host):\(listener.port)")
    try listener.accept(&input)
    listener.send([1, 2, 3])
    #expect(try input.take(3) == [1, 2, 3])
    listener.send([4])
    listener.hangUp()
    #expect(try input.take(1) == [4])
    let ended = try input.sentence()
    #expect(!ended.isAnew && ended.text.contains("trying again"))
    let again = try input.sentence()
    #expect(again.isAnew && again.isGap && again.text.contains("connected again"))
    listener.accept()
    listener.send([5])
    #expect(try input.take(1) == [5])
  }

  /// The first attempt tells whether there is anybody; later ones do not give up.
  @Test func `have to be there at first`() throws {
    let listener = try Listener()
    let port = listener.port
    var input = try LiveInput.host("127.0.0.1:\(port)")
    try listener.accept(&input)
    listener.send([1])
    #expect(try input.take(1) == [1])
    listener.hangUp()
    listener.close()
    #expect(try input.sentence().text.contains("has ended"))
    #expect(throws: SourceError.self) {
      var late = try LiveInput.host("127.0.0.1:\(port)")
      _ = try late.step()
    }
    // Refused at first, then back.
    let waiting = ContinuousClock.now + .milliseconds(700)
    while ContinuousClock.now < waiting {
      if Readiness.wait(for: input.readiness, or: [], atMost: .milliseconds(50)).source { _ = try input.fill() }
    }
    let successor = try Listener(port: port)
    #expect(try input.sentence().isAnew)
    successor.accept()
    successor.send([2])
    #expect(try input.take(1) == [2])
  }

  @Test(arguments: ["", "localhost", "localhost:", "localhost:0", "localhost:70000", "no.such.host.invalid:80", ":"])
  func `have a name and a number`(place: String) {
    #expect(throws: SourceError.self) { try LiveInput.host(place) }
  }
}
