public import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// `hrsnoop diff`: how sensors behave, side by side.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the behaviour of sensors, capture against capture.",
    discussion: """
      Each PATH is a side. Where several sensors are in it, PATH:N chooses one by the number of a connection, PATH:NAME by \
      its address or a part of its name. One PATH alone compares all sensors that are in it.

      Aspects, with what reports call them where that is another name: \(aspects).

      Examples:
        hrsnoop diff polar.btsnoop tickr.pcap
        hrsnoop diff bugreport.zip:Polar bugreport.zip:TICKR
        hrsnoop diff --fail-on-difference --ignore battery,handles old.log new.log
        hrsnoop diff --group polar=a.log,b.log --group tickr=c.log
        hrsnoop diff --format markdown polar.btsnoop tickr.pcap > difference.md
      """)

  @Argument(help: ArgumentHelp("The sides.", valueName: "path[:sensor]"))
  var paths: [FilePath] = []

  @Option(
    help: ArgumentHelp(
      "A side of several captures, pooled under a name; may be given several times.",
      valueName: "name=path,…"))
  var group: [FilePath] = []

  @Option(help: "How the result is shown: text, json or markdown.")
  var format: ComparisonFormat = .text

  @Flag(help: "Exit with 1 if anything differs.")
  var failOnDifference = false

  @Option(
    help: ArgumentHelp("Leave out these aspects, with commas between them. May be repeated.", valueName: "aspects"))
  var ignore: [String] = []

  @OptionGroup(title: "Rules") var rules: RuleOptions

  @OptionGroup var known: KnowledgeOptions

  @OptionGroup var profiles: ProfileOptions

  @OptionGroup var part: PartOptions

  @OptionGroup var output: OutputOptions

  func run() throws {
    let requests = try requests()
    var failures: [InputError] = []
    let models = profiles.all(&failures)
    let run = SideRun(
      isQuiet: output.quiet, limits: output.archives.limits, filter: part.filter,
      knowledge: known.knowledge(in: part.timeZone, &failures), rules: try rules.settings())
    let (sides, unread) = run.sides(requests, &failures)
    let comparison = Comparison(sides, ignoring: ignored)
    let files = output.files(requests.flatMap { $0.members.map(\.path) }, known.gattMap + profiles.files)
    try output.result.open(sparing: files, zone: part.timeZone, profiles: models) { buffer, context in
      format.write(
        comparison, unread: unread.map { ("\($0.path)", $0.message) },
        failures: failures.map { ("\($0.path)", $0.message) }, context, into: buffer)
      if !unread.isEmpty || !failures.isEmpty { throw ExitCode(ExitStatus.unreadable) }
    }
    if failOnDifference, comparison.differs { throw ExitCode(ExitStatus.found) }
  }

  private static var aspects: String {
    let all = zip(ComparisonAspects.names, ComparisonAspects.titles)
    return all.map { $0.replacing("-", with: " ") == $1 ? $0 : "\($0) (\($1))" }.joined(separator: ", ")
  }

  private var ignored: Set<String> { Set(ignore.names()) }

  /// What is to be compared, as it was asked for.
  private func requests() throws -> [SideRequest] {
    let groups = try group.map { text in
      guard let request = SideRequest(group: text) else {
        throw ValidationError("--group takes a name and captures, such as polar=a.log,b.log, not '\(text)'.")
      }
      return request
    }
    return groups + paths.map { SideRequest(path: $0) }
  }

  func validate() throws {
    let unknown = ignored.subtracting(ComparisonAspects.names)
    if let name = unknown.min() {
      throw ValidationError(
        "There is no aspect '\(name)'. The aspects are: \(ComparisonAspects.names.joined(separator: ", ")).")
    }
    let requests = try requests()
    let names = requests.compactMap(\.title)
    for (place, name) in names.enumerated() where names[..<place].contains(name) {
      throw ValidationError("Two groups are called '\(name)': give each a name of its own.")
    }
    try output.files(requests.flatMap { $0.members.map(\.path) }, known.gattMap + profiles.profiles).validate()
    let count = requests.count
    guard count > 0 else { throw ValidationError("Give two captures to compare, or one with several sensors.") }
    guard count <= SideRun.mostSides else {
      throw ValidationError("No more than \(SideRun.mostSides) sides can be compared.")
    }
  }
}

extension ComparisonFormat: ExpressibleByArgument {}
