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
