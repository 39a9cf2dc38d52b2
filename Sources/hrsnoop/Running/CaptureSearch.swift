import CaptureSources

/// Finds the captures that paths stand for: a directory or an archive stands for every capture in it.
final class CaptureSearch {
  private let limits: UnpackingLimits
  /// Whether what comes through a pipe is kept, to be read twice as files are.
  let keepsPipes: Bool
  /// How many captures have been handed on before the one at hand.
  private(set) var handedOn = 0
  /// Whether there is more than one capture, as far as that is known before all have been found.
  private(set) var findsSeveral = false

  init(limits: UnpackingLimits, keepsPipes: Bool) {
    self.limits = limits
    self.keepsPipes = keepsPipes
  }

  /// Finds them, and hands on each.
  ///
  /// A path is not opened before all that come before it have been handed on: standard input may be slow.
  func captures(in paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Void) {
    func count(_ capture: Result<CaptureInput, InputError>) {
      body(capture)
      handedOn += 1
    }
    let groups = CaptureInput.rotatedPaths(paths)
    findsSeveral = groups.count > 1
    for group in groups {
      if let directory = group.first, group.count == 1, InputPaths.isDirectory(directory) {
        captures(inDirectory: directory, count)
      } else {
        captures(inFiles: group, count)
      }
    }
  }

  private func captures(inFiles paths: [FilePath], _ body: (Result<CaptureInput, InputError>) -> Void) {
    var failures: [InputError] = []
    let surveys = surveys(of: paths, &failures) { _ in true }
    handOn(CaptureInput.inputs(in: surveys), body)
    for failure in failures { body(.failure(failure)) }
  }

  /// Looks into files. One that cannot be read has failed.
  /// - Parameter isMissed: Whether one that holds no capture has failed, too.
  private func surveys(
    of files: [FilePath], _ failures: inout [InputError], isMissed: (CaptureSurvey) -> Bool
  ) -> [CaptureSurvey] {
    var surveys: [CaptureSurvey] = []
    for file in files {
      do throws(SourceError) {
        let survey = try CaptureSurvey(path: file, limits: limits)
        if survey.members.isEmpty, isMissed(survey) {
          failures.append(InputError(path: file, message: survey.complaint))
        } else {
          surveys.append(survey)
        }
      } catch {
        failures.append(InputError(path: file, message: error.description))
      }
    }
    return surveys
  }

  /// Hands captures on, and lets go of each, so that no more than one archive is open at a time.
  ///
  /// What is told as it comes knows only what came before: where nobody has said in which order, that of time is the best.
  private func handOn(_ inputs: consuming [CaptureInput], _ body: (Result<CaptureInput, InputError>) -> Void) {
    var rest = Array((keepsPipes ? inputs : CaptureInput.inOrderOfTime(inputs)).reversed())
    findsSeveral = findsSeveral || rest.count > 1
    while let input = rest.popLast() { body(.success(keepsPipes ? input.kept() : input)) }
  }

  private func captures(inDirectory path: FilePath, _ body: (Result<CaptureInput, InputError>) -> Void) {
    do throws(SourceError) {
      let contents = try InputPaths.contents(of: path)
      var failures = contents.unreadable.map { InputError(path: $0.path, message: $0.error.description) }
      // A file need not be a capture; one that may hide a capture is told.
      let surveys = surveys(of: contents.files, &failures, isMissed: \.hidesFiles)
      let inputs = CaptureInput.inputs(in: surveys)
      if inputs.isEmpty, failures.isEmpty {
        if let report = surveys.first(where: { $0.barrenReport != nil }) {
          throw SourceError("there is no capture in this directory. \(report.path.name): \(report.complaint)")
        }
        throw SourceError("there is no capture in this directory. \(InputError.formats)")
      }
      handOn(inputs, body)
      for failure in failures { body(.failure(failure)) }
    } catch {
      body(.failure(InputError(path: path, message: error.description)))
    }
  }
}
