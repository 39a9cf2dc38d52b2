import ArgumentParser
import CaptureSources

/// What a command reads: its result is written over none of it, since a capture may be the only one there is, and none of
/// it can be read twice that comes but once.
struct ReadFiles {
  /// Captures, archives, directories, standard input.
  var captures: [FilePath] = []
  /// What is read beside them.
  var others: [FilePath] = []
  var limits = UnpackingLimits()

  /// What comes on standard input comes once, whoever of them reads it first.
  /// - Throws: `ValidationError` if several do.
  func validate() throws {
    guard (captures + others).count(where: \.isStandardInput) > 1 else { return }
    throw ValidationError("Standard input can be read only once: save what comes there to a file, and give that.")
  }

  /// Whether a file is one of them, or a capture in one of their directories.
  func contain(_ file: FilePath) -> Bool {
    guard let identity = FileIdentity(file) else { return false }
    if (captures + others).contains(where: { FileIdentity(input: $0) == identity }) { return true }
    return captures.contains { InputPaths.isDirectory($0) && isCapture(identity, in: $0) }
  }

  /// Whether a file lies in a directory and would be read there: last time's report may be written over.
  private func isCapture(_ identity: FileIdentity, in directory: FilePath) -> Bool {
    let files = (try? InputPaths.contents(of: directory))?.files ?? []
    guard let file = files.first(where: { FileIdentity($0) == identity }) else { return false }
    guard let survey = try? CaptureSurvey(path: file, limits: limits) else { return true }
    return !survey.members.isEmpty || survey.hidesFiles
  }
}
