import ArgumentParser
import CaptureAnalysis
import CaptureReports
import CaptureSources

/// Which models of sensors are known beside this program's own.
struct ProfileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A directory, or a file, of sensor profiles beside those that are known: what 'gatt --profile' wrote. May be repeated.",
      valueName: "directory"))
  var profiles: [FilePath] = []

  /// No profile takes as many octets.
  private static let longestProfile = 1 << 20

  /// All of them.
  /// - Parameter failures: Takes what cannot be read, of which a sentence has been said.
  func all(_ failures: inout [InputError]) -> SensorProfiles {
    var added: [SensorProfile] = []
    for path in profiles {
      var file = path
      do {
        let (files, unreadable) = try Self.files(of: path)
        if let first = unreadable.first {
          file = first.path
          throw first.error
        }
        if files.isEmpty { throw SourceError("there is no file in this directory whose name ends in .json") }
        for next in files {
          file = next
          added += try SensorProfileJSON.profiles(in: try FileSource.all(of: next, limit: Self.longestProfile))
        }
      } catch {
        failures.complain(InputError(path: file, message: "\(error)"))
      }
    }
    return SensorProfiles(adding: added)
  }

  /// The files that are read for them.
  var files: [FilePath] { profiles.flatMap { (try? Self.files(of: $0))?.files ?? [] } }

  private static func files(
    of path: FilePath
  ) throws(SourceError) -> (files: [FilePath], unreadable: [(path: FilePath, error: SourceError)]) {
    guard InputPaths.isDirectory(path) else { return ([path], []) }
    let contents = try InputPaths.contents(of: path)
    return (contents.files.filter { $0.hasSuffix(".json") }, contents.unreadable)
  }
}
