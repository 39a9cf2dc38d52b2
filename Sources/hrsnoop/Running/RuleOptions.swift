import ArgumentParser
import CaptureAnalysis

/// What commands take that ask rules.
struct RuleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Ask only these rules, with commas between them. May be repeated.", valueName: "names"))
  var rules: [String] = []

  @Option(help: ArgumentHelp("Leave out these rules, with commas between them. May be repeated.", valueName: "names"))
  var except: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a threshold of a rule; may be given several times. 'hrsnoop explain RULE' names them.",
      valueName: "rule.parameter=number"))
  var set: [String] = []

  /// What they say together.
  /// - Throws: `ValidationError` if there is no such rule or threshold.
  func settings() throws -> RuleSettings {
    var settings = RuleSettings()
    let names = rules.names()
    guard rules.isEmpty || !names.isEmpty else {
      throw ValidationError("--rules names no rule: without it, all are asked.")
    }
    do throws(RuleSettings.Problem) {
      if !names.isEmpty { try settings.ask(only: names) }
      try settings.leaveOut(except.names())
      for setting in set { try settings.set(setting) }
    } catch {
      throw ValidationError(error.description)
    }
    guard settings.asksAny else { throw ValidationError("--except leaves no rule to be asked.") }
    return settings
  }

  func validate() throws { _ = try settings() }
}
