import CaptureSources

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A TCP connection to a program that sends a capture, such as Android's Bluetooth stack. When it breaks, it is made
/// again, as often as need be.
@safe final class SnoopConnection: LiveSource {
  private let addresses: ContiguousArray<Address>
  private var state = State.waiting
  /// The next address to be tried.
  private var place = 0
  /// How long is waited before the next attempt.
  private var pause = SnoopConnection.firstPause
  /// Whether it was ever connected.
  private var hasBegun = false
  private var until = ContinuousClock.now
  /// When it was connected last.
  private var since = ContinuousClock.now

  private static let firstPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(15)
  /// What has lasted so long was a connection, and no misunderstanding: the next one may follow at once.
  private static let steadyAfter = Duration.seconds(3)

  private enum State {
    /// For the moment at which the next attempt is due.
    case waiting
    case connecting(Descriptor)
    case connected(Descriptor)
  }

  init(_ place: HostAndPort) throws(SourceError) {
    addresses = try Self.resolve(place)
  }

  var readiness: Readiness {
    switch state {
    case .waiting: .after(max(.zero, until - .now))
    case .connecting(let socket): .writable(socket.number)
    case .connected(let socket): .readable(socket.number)
    }
  }

  var isHere: Bool { if case .connected = state { true } else { false } }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> LiveStep {
    switch state {
    case .waiting:
      guard ContinuousClock.now >= until else { return .nothing }
      return try begin()
    case .connecting(let socket):
      let code = Self.error(of: socket)
      guard code == 0 else { return try failed(code) }
      (state, since) = (.connected(socket), .now)
      defer { hasBegun = true }
      return hasBegun ? .anew(isGap: true, "connected again") : .nothing
    case .connected(let socket):
      let count: Int?
      do throws(SourceError) { count = unsafe try socket.read(into: space) } catch { count = 0 }
      guard let count else { return .nothing }
      guard count > 0 else {
        if since + Self.steadyAfter < .now { pause = Self.firstPause }
        wait()
        return .said("the connection has ended: trying again until it is back")
      }
      return .octets(count)
    }
  }

  private func begin() throws(SourceError) -> LiveStep {
    let address = addresses[place % addresses.count]
    let socket = try Descriptor(Self.systemSocket(address), or: "there is no socket")
    socket.neverWait()
    var on: Int32 = 1
    _ = unsafe setsockopt(socket.number, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
    let result = unsafe address.octets.withUnsafeBytes { octets in
      unsafe connect(
        socket.number, octets.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(octets.count))
    }
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else { return try failed(errno) }
    state = .connecting(socket)
    return .nothing
  }

  /// An attempt has failed: the first that does may be a mistake of the user's.
  private func failed(_ code: Int32) throws(SourceError) -> LiveStep {
    place += 1
    if hasBegun {
      wait()
      return .nothing
    }
    guard place < addresses.count else {
      throw SourceError(
        "cannot be connected to: \(SourceError.words(code)). For an Android device, forward its port first:  "
          + "adb forward tcp:8872 tcp:8872")
    }
    (state, until) = (.waiting, .now)
    return .nothing
  }

  private func wait() {
    state = .waiting
    until = .now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  private static func error(of socket: Descriptor) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
  }
}

// MARK: - Addresses

extension SnoopConnection {
  /// An address, as the system keeps it.
  private struct Address {
    let family: Int32
    let octets: ContiguousArray<UInt8>
  }

  private static func systemSocket(_ address: Address) -> Int32 {
    socket(address.family, stream, 0)
  }

  private static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func resolve(_ place: HostAndPort) throws(SourceError) -> ContiguousArray<Address> {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(place.host, "\(place.port)", &hints, &list)
    guard code == 0 else { throw SourceError("there is no such host: \(unsafe String(cString: gai_strerror(code)))") }
    defer { unsafe freeaddrinfo(list) }
    var addresses = ContiguousArray<Address>()
    var next = unsafe list
    while let info = unsafe next?.pointee {
      let octets = unsafe UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
      unsafe addresses.append(Address(family: info.ai_family, octets: ContiguousArray(octets)))
      unsafe next = info.ai_next
    }
    guard !addresses.isEmpty else { throw SourceError("there is no such host") }
    return addresses
  }
}
