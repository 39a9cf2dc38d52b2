import Foundation
import Testing
import TestSupport

/// A pseudo terminal: what is written to one end is read at the other.
private struct PseudoTerminal {
  let screen: FileHandle
  private let program: Int32

  init?(columns: UInt16) {
    guard let (master, slave) = Self.open() else { return nil }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard unsafe ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { return nil }
    program = master
    screen = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
  }

  /// Both ends.
  private static func open() -> (master: Int32, slave: Int32)? {
    #if os(Linux)
      // What grantpt, unlockpt and ptsname do, which Glibc's module lacks: TIOCSPTLCK and TIOCGPTN.
      let master = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (lock, number) = (0 as Int32, 0 as Int32)
      guard master >= 0, unsafe ioctl(master, 0x4004_5431, &lock) == 0, unsafe ioctl(master, 0x8004_5430, &number) == 0
      else { return nil }
      let slave = unsafe Foundation.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = unsafe ptsname(master) else {
        return nil
      }
      let slave = unsafe Foundation.open(name, O_RDWR | O_NOCTTY)
    #endif
    return slave >= 0 ? (master, slave) : nil
  }

  /// All that was written, after the screen has gone.
  func contents() -> String {
    close(screen.fileDescriptor)
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(program, &piece, piece.count)
      guard count > 0 else { break }
      octets += piece.prefix(count)
    }
    close(program)
    return String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}

@Suite struct `On a terminal` {
  private func run(
    _ arguments: [String], columns: UInt16 = 80, environment: [String: String] = ["TERM": "xterm"]
  ) async throws -> String {
    let terminal = try #require(PseudoTerminal(columns: columns))
    let outcome = try await Program.run(arguments, output: terminal.screen, environment: environment)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return terminal.contents()
  }

  @Test func `there are colours`() async throws {
    #expect(try await run([Sample.named("polar-h7.btsnoop").path]).contains("\u{1B}[1m"))
    let turnedOff = ["NO_COLOR": "", "TERM": "xterm"]
    #expect(try await run([Sample.named("polar-h7.btsnoop").path], environment: turnedOff).contains("\u{1B}[1m"))
  }

  @Test(arguments: [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"]])
  func `there are none if the environment says so`(environment: [String: String]) async throws {
    let path = Sample.named("polar-h7.btsnoop").path
    #expect(try await !run([path], environment: environment).contains("\u{1B}"))
    #expect(try await run(["--color", "always", path], environment: environment).contains("\u{1B}[1m"))
  }

  @Test func `never means never`() async throws {
    #expect(try await !run(["--color", "never", Sample.named("polar-h7.btsnoop").path]).contains("\u{1B}"))
  }

  /// The first line is the path, which is as long as it is.
  @Test(arguments: [60, 80, 132] as [UInt16])
  func `lines fit`(columns: UInt16) async throws {
    let text = try await run(["--color", "never", Sample.named("polar-h7.btsnoop").path], columns: columns)
    let lines = text.split(separator: "\n").dropFirst()
    #expect(lines.count > 8)
    #expect(lines.allSatisfy { $0.count <= Int(columns) })
    #expect(lines.contains { $0.count > Int(columns) * 2 / 3 })
  }
}
