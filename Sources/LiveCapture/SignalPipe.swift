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
    /// The program is to stop until it is told to go on: the terminal is to be given back before `suspend`.
    case suspend
    /// It goes on: while it was stopped, others had the terminal.
    case resumed
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
  /// - Parameter holdsTerminal: Whether there is a terminal to give back before the program is stopped. Without one, the
  ///   system stops it, at once and wherever it is.
  /// - Returns: What to wait for; nil if there is no pipe to be had.
  public static func open(holdsTerminal: Bool) -> Int32? {
    guard ends.write >= 0 else { return nil }
    // Who starts this program may have blocked them for himself.
    var own = sigset_t()
    _ = unsafe sigemptyset(&own)
    for number in stops + [SIGWINCH] + (holdsTerminal ? [SIGTSTP, SIGCONT] : []) {
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
      switch Int32(octet) {
      case SIGWINCH: return .windowChanged
      case SIGTSTP: return .suspend
      case SIGCONT: return .resumed
      default:
        for number in stops { signal(number, SIG_DFL) }
        return .stop
      }
    }
  }

  /// Stops this program, or all of its job, as the system does at control-Z, until it is told to go on. Where nobody could
  /// tell it that, the system stops nothing.
  public static func suspend(wholeJob: Bool) {
    signal(SIGTSTP, SIG_DFL)
    kill(wholeJob ? 0 : getpid(), SIGTSTP)
    signal(SIGTSTP, handler)
  }
}
