import CaptureAnalysis
import CaptureFiles

// How findings are told: a sentence first, then each with its record.

extension CaptureText {
  /// What happened on a connection: "✗ Contact lost for 4 s (#20); then …".
  /// - Parameter other: A connection of which the same was told just before.
  func write(_ story: Story, sameAs other: Int? = nil, _ buffer: inout ReportBuffer) {
    var (words, mark, style) = StoryText.sentence(story)
    if let other, let gravest = story.gravest {
      words = "The same as on connection \(other) (\(FindingText.frames(gravest)))."
    }
    buffer.write("    \(style(mark, context)) \(context.continued(words, at: 6, margin: 6))\n")
  }

  /// The findings of a connection, or those of the capture as a whole.
  /// - Parameters:
  ///   - story: What was told of it before: its sentences are not said again.
  ///   - isBrief: Whether what is only worth knowing is left out, and the empty line before.
  func writeFindings(
    of connection: Int?, told story: Story? = nil, isBrief: Bool = false, indent: Int, _ buffer: inout ReportBuffer
  ) {
    let all = summary.findings(of: connection, most: FindingText.most)
    let findings = isBrief ? all.filter { $0.finding.severity > .info } : all
    guard !findings.isEmpty else { return }
    if !isBrief { buffer.write("\n") }
    let text = FindingText(context: context, times: times)
    for listed in findings {
      text.write(
        listed.finding, times: listed.all.count, isTold: story?.tells(listed) ?? false, indent: indent, into: &buffer)
    }
    if all.count < summary.findingCount(of: connection) { text.writeRest(indent: indent, into: &buffer) }
  }
}

/// Findings in words.
struct FindingText {
  let context: ReportContext
  let times: ReportTimes

  /// More are not read.
  static let most = 24

  /// What is to be known of a file of which not all could be read, whatever is told of it; nothing of one that is whole.
  static func write(
    damagesOf facts: CaptureFacts, _ context: ReportContext, indent: Int, into buffer: inout ReportBuffer
  ) {
    let text = FindingText(context: context, times: ReportTimes(context.reading(facts.clock), facts))
    let damages = facts.damages
    for finding in damages.prefix(most) { text.write(finding, indent: indent, into: &buffer) }
    if damages.count > most { text.writeRest("analyze --format json", indent: indent, into: &buffer) }
  }

  /// A finding: what, where, when, and below it the sentence.
  /// - Parameters:
  ///   - count: How many it stands for that say the same.
  ///   - isTold: Whether the sentence was said before, and is not wanted again.
  func write(
    _ finding: Finding, times count: Int = 1, isTold: Bool = false, indent: Int, into buffer: inout ReportBuffer
  ) {
    let style = Style.severity(finding.severity)
    let pieces = [
      style(TextLayout.padded(finding.severity.rawValue, 7), context), finding.rule, Self.frames(finding),
      count > 1 ? period(finding) : finding.time.flatMap { times.text($0) } ?? "",
      count > 1 ? TimeText.count(count, "time") : "",
    ]
    buffer.write(context.flow(pieces, indent: indent, hanging: indent + 4))
    if !isTold { buffer.write(context.sentence(finding.message, indent: indent + 4)) }
  }

  /// "17:03:14 – 17:06:10", and only the first where the last is the same or cannot be told.
  private func period(_ finding: Finding) -> String {
    guard let first = finding.time, let start = times.text(first) else { return "" }
    guard let last = finding.endTime.flatMap({ times.text($0, after: first) }), last != times.text(first, after: first)
    else { return start }
    return "\(start) – \(last)"
  }

  /// Where each of those stands that are only counted.
  func writeRest(_ command: String = "--format json", indent: Int, into buffer: inout ReportBuffer) {
    let text = "all of them: \(command)"
    buffer.write(context.flow([Style.quiet(text, context)], indent: indent))
  }

  /// "#123", "#123 → #138".
  static func frames(_ finding: Finding) -> String {
    guard let frame = finding.frame else { return "" }
    let first = frameWords(frame, finding.member)
    guard let last = finding.lastFrame, last != frame || finding.lastMember != finding.member else { return first }
    return "\(first) → \(finding.lastMember == finding.member ? "#\(last)" : frameWords(last, finding.lastMember))"
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
      guard story.wasWatched else {
        let words = "No rule looked at it: too many connections were open"
        return ("\(words)\(notes(story.notes))\(outside(story, "it")).", "?", .quiet)
      }
      let part = story.outside == nil ? "" : " in this part"
      let rules = story.isOfAllRules ? "" : " to the rules that were asked"
      let remarks = [story.remark, story.circumstance].compactMap(\.self)
      let remark =
        remarks.isEmpty ? "" : ", but \(remarks.map { told($0, tellsFrames: tellsFrames) }.joined(separator: "; and "))"
      let others = notes(story.notes - (story.remark?.amount ?? 0), isMore: story.remark != nil)
      let words = "Nothing unusual\(part)\(rules)\(remark)\(others)\(outside(story, "it"))\(cutRates(story))"
      if !remarks.isEmpty || story.cutRates.count > 0 { return ("\(words).", "–", .quiet) }
      // What is well does not show where there is nothing to be looked at.
      return story.hasMeasurements ? ("\(words).", "✓", .good) : ("\(words), but no measurement came.", "–", .quiet)
    }
    var words = chapters(of: story, tellsFrames: tellsFrames)
    if story.others > 0 { words += "; and \(TimeText.count(story.others, "other finding"))" }
    words += outside(story, "the part that is shown")
    words = words.prefix(1).uppercased() + words.dropFirst() + "."
    return (words, mark(severity), .severity(severity))
  }

  /// "; the capture kept 35 of 40 heart rates": more could not be looked at.
  private static func cutRates(_ story: Story) -> String {
    let (cut, all) = story.cutRates
    guard cut > 0 else { return "" }
    return
      "; the capture kept \(cut < all ? "\(TimeText.count(all - cut)) of \(TimeText.count(all))" : "no") heart rates"
  }

  /// "Contact lost for 4 s (#20), and 2 more of contact-lost; so, …"; and "access was refused (#35): the pairing failed
  /// (#38)" where it was refused first.
  private static func chapters(of story: Story, tellsFrames: Bool) -> String {
    func words(_ chapter: Finding) -> String {
      let more = story.repetitions(behind: chapter)
      return told(chapter, tellsFrames: tellsFrames)
        + (more > 0 ? ", and \(TimeText.count(more)) more of \(chapter.rule)" : "")
    }
    let before = story.before.map(words).joined(separator: "; ")
    let behind = story.behind.map(words).joined(separator: "; ")
    return (before.isEmpty ? "" : before + "; so, ") + (story.gravest.map(words) ?? "")
      + (behind.isEmpty ? "" : ": " + behind) + (story.consequence.map { "; so, " + words($0) } ?? "")
  }

  /// "contact lost for 4 s (#20)".
  private static func told(_ finding: Finding, tellsFrames: Bool) -> String {
    finding.message + (tellsFrames && finding.frame != nil ? " (\(FindingText.frames(finding)))" : "")
  }

  /// ", and 2 notes".
  private static func notes(_ count: Int, isMore: Bool = false) -> String {
    count == 0 ? "" : ", and \(TimeText.count(count, isMore ? "more note" : "note"))"
  }

  static func mark(_ severity: Severity) -> String { severity == .error ? "✗" : "!" }

  /// "; 2 findings outside of it".
  private static func outside(_ story: Story, _ part: String) -> String {
    guard let outside = story.outside, outside > 0 else { return "" }
    return "; \(TimeText.count(outside, "finding")) outside of \(part)"
  }
}
