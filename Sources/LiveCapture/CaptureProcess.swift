import CaptureSources

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The capture program, and the pipe through which it tells what it captures.
final class CaptureProcess: LiveSource {
  private let interface: String
  private let program: FilePath
  private let output: Descriptor
  private let errors: Descriptor
  /// nil when it has ended.
  private var process: pid_t?

  private static let name = "hrsnoop-capture"

  /// Starts it.
  init(interface: String, program: FilePath?) throws(SourceError) {
    self.interface = interface
    self.program = if let program { program } else { try Self.besideThisProgram() }
    let (output, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
    process = try Self.start(self.program, ["--interface", interface], output: output.write, errors: errors.write)
    (self.output, self.errors) = (output.read, errors.read)
    self.output.neverWait()
    self.output.widenPipe()
    self.errors.neverWait()
  }

  deinit {
    // It ends by itself when its pipe is closed, unless it is another program than it should be.
    if let process { kill(process, SIGTERM) }
  }

  var readiness: Readiness { .readable(output.number) }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> LiveStep {
    guard let count = unsafe try output.read(into: space) else { return .nothing }
    if count > 0 { return .octets(count) }
    try finish()
    return .end
  }

  /// The program has closed its pipe: how it ended tells why.
  private func finish() throws(SourceError) {
    guard let process, let status = Self.wait(for: process) else { return }
    self.process = nil
    // What signals wait for is in the low seven bits.
    let signal = status & 0x7F
    guard signal == 0 else {
      if signal == SIGINT || signal == SIGTERM || signal == SIGHUP { return }
      throw SourceError("the capture program was ended by signal \(signal)")
    }
    let code = status >> 8 & 0xFF
    if code != 0 { throw failure(code) }
  }

  /// Waits for its end, which is near; a program that closes its output and stays is left alone.
  private static func wait(for process: pid_t) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<200 {
      let result = unsafe waitpid(process, &status, WNOHANG)
      if result == process { return status }
      if result < 0, errno != EINTR { return nil }
      usleep(10_000)
    }
    return nil
  }
}

// MARK: - What went wrong, in words

extension CaptureProcess {
  /// The exit statuses that the capture program has for what a user can mend; `CaptureFailure.Status` there.
  private enum Status {
    static let noInterface: Int32 = 66
    static let noBluetooth: Int32 = 69
    static let noPermission: Int32 = 77
    /// What a shell, or the system, says of a program that is not there.
    static let notFound: Int32 = 127
  }

  private func failure(_ code: Int32) -> SourceError {
    let said = message
    let what = interface == "bluetooth-monitor" ? "the HCI monitor" : interface
    switch code {
    case Status.noPermission:
      return SourceError(
        "cannot open \(what): operation not permitted. Give the capture program the right once:  "
          + "sudo setcap cap_net_raw+ep \(program)")
    case Status.noBluetooth:
      return SourceError(
        "cannot open \(what): there is no Bluetooth in this kernel. Load it:  sudo modprobe bluetooth")
    case Status.noInterface:
      return SourceError(
        "cannot open \(what): there is no such interface. bluetooth-monitor follows all adapters, bluetooth0 the "
          + "first; list them:  ls /sys/class/bluetooth")
    // A program that lacks a library ends so, too, but says which.
    case Status.notFound where said.isEmpty: return Self.notThere(program)
    default:
      return SourceError(
        "cannot capture on \(what): \(said.isEmpty ? "the capture program ended with status \(code)" : said)")
    }
  }

  private static func notThere(_ program: FilePath) -> SourceError {
    SourceError(
      "there is no capture program at \(program). 'make install' puts it beside hrsnoop; 'swift build' builds both")
  }

  /// The first line it wrote to its standard error.
  private var message: String {
    var octets = ContiguousArray<UInt8>(repeating: 0, count: 1000)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe (try? errors.read(into: $0)) ?? 0 }
    return String(decoding: octets.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

// MARK: - Starting it

extension CaptureProcess {
  /// The path of the capture program that was installed with this program.
  private static func besideThisProgram() throws(SourceError) -> FilePath {
    #if os(Linux)
      var path = ContiguousArray<CChar>(repeating: 0, count: 4096)
      let count = unsafe path.withUnsafeMutableBufferPointer { octets in
        unsafe octets.baseAddress.map { unsafe readlink("/proc/self/exe", $0, octets.count) } ?? 0
      }
      let octets = path.prefix(max(0, count)).map { UInt8(truncatingIfNeeded: $0) }
      let own = octets.isEmpty ? Array(CommandLine.arguments[0].utf8) : octets
      guard let slash = own.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(name) }
      return FilePath(octets: own[...slash] + name.utf8)
    #else
      throw SourceError(
        "cannot be captured here, only on Linux: --follow reads a file that grows, --connect a port, and - a pipe")
    #endif
  }

  /// Starts a program without an environment, as one that has a right should be.
  private static func start(
    _ program: FilePath, _ arguments: [String], output: Descriptor, errors: Descriptor
  ) throws(SourceError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.number, STDERR_FILENO)
    var list = unsafe [strdup(program.terminated)] + arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe list.forEach { unsafe free($0) } }
    var nothing: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    var process: pid_t = 0
    var code: Int32 = 0
    for _ in 0..<20 {
      unsafe code = posix_spawn(&process, program.terminated, &actions, nil, &list, &nothing)
      // Whoever is just installing it has it open.
      guard code == ETXTBSY else { break }
      usleep(20_000)
    }
    guard code == 0 else {
      if code == ENOENT { throw notThere(program) }
      throw SourceError("the capture program at \(program) cannot be started: \(SourceError.words(code))")
    }
    return process
  }
}
