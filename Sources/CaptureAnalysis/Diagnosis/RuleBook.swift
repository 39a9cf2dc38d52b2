/// All there is to read of rules: those over what happens, and those over the capture itself.
public enum RuleBook {
  /// What a person should know of each, in the order of their names.
  public static let rules: [RuleDescription] =
    (AnomalyRules.all.map { $0.about } + CaptureRules.all.map { $0.about }).sorted { $0.name < $1.name }

  private static let byName = Dictionary(rules.map { ($0.name, $0) }) { first, _ in first }

  /// A rule by its name.
  public static func rule(named name: String) -> RuleDescription? { byName[name] }

  /// What is said where there is no rule of a name: a sentence, with the names that have a word in common with it.
  public static func unknown(_ name: String) -> String {
    let words = Set(name.split(separator: "-"))
    let near = rules.map(\.name).filter { rule in
      !name.isEmpty && (rule.contains(name) || !words.isDisjoint(with: rule.split(separator: "-")))
    }
    let hint = near.isEmpty ? "'hrsnoop explain' lists them." : "is it \(near.prefix(6).joined(separator: ", "))?"
    return "There is no rule '\(name)': \(hint)"
  }
}
