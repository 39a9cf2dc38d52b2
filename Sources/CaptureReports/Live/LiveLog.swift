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
      let kind = column(event.content.kind.rawValue, 17)
      end(&line, [(kind, .quiet), (TimelineWords.details(event.content), nil)], frame: event.moment.frameText)
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
      let severity = column(finding.severity.rawValue, 7)
      end(&line, [(severity, style), (finding.message, style)], frame: FindingText.frames(finding))
      return [line]
    }
    end(&line, [("\(finding.severity.rawValue)  \(finding.rule)", style)], frame: FindingText.frames(finding))
    let text = TextLayout.sentence(finding.message, indent: 4, width: max(columns, 12))
    let whole = text.split(separator: "\n").map { LiveLine(String($0)) }
    let explain = "hrsnoop explain \(finding.rule)"
    let advice = "    why, and what to do:  \(explain)"
    return [line] + whole + [LiveLine(advice.count <= columns ? advice : "    \(explain)", .quiet)]
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

  /// A word above and below others, where there is room for that.
  private func column(_ word: String, _ width: Int) -> String { columns < 60 ? word : TextLayout.padded(word, width) }

  /// The rest of a line, as much as there is room for, and the record at its end.
  private func end(_ line: inout LiveLine, _ pieces: [(text: String, style: Style?)], frame: String) {
    let end = columns - frame.count - 2
    // The record alone says nothing.
    let limit = end - line.columns >= 8 ? end : columns
    for (index, piece) in pieces.enumerated() where line.columns < limit {
      if index > 0 { line.add(" ") }
      line.add(TextLayout.beginning(of: piece.text, width: limit - line.columns), piece.style)
    }
    line.addRight(frame, .quiet, width: columns)
  }
}
