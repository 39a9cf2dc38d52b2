/// What the program's exit code says. Wrong usage, 64, is the argument parser's.
enum ExitStatus {
  /// An input could not be opened, or nothing in it could be recognised.
  static let unreadable: Int32 = 2
}
