/// Which rules are asked, and with which thresholds.
public struct RuleSettings: Sendable {
  var wanted: Set<String>?
  var unwanted: Set<String> = []
  var values: [String: Double] = [:]

  /// All rules, with the thresholds they come with.
  public init() {}

  /// No rule at all.
  public static var none: RuleSettings {
    var settings = RuleSettings()
    settings.wanted = []
    return settings
  }

  /// Whether every rule is asked.
  var asksAll: Bool { wanted == nil && unwanted.isEmpty }

  /// Whether a rule is asked.
  func asks(_ name: String) -> Bool { wanted?.contains(name) ?? true && !unwanted.contains(name) }

  /// What a threshold is.
  func value(_ parameter: RuleParameter, of rule: any AnomalyRule.Type) -> Double {
    values.isEmpty ? parameter.value : values["\(rule.about.name).\(parameter.name)"] ?? parameter.value
  }
}
