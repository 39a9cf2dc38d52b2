/// A line of a timeline while it is written. There are many: what stands in columns goes straight into the report.
struct TimelineLine {
  var buffer: ReportBuffer
  let columns: TimelineColumns
  private let context: ReportContext
  /// Where what is written into the column at hand begins.
  private var start = 0
  /// How many columns of the terminal are taken by what stands before it.
  private var taken = 0
  /// What has come, where it is set as it comes.
  private var pieces: [String] = []

  init(_ context: ReportContext, into buffer: ReportBuffer) {
    self.buffer = buffer
    self.context = context
    columns = TimelineColumns(for: context.isTerminal ? context.width : nil)
  }

  /// Writes what the columns are called: that of the times by their day, where that is known.
  mutating func writeHead(_ day: String?) {
    if context.isColored { buffer.write(Style.quiet.opening) }
    begin()
    buffer.write(day ?? "time")
    end(columns.time)
    buffer.write("+s")
    end(columns.offset)
    buffer.write("frame")
    end(columns.frame)
    buffer.write("conn")
    end(columns.connection)
    writeRest("event", nil) { $0.write("what happened") }
    if context.isColored { buffer.write(Style.closing) }
    buffer.write("\n")
  }

  /// Another day begins.
  mutating func write(day: String) { buffer.write(Style.quiet(day, context) + "\n") }

  /// A line begins.
  mutating func begin() {
    (start, taken) = (buffer.position, 0)
    pieces.removeAll(keepingCapacity: true)
  }

  /// Ends a column: what was written since the last one stands in it. It must be plain ASCII.
  mutating func end(_ column: TimelineColumns.Column) {
    guard columns.areSet else { return pieces.append(buffer.takeBack(from: start)) }
    buffer.align(from: start, to: column.width, isRight: column.isRight)
    buffer.write(columns.gap)
    taken += buffer.position - start
    start = buffer.position
  }

  /// Ends the line with what happened.
  mutating func end(_ kind: String, _ style: Style?, _ words: (inout ReportBuffer) -> Void) {
    writeRest(kind, style, words)
    buffer.write("\n")
    buffer.flushIfFull()
  }

  private mutating func writeRest(_ kind: String, _ style: Style?, _ words: (inout ReportBuffer) -> Void) {
    let shown = style?(kind, context) ?? kind
    guard columns.areSet else {
      let line = context.flow(pieces + [shown, ReportBuffer.text(words)], hanging: 4)
      return buffer.write(String(line.dropLast()))
    }
    buffer.write(shown)
    let end = buffer.position
    // Colours take no columns.
    buffer.align(from: end, to: columns.kind.width - kind.utf8.count, isRight: false)
    buffer.write(columns.gap)
    let start = buffer.position
    if context.isTerminal {
      let column = taken + max(columns.kind.width, kind.utf8.count) + columns.gap.utf8.count
      let text = broken(ReportBuffer.text(words), at: column)
      // Nor does what goes on below.
      if text.hasPrefix("\n") { buffer.takeBack(from: end) }
      buffer.write(text)
    } else {
      words(&buffer)
    }
    // What is no text needs no place.
    if buffer.position == start { buffer.takeBack(from: end) }
  }

  private func broken(_ words: String, at column: Int) -> String {
    // Below the first words where there is room for more, else further left.
    let margin = min(column, max(4, context.width - TimelineColumns.forWords))
    return context.continued(words, at: column, margin: margin)
  }
}

/// What stands where in the lines of a timeline.
struct TimelineColumns {
  struct Column {
    var width: Int
    var isRight = false
  }

  var time = Column(width: 12)
  var offset = Column(width: 10, isRight: true)
  var frame = Column(width: 8, isRight: true)
  var connection = Column(width: 4, isRight: true)
  var kind = Column(width: 18)
  var gap = "  "
  /// Whether there are any: on a narrow terminal things are set as they come.
  let areSet: Bool

  /// As many columns of a terminal are wanted for words.
  static let forWords = 48

  /// - Parameter width: The columns of the terminal; nil if lines are not broken.
  init(for width: Int?) {
    areSet = width ?? .max >= 64
    guard let width, width < 110 else { return }
    (offset.width, frame.width, kind.width, gap) = (9, 7, 17, " ")
  }
}
