import CaptureSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the terminal can show.
enum Terminal {
  /// The columns of a report that goes into a file or a pipe: as the environment says.
  static var widthWithoutTerminal: Int { environment("COLUMNS").flatMap { Int($0) } ?? 100 }

  /// The columns of a terminal: as it says itself, else as the environment says, else 80.
  static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment("COLUMNS").flatMap { Int($0) } ?? 80
  }

  /// Columns and rows of a terminal that a view fills.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether it can be moved about in, as a view that fills it must.
  static var canBeFilled: Bool { !["", "dumb"].contains(environment("TERM", default: "")) }

  /// Whether the locale has more than ASCII.
  static var showsUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { environment($0, default: "") }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().filter { $0 != "-" }.contains("utf8")
  }

  /// Whether the environment leaves colours on: no-color.org, and terminals without them.
  static var wantsColor: Bool {
    environment("NO_COLOR", default: "").isEmpty && environment("TERM") != "dumb"
  }

  private static func environment(_ name: String, default other: String) -> String {
    environment(name) ?? other
  }

  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The path that a variable of the environment holds.
  static func path(_ name: String) -> FilePath? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe FilePath(octets: UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }
}
