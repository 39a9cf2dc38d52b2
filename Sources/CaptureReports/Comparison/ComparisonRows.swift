import CaptureAnalysis

/// What text and Markdown show of a comparison, in rows: a cell a side.
struct ComparisonRows {
  /// A line of the table.
  struct Row {
    let title: String
    let cells: [String]
    /// Whether it is a part of the aspect above it.
    var isPart = false
  }

  /// What differs.
  private(set) var differing: [Row] = []
  /// What is the same, an aspect each with its value.
  private(set) var same: [String] = []
  /// What is not the same, but no further apart than chance and a least size allow: an aspect each with its values.
  private(set) var alike: [String] = []
  /// What is not the same, and too little to be told from chance: an aspect each with its values.
  private(set) var untested: [String] = []
  /// What the captures do not tell of all sides.
  private(set) var untold: [String] = []
  /// How it was tested what has numbers that differ, or might.
  private(set) var tests: [String] = []

  init(_ comparison: Comparison) {
    for aspect in comparison.aspects {
      if aspect.differs {
        add(differing: aspect)
      } else if aspect.values.allSatisfy({ $0 == nil }) {
        untold.append(aspect.title)
      } else {
        add(same: aspect)
      }
    }
  }

  private mutating func add(differing aspect: AspectComparison) {
    if aspect.parts.isEmpty {
      differing.append(Row(title: aspect.title, cells: aspect.values.map { Self.shown($0) }))
    } else {
      for (index, part) in aspect.parts.enumerated() {
        if index == 0 { differing.append(Row(title: aspect.title, cells: [])) }
        let cells = zip(part.values, aspect.values).map { $1 == nil ? "?" : $0.map { Self.shown($0) } ?? "–" }
        differing.append(Row(title: Self.shown(part.title), cells: cells, isPart: true))
      }
    }
    if let note = aspect.note { tests.append("\(aspect.title): \(note)") }
  }

  private mutating func add(same aspect: AspectComparison) {
    let missing = aspect.values.count { $0 == nil }
    guard missing == 0 else { return untold.append("\(aspect.title) (of \(missing) of \(aspect.values.count))") }
    // Long lists that are the same need not be read; of numbers, which are alike without being the same, all are told.
    let values = aspect.values.reduce(into: [String]()) { if let value = $1, !$0.contains(value) { $0.append(value) } }
    let isLong = aspect.isList && values.contains { $0.count > Self.longestList }
    let words = isLong ? "" : values.prefix(3).map { Self.shown($0) }.joined(separator: " | ")
    let text = [aspect.title, words, values.count > 3 && !isLong ? "| …" : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    guard values.count > 1 else { return same.append(text) }
    guard !aspect.isUntested else { return untested.append(text) }
    alike.append(text)
    if let note = aspect.note { tests.append("\(aspect.title): \(note)") }
  }

  private static let longestList = 48

  private static func shown(_ value: String?) -> String {
    value.map { AirText.shown(shortened($0), limit: 400) } ?? "?"
  }

  /// The first digits of a UUID tell it from others well enough for the eye; JSON has all of them.
  private static func shortened(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let mark = word.last == "," || word.last == ":" || word.last == ";" ? String(word.suffix(1)) : ""
      let digits = word.dropLast(mark.count).split(separator: "-", omittingEmptySubsequences: false)
      return digits.map(\.utf8.count) == [8, 4, 4, 4, 12] ? "\(digits[0])-…\(mark)" : String(word)
    }.joined(separator: " ")
  }
}
