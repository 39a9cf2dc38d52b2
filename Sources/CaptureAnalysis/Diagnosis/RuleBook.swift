/// All there is to read of rules: those over what happens, and those over the capture itself.
public enum RuleBook {
  /// What a person should know of each, in the order of their names.
  public static let rules: [RuleDescription] =
    (AnomalyRules.all.map { $0.about } + CaptureRules.all.map { $0.about }).sorted { $0.name < $1.name }

  private static let byName = Dictionary(rules.map { ($0.name, $0) }) { first, _ in first }

  /// A rule by its name.
  public static func rule(named name: String) -> RuleDescription? { byName[name] }
}
