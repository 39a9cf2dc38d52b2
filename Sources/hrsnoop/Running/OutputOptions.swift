import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// What all commands take that read captures: how they are read, and where the result goes.
struct OutputOptions: ParsableArguments {
  @OptionGroup var result: ResultOptions

  @OptionGroup(title: "Archives") var archives: ArchiveOptions

  var quiet: Bool { result.appearance.quiet }

  /// What a command reads that reads captures, and other files beside them.
  func files(_ captures: [FilePath], _ others: [FilePath]) -> ReadFiles {
    ReadFiles(captures: captures, others: others, limits: archives.limits)
  }

  /// Reads all inputs and sums up what a filter leaves of each.
  /// - Parameter failures: What else could not be read: it is told behind the captures.
  func analyze(
    _ paths: [FilePath], listsMeasurements: Bool, _ filter: EventFilter, knowing knowledge: CaptureKnowledge,
    rules: RuleSettings = .none, failures: [InputError]
  ) -> [AnalyzedCapture] {
    let run = CaptureRun(isQuiet: quiet, limits: archives.limits)
    let captures = run.results(of: paths) { capture -> AnalyzedCapture in
      do throws(InputError) {
        let input = try capture.get()
        guard filter.isEmpty else {
          let part = PartialSummary(listsMeasurements: listsMeasurements, filter, rules: rules)
          let facts = try run.readStreaming(input, into: part.receiver, knowing: knowledge)
          return .summary(part.summary(path: "\(input.path)", memberNames: input.memberNames, facts: facts))
        }
        let builder = SummaryBuilder(listsMeasurements: listsMeasurements, rules: rules)
        let (filled, facts) = try run.read(input, into: builder, knowing: knowledge)
        return .summary(filled.summary(path: "\(input.path)", memberNames: input.memberNames, facts: facts))
      } catch {
        error.complain()
        return .failure(path: "\(error.path)", message: error.message)
      }
    }
    return captures + failures.map { .failure(path: "\($0.path)", message: $0.message) }
  }

  /// Ends the program with what the exit code promises.
  /// - Parameter severity: How grave a finding must be to fail; nil if none does.
  func exit(after captures: [AnalyzedCapture], failingOn severity: Severity? = nil) throws {
    if captures.contains(where: { $0.summary == nil }) { throw ExitCode(ExitStatus.unreadable) }
    guard let severity else { return }
    if captures.allSatisfy({ $0.summary?.isEmptyByFilter ?? false }) {
      throw ExitStatus.nothingToJudge("nothing fits what was asked for")
    }
    let hasFound = captures.contains { $0.summary?.findings.contains { $0.severity >= severity } ?? false }
    if hasFound { throw ExitCode(ExitStatus.found) }
  }
}

extension ExitStatus {
  /// With `--fail-on`, what was not there was not tested.
  /// - Parameter reason: Why there is nothing to judge.
  /// - Returns: How the program ends, once that is said.
  static func nothingToJudge(_ reason: String) -> ExitCode {
    StandardError.complain("\(reason), so that --fail-on has nothing to judge")
    return ExitCode(unreadable)
  }
}
