import LiveCapture

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal while a view fills it, as xterm and those that follow it understand it; given back as it was.
struct Screen: ~Copyable {
  private let output: Int32
  /// The terminal itself, as standard input may be a capture. Below zero if there is none.
  private let keyboard: Int32
  /// How often there was said to be a key, and was none.
  private var emptyReads = 0
  private let settings: termios?
  /// What each line shows.
  private var lines: [String] = []

  /// Takes a terminal.
  /// - Parameter output: The terminal's descriptor.
  init(output: Int32) {
    self.output = output
    keyboard = Self.openKeyboard(of: output)
    settings = Self.settings(of: keyboard)
    enter()
  }

  deinit {
    leave()
    if keyboard >= 0 { close(keyboard) }
  }

  private static func openKeyboard(of output: Int32) -> Int32 {
    #if canImport(Darwin)
      // Its `poll` waits at a terminal's own name, and not at /dev/tty.
      if let name = unsafe ttyname(output) { return unsafe open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    #endif
    return unsafe open("/dev/tty", O_RDONLY | O_CLOEXEC)
  }

  private static func settings(of keyboard: Int32) -> termios? {
    var settings = termios()
    return unsafe tcgetattr(keyboard, &settings) == 0 ? settings : nil
  }

  /// The other screen of the terminal, without cursor and without breaking lines; keys one by one, none shown, none that
  /// sends a signal. Where the program was stopped, others may have changed all of that.
  func enter() {
    if var raw = settings {
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
      _ = unsafe withUnsafeMutableBytes(of: &raw.c_cc) { characters in
        // Reading never waits.
        unsafe characters[Int(VMIN)] = 0
        unsafe characters[Int(VTIME)] = 0
      }
      unsafe tcsetattr(keyboard, TCSANOW, &raw)
    }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
  }

  private func leave() {
    write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    if var settings { unsafe tcsetattr(keyboard, TCSANOW, &settings) }
  }

  /// Gives the terminal back, stops this program or all of its job, and takes the terminal again when it goes on.
  func suspend(wholeJob: Bool) {
    leave()
    SignalPipe.suspend(wholeJob: wholeJob)
    enter()
  }

  /// Tells this job to end, as control-C does.
  func interrupt() { kill(0, SIGINT) }

  /// Forgets what it shows: the next drawing is whole. Each line is erased by itself: where all of a screen is, some
  /// terminals keep it among the lines that were scrolled away.
  mutating func clear(rows: Int) {
    write((1...max(1, rows)).map { "\u{1B}[\($0);1H\u{1B}[2K" }.joined())
    lines = []
  }

  /// Draws the lines that are not there yet.
  mutating func draw(_ new: [String]) {
    var text = ""
    for row in 0..<max(new.count, lines.count) {
      let line = row < new.count ? new[row] : ""
      if row < lines.count, lines[row] == line { continue }
      // Erased before: behind a full line the cursor stands on its last column.
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
    }
    lines = new
    write(text)
  }

  /// Where keys come from; nil if there are none: a terminal that has gone away is always ready, and has none.
  var keys: Int32? { keyboard >= 0 && emptyReads < Self.mostEmptyReads ? keyboard : nil }

  private static let mostEmptyReads = 16

  /// The octets of the keys that were pressed.
  mutating func takeKeys() -> ContiguousArray<UInt8> {
    var octets = ContiguousArray<UInt8>(repeating: 0, count: 256)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe read(keyboard, $0.baseAddress, $0.count) }
    emptyReads = count > 0 ? 0 : emptyReads + 1
    return ContiguousArray(octets.prefix(max(0, count)))
  }

  /// A terminal that has gone away shows nothing: what is to end then, a signal ends.
  private func write(_ text: String) {
    var text = text
    text.withUTF8 { octets in
      var left = unsafe UnsafeRawBufferPointer(octets)[...]
      _ = unsafe systemWrite(&left, to: output)
    }
  }
}
