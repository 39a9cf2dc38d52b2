#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What keeps octets from being written is told by `write`, and no signal ends the program for it: that the reader of a pipe
/// has gone away, or that a file may not become longer.
func ignoreWriteSignals() {
  for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
}

/// Writes octets until none are left, or something but a signal keeps it from that.
/// - Parameter left: The octets; those that have been written are taken away.
/// - Returns: What keeps it from that, as `errno` has it; 0 if nothing does.
func systemWrite(_ left: inout Slice<UnsafeRawBufferPointer>, to descriptor: Int32) -> Int32 {
  while unsafe !left.isEmpty {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: left)
    let count = unsafe write(descriptor, piece.baseAddress, piece.count)
    if count > 0 {
      unsafe left = left.dropFirst(count)
    } else if count == 0 {
      return EIO
    } else if errno == EAGAIN {
      waitForRoom(in: descriptor)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Who shares a pipe or a terminal may have let its calls not wait.
private func waitForRoom(in descriptor: Int32) {
  var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  _ = unsafe poll(&state, 1, -1)
}
