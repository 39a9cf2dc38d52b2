import CaptureAnalysis
import CaptureReports

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is said beside the result.
enum StandardError {
  /// Whether a person looks at it.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Says what is wrong, after the program's name.
  static func complain(_ message: String) {
    let sentence = "hrsnoop: \(AirText.shown(message, limit: 2000))"
    guard isTerminal else { return say(sentence + "\n") }
    say(TextLayout.sentence(sentence, indent: 0, width: Terminal.width(of: STDERR_FILENO)))
  }

  /// Says something as it is.
  static func say(_ text: String) {
    var text = text
    text.withUTF8 { octets in
      var left = unsafe UnsafeRawBufferPointer(octets)[...]
      _ = unsafe systemWrite(&left, to: STDERR_FILENO)
    }
  }
}
