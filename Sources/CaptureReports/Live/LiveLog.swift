import CaptureAnalysis
import CaptureFiles

// What happened last, below the heart rate.

extension LiveDrawing {
  /// As many notes as there are rows for, newest first; the opened one whole.
  func log(rows: Int) -> [LiveLine] {
    guard rows > 0, !notes.isEmpty else { return [] }
    var lines = rows >= 4 ? [heading] : []
    let left = rows - lines.count
    let place = notes.firstIndex { $0.number == opened } ?? 0
    // What lies before the opened one gives way until that has room.
    let first = opened == nil ? 0 : max(0, place - left / 3)
    for note in notes.dropFirst(first) {
      lines += self.lines(note)
      if lines.count >= rows { break }
    }
    return Array(lines.prefix(rows))
  }

  private var heading: LiveLine {
    let counts = Severity.allCases.reversed().compactMap { severity -> (text: String, style: Style?)? in
      let count = notes.reduce(0) { $0 + ($1.finding?.severity == severity ? 1 : 0) }
      let word = severity == .info ? "note" : severity.rawValue
      return count == 0 ? nil : (TimeText.count(count, word), .severity(severity))
    }
    var line = LiveLine()
    if areLast { line.add("lately", .quiet) }
    line.flow(counts.isEmpty ? [("nothing unusual so far", .good)] : counts, width: columns)
    line.flow(countsElsewhere(isMore: !counts.isEmpty), .quiet, width: columns)
    return line
  }

  /// How much was found on each other adapter: what is shown of this one is not all.
  private func countsElsewhere(isMore: Bool) -> [String] {
    let counts = Dictionary(grouping: elsewhere.compactMap(\.adapter)) { $0 }.mapValues(\.count)
    return counts.sorted { $0.key < $1.key }.map { "\($0.value)\(isMore ? " more" : "") on \(adapterText($0.key))" }
  }

  private func lines(_ note: LiveNote) -> [LiveLine] {
    switch note.content {
    case .event(let event):
      var line = LiveLine()
      line.add("  \(clockText(event.time))  \(connectionText(event.connection))", .quiet)
      line.add(TextLayout.padded(event.content.kind.rawValue, 17) + " ", .quiet)
      end(&line, TimelineWords.details(event.content), nil, frame: event.moment.frameText)
      return [line]
    case .finding(let finding): return lines(finding, isOpen: note.number == opened)
    case .sentence(let sentence, let time):
      var line = LiveLine()
      line.add("  \(clockText(time))  ", .quiet)
      line.add(TextLayout.beginning(of: AirText.shown(sentence, limit: 300), width: columns - line.columns), .warning)
      return [line]
    }
  }

  private func lines(_ finding: Finding, isOpen: Bool) -> [LiveLine] {
    let style = Style.severity(finding.severity)
    var line = LiveLine(isOpen ? "▸ " : "  ", .heading)
    line.add("\(clockText(finding.time))  \(connectionText(finding.connection))", .quiet)
    guard isOpen else {
      line.add(TextLayout.padded(finding.severity.rawValue, 8), style)
      end(&line, finding.message, style, frame: FindingText.frames(finding))
      return [line]
    }
    line.add("\(finding.severity.rawValue)  \(finding.rule)", style)
    line.addRight(FindingText.frames(finding), .quiet, width: columns)
    let text = TextLayout.sentence(finding.message, indent: 4, width: max(columns, 12))
    let whole = text.split(separator: "\n").map { LiveLine(String($0)) }
    return [line] + whole + [LiveLine("    why, and what to do:  hrsnoop explain \(finding.rule)", .quiet)]
  }

  private func clockText(_ time: Timestamp?) -> String {
    TextLayout.padded(time.flatMap { moments.text($0) } ?? "--:--:--", 8, alignedRight: true)
  }

  /// Which connection it is about, where that could be asked.
  private func connectionText(_ connection: Int?) -> String {
    guard connections.count > 1 else { return "" }
    // Numbers grow: the last connection's is the longest.
    let width = connections.last.map { max(4, "\($0.id)".count + 1) } ?? 4
    return TextLayout.padded(connection.map { "\($0)" } ?? "", width)
  }

  /// The rest of a line, and the record at its end.
  private func end(_ line: inout LiveLine, _ text: String, _ style: Style?, frame: String) {
    let room = columns - line.columns - frame.count - 2
    line.add(room > 8 ? TextLayout.beginning(of: text, width: room) : text, style)
    line.addRight(frame, .quiet, width: columns)
  }
}
