extension RuleSettings {
  /// Why settings make no sense: a sentence.
  public struct Problem: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// Asks only some rules.
  /// - Throws: `Problem` if there is no rule of such a name.
  public mutating func ask(only names: [String]) throws(Problem) {
    try Self.check(names)
    wanted = Set(names)
  }

  /// Leaves out some rules.
  /// - Throws: `Problem` if there is no rule of such a name.
  public mutating func leaveOut(_ names: [String]) throws(Problem) {
    try Self.check(names)
    unwanted = Set(names)
  }

  /// Whether any rule is asked.
  public var asksAny: Bool {
    // Where all are, nobody has to know what they are called.
    asksAll || RuleBook.rules.contains { asks($0.name) }
  }

  /// Sets a threshold.
  /// - Parameter setting: `rule.parameter=value`.
  /// - Throws: `Problem` if there is no such threshold, or the value makes no sense.
  public mutating func set(_ setting: String) throws(Problem) {
    let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
    let path = parts.first?.split(separator: ".").map(String.init) ?? []
    guard parts.count == 2, path.count == 2, let value = Double(parts[1]) else {
      throw Problem(
        description: "'\(setting)' is no setting: write rule.parameter=number, such as notification-gap.factor=3.")
    }
    guard let rule = RuleBook.rule(named: path[0]) else { throw Self.unknown(path[0]) }
    guard let parameter = rule.parameters.first(where: { $0.name == path[1] }) else {
      let names = rule.parameters.map(\.name)
      throw Problem(
        description: names.isEmpty
          ? "\(rule.name) has nothing to set."
          : "\(rule.name) has no parameter '\(path[1])'; it has \(names.joined(separator: ", ")).")
    }
    guard parameter.allows(value) else {
      throw Problem(description: "\(parts[0]) \(parameter.isWhole ? "is" : "goes") \(parameter.limits).")
    }
    values[parts[0]] = value
  }

  private static func check(_ names: [String]) throws(Problem) {
    for name in names where RuleBook.rule(named: name) == nil { throw unknown(name) }
  }

  private static func unknown(_ name: String) -> Problem { Problem(description: RuleBook.unknown(name)) }
}
