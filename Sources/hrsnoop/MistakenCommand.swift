import CaptureSources

/// A word that was meant to be a command, as it seems: without one, the program analyzes, and takes it for a path.
enum MistakenCommand {
  /// The command that was meant; nil where the word may well be a path, or resembles none.
  static func meant(by word: String, among commands: [String]) -> String? {
    guard !commands.contains(word), word.allSatisfy(\.isLetter), word.count > 2 else { return nil }
    let nearest = commands.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let (command, distance) = nearest, distance <= max(1, command.count / 3) else { return nil }
    return InputPaths.exists(FilePath(word)) ? nil : command
  }

  /// A command that stands behind options, where it is taken for a path; nil where it may well be one.
  static func misplaced(in arguments: [String], among commands: [String]) -> String? {
    guard arguments.first.map(isOption) ?? false else { return nil }
    let word = zip(arguments, arguments.dropFirst()).first { before, word in
      // An option may take it for its value.
      commands.contains(word) && (!isOption(before) || flags.contains(before))
    }
    return word.flatMap { InputPaths.exists(FilePath($0.1)) ? nil : $0.1 }
  }

  private static func isOption(_ argument: String) -> Bool { argument.count > 1 && argument.hasPrefix("-") }

  /// The options of the usual command that take no value.
  private static let flags: Set<String> = ["--quiet", "-q", "--summary"]

  /// How many letters have to be put in, left out, replaced, or swapped with their neighbour to make one word of another.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.lowercased()), Array(other))
    var rows = [Array(0...other.count)]
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var least = min(
          rows[row][column] + (letter == otherLetter ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[one.count][other.count]
  }
}
