import Foundation

/// A pseudo terminal: what is written to one end is read at the other.
struct PseudoTerminal {
  let screen: FileHandle
  private let program: Int32

  init?(columns: UInt16, rows: UInt16 = 24) {
    guard let (master, slave) = Self.open() else { return nil }
    program = master
    screen = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    guard resize(columns: columns, rows: rows) else { return nil }
  }

  /// Makes it another size.
  @discardableResult
  func resize(columns: UInt16, rows: UInt16) -> Bool {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    return unsafe ioctl(program, UInt(TIOCSWINSZ), &size) == 0
  }

  /// The processes that take its keys.
  var foregroundGroup: pid_t? {
    var group: pid_t = 0
    return unsafe ioctl(program, UInt(TIOCGPGRP), &group) == 0 ? group : nil
  }

  /// Presses keys.
  func press(_ keys: String) { _ = unsafe write(program, keys, keys.utf8.count) }

  /// Waits until so much is written that it holds a text, or too long.
  /// - Returns: All that was written since the last call.
  func read(until text: String) -> String {
    var octets: [UInt8] = []
    let end = ContinuousClock.now + .seconds(120)
    while !String(decoding: octets, as: UTF8.self).contains(text), ContinuousClock.now < end {
      octets += read(atMost: 1000)
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// What is written next, within some milliseconds.
  func read(atMost milliseconds: Int32) -> [UInt8] {
    var state = pollfd(fd: program, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&state, 1, milliseconds) > 0 else { return [] }
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = unsafe systemRead(program, &piece, piece.count)
    return Array(piece.prefix(max(0, count)))
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
      let count = unsafe systemRead(program, &piece, piece.count)
      guard count > 0 else { break }
      octets += piece.prefix(count)
    }
    close(program)
    return String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}

/// `read` of the system: within the type its name means the method.
private func systemRead(_ descriptor: Int32, _ place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  unsafe read(descriptor, place, count)
}
