/// Text in Markdown.
enum MarkdownText {
  /// Text without what Markdown, and the HTML in it, would take for its own.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "|", "\\", "`", "*", "_", "[", "]", "#", "~": escaped += "\\\(character)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
