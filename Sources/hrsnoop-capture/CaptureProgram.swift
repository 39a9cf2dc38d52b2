#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// `hrsnoop-capture --interface NAME`: what a Bluetooth interface captures, as pcapng on standard output.
///
/// It is the one program that needs a right (CAP_NET_RAW), and so it does as little as can be: it looks into no packet.
/// It ends when nobody reads any more, or at SIGINT, SIGTERM or SIGHUP; its exit status tells why it could not begin.
@main enum CaptureProgram {
  /// What `hrsnoop live` captures where nothing else is asked for.
  private static let usualInterface = "bluetooth-monitor"
  /// Signals write into this pipe, and so end the wait for packets.
  private static let signals = {
    var ends = ContiguousArray<Int32>([-1, -1])
    _ = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
    return (read: ends[0], write: ends[1])
  }()

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = interface(arguments) else {
      end(.usage, "usage: hrsnoop-capture [--interface bluetooth-monitor|bluetoothN]")
    }
    let wakeUp = signals.write
    guard wakeUp >= 0 else { end(.failed, "there are too many open files") }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in _ = unsafe write(CaptureProgram.signals.write, "!", 1) }
    }
    // A reader that has gone away, and a file that may not become longer, are told by `write`, not by a signal.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    do throws(CaptureFailure) {
      try run(CapturedInterface(name))
    } catch {
      end(error.status, error.sentence)
    }
  }

  private static func interface(_ arguments: [String]) -> String? {
    switch arguments.count {
    case 0: usualInterface
    case 2 where arguments[0] == "--interface": arguments[1]
    default: nil
    }
  }

  private static func run(_ interface: borrowing CapturedInterface) throws(CaptureFailure) {
    var stream = PacketStream(linkType: interface.linkType)
    while try stream.flush(), let isAlive = waitForPackets(interface.descriptor) {
      stream.note(drops: interface.drops)
      var count = 0
      while !stream.isFull, try interface.next(into: &stream) { count += 1 }
      if !isAlive, count == 0 { throw CaptureFailure(status: .failed, sentence: "the interface has gone away") }
    }
  }

  /// Waits for packets.
  /// - Returns: Whether the interface is still there; nil if there is nothing left to do, because a signal has come or
  ///   nobody reads what is written.
  private static func waitForPackets(_ descriptor: Int32) -> Bool? {
    var states = ContiguousArray([
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      pollfd(fd: signals.read, events: Int16(POLLIN), revents: 0),
    ])
    _ = unsafe states.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), -1) }
    guard states[1].revents == 0, states[2].revents == 0 else { return nil }
    return states[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }

  private static func end(_ status: CaptureFailure.Status, _ sentence: String) -> Never {
    var line = sentence + "\n"
    line.withUTF8 { octets in _ = unsafe write(STDERR_FILENO, octets.baseAddress, octets.count) }
    exit(status.rawValue)
  }
}

/// Why there is no capture.
struct CaptureFailure: Error {
  let status: Status
  let sentence: String

  /// The exit status, as sysexits.h numbers them: `hrsnoop live` tells by it what to do.
  enum Status: Int32 {
    /// The arguments are wrong.
    case usage = 64
    /// There is no such interface.
    case noInterface = 66
    /// There is no Bluetooth in this kernel.
    case noBluetooth = 69
    /// Anything else.
    case failed = 70
    /// The right is missing.
    case noPermission = 77
  }
}
