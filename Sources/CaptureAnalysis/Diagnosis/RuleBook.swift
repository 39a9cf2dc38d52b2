/// All there is to read of rules: those over what happens, and those over the capture itself.
public enum RuleBook {
  /// What a person should know of each, in the order of their names.
  public static let rules: [RuleDescription] =
    (AnomalyRules.all.map { $0.about } + CaptureRules.all.map { $0.about }).sorted { $0.name < $1.name }

  /// A rule by its name.
  public static func rule(named name: String) -> RuleDescription? { rules.first { $0.name == name } }
}
