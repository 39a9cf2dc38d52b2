#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Readiness {
  /// Waits for the readiness of a source, for other descriptors to be readable, or until some time has passed.
  /// - Returns: Whether the source is ready, and which of the descriptors are.
  public static func wait(
    for source: Readiness, or descriptors: [Int32], atMost limit: Duration?
  ) -> (source: Bool, descriptors: [Int32]) {
    var states = ContiguousArray(descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
    var limit = limit
    switch source {
    case .readable(let descriptor): states.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    case .writable(let descriptor): states.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
    case .after(let pause): limit = min(limit ?? pause, pause)
    }
    let result = unsafe states.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), limit.map(milliseconds) ?? -1)
    }
    guard result >= 0 else { return (false, []) }
    let ready = descriptors.indices.filter { states[$0].revents != 0 }.map { descriptors[$0] }
    // A source that only needs time is asked whenever there is some.
    return (states.count == descriptors.count || states[descriptors.count].revents != 0, ready)
  }

  /// Rounded up: who is woken too early has to wait again.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard seconds >= 0, !overflow else { return seconds < 0 ? 0 : .max }
    return Int32(clamping: whole.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000).0)
  }
}
