/// What the program's exit code says. Wrong usage, 64, is the argument parser's.
enum ExitStatus {
  /// What was asked for is done.
  static let done: Int32 = 0
  /// A finding is as grave as `--fail-on` says.
  static let found: Int32 = 1
  /// An input could not be opened, or nothing in it could be recognised.
  static let unreadable: Int32 = 2
}
