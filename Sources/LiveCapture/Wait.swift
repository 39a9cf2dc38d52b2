#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Readiness {
  /// Waits for the readiness of a source, for other descriptors to be readable, for whoever reads a pipe to go away, or
  /// until some time has passed.
  /// - Parameter pipe: The end that is written to; nil if there is none.
  /// - Returns: Whether the source is ready, which of the descriptors are, and whether nobody reads the pipe any more.
  public static func wait(
    for source: Readiness, or descriptors: [Int32], orEndOf pipe: Int32? = nil, atMost limit: Duration?
  ) -> (source: Bool, descriptors: [Int32], isPipeOver: Bool) {
    var states = ContiguousArray(descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
    var limit = limit
    switch source {
    case .readable(let descriptor): states.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    case .writable(let descriptor): states.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
    case .after(let pause): limit = min(limit ?? pause, pause)
    }
    let needsOnlyTime = states.count == descriptors.count
    // The end of a pipe comes unasked. Only who asks for nothing at all is told nothing, by some systems.
    if let pipe { states.append(pollfd(fd: pipe, events: Int16(POLLHUP), revents: 0)) }
    let result = unsafe states.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), limit.map(milliseconds) ?? -1)
    }
    guard result >= 0 else { return (false, [], false) }
    let ready = descriptors.indices.filter { states[$0].revents != 0 }.map { descriptors[$0] }
    // A source that only needs time is asked whenever there is some.
    let isSourceReady = needsOnlyTime || states[descriptors.count].revents != 0
    return (isSourceReady, ready, pipe != nil && states[states.count - 1].revents != 0)
  }

  /// Rounded up: who is woken too early has to wait again.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard seconds >= 0, !overflow else { return seconds < 0 ? 0 : .max }
    return Int32(clamping: whole.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000).0)
  }
}
