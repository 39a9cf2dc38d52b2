import CaptureSources

/// What the program says of itself.
enum Program {
  /// Its version, as `--version` and the reports tell it.
  static let version = "0.1.0"

  /// The program that captures, where another than the one beside this program is to be used.
  static var captureProgram: FilePath? { Terminal.path("HRSNOOP_CAPTURE") }
}

/// What the program's exit code says. Wrong usage, 64, is the argument parser's.
enum ExitStatus {
  /// What was asked for is done.
  static let done: Int32 = 0
  /// A finding is as grave as `--fail-on` says.
  static let found: Int32 = 1
  /// An input could not be opened, or nothing in it could be recognised.
  static let unreadable: Int32 = 2
}
