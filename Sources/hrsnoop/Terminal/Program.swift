import CaptureSources

/// What the program says of itself.
enum Program {
  /// Its version, as `--version` and the reports tell it.
  static let version = "0.1.0"

  /// The program that captures, where another than the one beside this program is to be used.
  static var captureProgram: FilePath? { Terminal.path("HRSNOOP_CAPTURE") }
}
