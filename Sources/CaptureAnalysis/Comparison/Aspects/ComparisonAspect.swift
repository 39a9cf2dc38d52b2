/// One respect in which sensors are compared. Each has a file, and a line in `ComparisonAspects.all`.
protocol ComparisonAspect: SendableMetatype {
  /// What it is called in JSON and on the command line.
  static var name: String { get }
  /// What it is called in a report.
  static var title: String { get }

  /// Compares the sides.
  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison
}

/// How sides compare in one respect.
public struct AspectComparison: Sendable {
  /// What the aspect is called in JSON and on the command line.
  public internal(set) var name = ""
  /// What it is called in a report.
  public internal(set) var title = ""
  /// Whether they differ.
  public let differs: Bool
  /// What each side is like, in words; nil where its capture does not tell.
  public let values: [String?]
  /// What else is to be said of it: the test that was made, what the captures do not tell.
  public internal(set) var note: String?
  /// Whether there is too little of a side to tell whether they differ.
  public let isUntested: Bool
  /// Of an aspect of several parts, those that differ, each with what each side has; nil where it has none of it.
  public let parts: [Part]
  /// Whether its values are lists that need not be read where they are the same.
  public let isList: Bool

  /// A part that differs.
  public struct Part: Sendable {
    /// What it is.
    public let title: String
    /// What each side has of it; nil for nothing.
    public let values: [String?]
  }
}

extension AspectComparison {
  /// What is either the same or not.
  /// - Parameter look: What counts of a side, and the words for it; nil where the capture does not tell.
  init<Key: Hashable>(_ sides: [SensorBehaviour], _ look: (SensorBehaviour) -> (key: Key, words: String)?) {
    let seen = sides.map(look)
    differs = Set(seen.compactMap(\.?.key)).count > 1
    values = seen.map { $0?.words }
    isUntested = false
    parts = []
    isList = false
  }

  /// What has parts, each of which is either the same or not.
  /// - Parameters:
  ///   - sides: The parts of each side with the words for what they are like; nil where the capture does not tell.
  ///   - order: The order in which parts are told.
  ///   - tellsLack: Whether a side that does not have a part is told not to have it.
  init(
    parts sides: [[String: String]?], order: [String], none: String = "none",
    tellsLack: (Int, String) -> Bool = { _, _ in true }
  ) {
    self.init(parts: sides, order: order, none: none, isList: true, tellsLack: tellsLack) { part, told in
      Set(told.map { sides[$0]?[part] }).count > 1
    }
  }

  /// What has parts, of which it is asked whether they differ.
  /// - Parameters:
  ///   - sides: As above.
  ///   - order: As above.
  ///   - isList: Whether its values are lists that need not be read where they are the same.
  ///   - tellsLack: As above.
  ///   - differ: Whether the sides of which a part is told, by their places, differ in it.
  init(
    parts sides: [[String: String]?], order: [String], none: String, isList: Bool,
    tellsLack: (Int, String) -> Bool, _ differ: (String, [Int]) -> Bool
  ) {
    let differing = order.filter { part in
      differ(
        part, sides.indices.filter { side in sides[side].map { $0[part] != nil || tellsLack(side, part) } ?? false })
    }
    differs = !differing.isEmpty
    values = sides.map { side in
      guard let side else { return nil }
      let all = order.compactMap { part in side[part].map { $0.isEmpty ? part : "\(part): \($0)" } }
      return all.isEmpty ? none : all.joined(separator: ", ")
    }
    isUntested = false
    self.isList = isList
    parts = differing.map { part in
      Part(
        title: part,
        values: sides.indices.map { place in
          guard let side = sides[place] else { return nil }
          return side[part].map { $0.isEmpty ? "yes" : $0 } ?? (tellsLack(place, part) ? nil : "not told")
        })
    }
  }

  /// Of more sides than these, only so many are tested against all others.
  private static let mostTested = 64

  /// Whether any two sides, by their places, are what is asked for. Each of very many against each would take long, and no
  /// table shows them.
  static func anyTwo(of sides: [Int], _ are: (Int, Int) -> Bool) -> Bool {
    sides.prefix(mostTested).enumerated().contains { place, first in
      sides.dropFirst(place + 1).contains { are(first, $0) }
    }
  }

  /// Numbers that chance scatters.
  /// - Parameters:
  ///   - sides: The words for each side; nil where the capture does not tell.
  ///   - testName: What the test is called in the note; nil where there is nothing to be said of it.
  ///   - test: Whether two sides, by their places, differ beyond chance and by enough to matter; nil where there is too
  ///     little of one of them to tell.
  init(statistics sides: [String?], testedBy testName: String?, _ test: (Int, Int) -> Bool?) {
    let told = sides.indices.filter { sides[$0] != nil }
    var isUntold = false
    differs = Self.anyTwo(of: told) { first, second in
      guard let isOther = test(first, second) else {
        isUntold = true
        return false
      }
      return isOther
    }
    values = sides
    isUntested = isUntold && !differs
    parts = []
    isList = false
    note = testName.map { isUntested ? "too little to tell more (\($0))" : $0 }
  }
}
