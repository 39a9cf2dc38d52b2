import CaptureAnalysis
import CaptureReports
import CaptureSources

/// Reads captures, and sums up what a filter leaves of each.
struct SummaryRun {
  let isQuiet: Bool
  let limits: UnpackingLimits
  let listsMeasurements: Bool
  let filter: EventFilter
  let knowledge: CaptureKnowledge
  var rules = RuleSettings.none

  /// Reads all inputs.
  /// - Parameter failures: What else could not be read: it is told behind the captures.
  func captures(_ paths: [FilePath], failures: [InputError]) -> [AnalyzedCapture] {
    let run = CaptureRun(isQuiet: isQuiet, limits: limits)
    let captures = run.results(of: paths) { capture -> AnalyzedCapture in
      do throws(InputError) {
        return .summary(try summary(of: try capture.get(), run))
      } catch {
        error.complain()
        return .failure(path: "\(error.path)", message: error.message)
      }
    }
    return captures + failures.map { .failure(path: "\($0.path)", message: $0.message) }
  }

  private func summary(of input: CaptureInput, _ run: CaptureRun) throws(InputError) -> CaptureSummary {
    guard filter.isEmpty else {
      let part = PartialSummary(listsMeasurements: listsMeasurements, filter, rules: rules)
      let facts = try run.readStreaming(input, into: part.receiver, knowing: knowledge)
      return part.summary(path: "\(input.path)", memberNames: input.memberNames, facts: facts)
    }
    let builder = SummaryBuilder(listsMeasurements: listsMeasurements, rules: rules)
    let (filled, facts) = try run.read(input, into: builder, knowing: knowledge)
    return filled.summary(path: "\(input.path)", memberNames: input.memberNames, facts: facts)
  }
}
