import CaptureAnalysis

/// How text stands out. Only colours that are legible on dark and on light ground.
enum Style: String {
  case heading = "1"
  case quiet = "2"
  case good = "32"
  // Yellow would not be seen on white.
  case warning = "35"
  case bad = "31"
  case accent = "36"

  /// How a finding looks.
  static func severity(_ severity: Severity) -> Style {
    switch severity {
    case .error: .bad
    case .warning: .warning
    case .info: .accent
    }
  }

  func callAsFunction(_ text: String, _ context: ReportContext) -> String {
    context.isColored && !text.isEmpty ? opening + text + Self.closing : text
  }

  /// What stands before text that looks so.
  var opening: String { "\u{1B}[\(rawValue)m" }
  /// What stands behind it.
  static let closing = "\u{1B}[0m"
}
