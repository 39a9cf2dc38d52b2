import CaptureAnalysis
import CaptureFiles

// How findings are told: a sentence first, then each with its record.

extension CaptureText {
  /// What happened on a connection: "✗ Contact lost for 4 s (#20); then …".
  func write(storyOf connection: ConnectionSummary, _ buffer: inout ReportBuffer) {
    let sentence = StoryText.sentence(summary.story(of: connection))
    let indent = "      "
    var text = TextLayout.sentence(sentence.words, indent: indent.count, width: context.width)
    text.replaceSubrange(
      text.startIndex..<text.index(text.startIndex, offsetBy: indent.count),
      with: "    \(sentence.style(sentence.mark, context)) ")
    buffer.write(text)
  }

  /// The findings of a connection, or those of the capture as a whole.
  func writeFindings(of connection: Int?, indent: Int, _ buffer: inout ReportBuffer) {
    let findings = summary.findings(of: connection, most: Self.mostFindings)
    guard !findings.isEmpty else { return }
    buffer.write("\n")
    for finding in findings { write(finding, indent: indent, &buffer) }
    if findings.count < summary.findingCount(of: connection) {
      let text = "more of them: --format json"
      buffer.write(TextLayout.flow([Style.quiet(text, context)], indent: indent, width: context.width))
    }
  }

  /// More are not read.
  private static var mostFindings: Int { 24 }

  private func write(_ finding: Finding, indent: Int, _ buffer: inout ReportBuffer) {
    let style = Style.severity(finding.severity)
    let pieces = [
      style(TextLayout.padded(finding.severity.rawValue, 7), context), finding.rule, FindingText.frames(finding),
      finding.time.flatMap { $0.isTold ? times.text($0) : nil } ?? "",
    ]
    buffer.write(TextLayout.flow(pieces, indent: indent, width: context.width, hanging: indent + 4))
    buffer.write(TextLayout.sentence(finding.message, indent: indent + 4, width: context.width))
  }
}

/// Findings in words.
enum FindingText {
  /// "#123", "#123 → #138".
  static func frames(_ finding: Finding) -> String {
    guard let frame = finding.frame else { return "" }
    let first = frameText(frame, finding.member)
    guard let last = finding.lastFrame, last != frame || finding.lastMember != finding.member else { return first }
    return "\(first) → \(finding.lastMember == finding.member ? "#\(last)" : frameText(last, finding.lastMember))"
  }
}

/// What went wrong on a connection, in a sentence.
enum StoryText {
  /// The sentence, the mark before it, and how that looks.
  /// - Parameter tellsFrames: Whether records are named in it.
  static func sentence(_ story: Story, tellsFrames: Bool = true) -> (words: String, mark: String, style: Style) {
    if let finding = story.toldEarlier, let connection = finding.connection {
      let frames = tellsFrames ? " (\(FindingText.frames(finding)))" : ""
      return (
        "See connection \(connection): \(finding.rule)\(frames).", mark(finding.severity),
        .severity(finding.severity)
      )
    }
    guard let severity = story.severity else {
      let part = story.outside == nil ? "" : " in this part"
      let notes = story.notes == 0 ? "" : ", and \(TimeText.count(story.notes, "note"))"
      return ("Nothing unusual\(part)\(notes)\(outside(story, "it")).", "✓", .good)
    }
    var words = ""
    for (index, chapter) in story.chapters.enumerated() {
      if index > 0 { words += index == story.chapters.count - 1 ? "; so, " : "; " }
      words += chapter.message
      if tellsFrames, chapter.frame != nil { words += " (\(FindingText.frames(chapter)))" }
    }
    if story.repetitions > 0 {
      words += ", and \(TimeText.count(story.repetitions)) more of \(story.chapters.last?.rule ?? "")"
    }
    if story.others > 0 { words += "; and \(TimeText.count(story.others, "other finding"))" }
    words += outside(story, "the part that is shown")
    words = words.prefix(1).uppercased() + words.dropFirst() + "."
    return (words, mark(severity), .severity(severity))
  }

  private static func mark(_ severity: Severity) -> String { severity == .error ? "✗" : "!" }

  /// "; 2 findings outside of it".
  private static func outside(_ story: Story, _ part: String) -> String {
    guard let outside = story.outside, outside > 0 else { return "" }
    return "; \(TimeText.count(outside, "finding")) outside of \(part)"
  }
}
