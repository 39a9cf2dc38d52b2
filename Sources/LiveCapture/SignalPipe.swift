#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Signals as octets of a pipe: so one wait is enough for everything that can happen.
public enum SignalPipe {
  /// Something that the system tells.
  public enum Signal: Sendable {
    /// The program is to end: SIGINT, SIGTERM or SIGHUP.
    case stop
    /// The terminal has another size.
    case windowChanged
  }

  private static let ends = {
    var ends = ContiguousArray<Int32>([-1, -1])
    _ = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (read: ends[0], write: ends[1])
  }()

  private static let stops = [SIGINT, SIGTERM, SIGHUP]

  /// Takes signals from now on.
  /// - Returns: What to wait for; nil if there is no pipe to be had.
  public static func open() -> Int32? {
    guard ends.write >= 0 else { return nil }
    // Who starts this program may have blocked them for himself.
    var own = sigset_t()
    _ = unsafe sigemptyset(&own)
    for number in stops + [SIGWINCH] {
      signal(number, handler)
      _ = unsafe sigaddset(&own, number)
    }
    _ = unsafe sigprocmask(SIG_UNBLOCK, &own, nil)
    return ends.read
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    let code = errno
    var octet = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(SignalPipe.ends.write, &octet, 1)
    errno = code
  }

  /// What has come. A second signal to stop is the system's to carry out.
  public static func take() -> [Signal] {
    var octets = ContiguousArray<UInt8>(repeating: 0, count: 64)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe read(ends.read, $0.baseAddress, $0.count) }
    return octets.prefix(max(0, count)).map { octet in
      guard stops.contains(Int32(octet)) else { return .windowChanged }
      for number in stops { signal(number, SIG_DFL) }
      return .stop
    }
  }
}
