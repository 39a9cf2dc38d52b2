#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Someone who listens on a port of this computer, and sends what he is given to whoever connects.
package final class LoopbackListener {
  private var socket: Int32
  private var client: Int32 = -1
  /// The port.
  package private(set) var port: UInt16 = 0

  /// Begins to listen.
  /// - Parameter port: 0: any that is free.
  /// - Throws: `Refused` if the port cannot be had.
  package init(port: UInt16 = 0) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    socket = systemSocket(AF_INET, stream, 0)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
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
    guard result == 0, listen(socket, 1) == 0 else { throw Refused() }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// A port that somebody else has.
  package struct Refused: Error {}

  deinit {
    hangUp()
    close()
  }

  /// Accepts whoever connects within a time.
  /// - Returns: Whether anybody did.
  package func accept(within milliseconds: Int32 = 20_000) -> Bool {
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&state, 1, milliseconds) == 1 else { return false }
    client = systemAccept(socket)
    return client >= 0
  }

  /// Sends octets to who has connected. Who has hung up meanwhile ends no test.
  package func send(_ octets: [UInt8]) {
    unsafe octets.withUnsafeBytes { unsafe systemSend(client, $0) }
  }

  /// Ends the connection.
  package func hangUp() {
    if client >= 0 { systemClose(client) }
    client = -1
  }

  /// Listens no more.
  package func close() {
    if socket >= 0 { systemClose(socket) }
    socket = -1
  }
}

// Within the type, the system's names mean the methods.
private func systemSocket(_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
  socket(family, type, `protocol`)
}
private func systemClose(_ descriptor: Int32) { close(descriptor) }
private func systemSend(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) {
  #if canImport(Darwin)
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    let flags: Int32 = 0
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  _ = unsafe send(descriptor, octets.baseAddress, octets.count, flags)
}
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
