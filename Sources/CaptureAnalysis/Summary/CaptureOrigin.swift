/// Which capture something is from: an archive or a directory may hold several.
public struct CaptureOrigin: Hashable, Sendable {
  /// The path that was given.
  public let path: String
  /// The names of its files; see `CaptureSummary.memberNames`.
  public let memberNames: [String]

  /// A capture that is a file, or some files of an archive or a rotation.
  public init(path: String, memberNames: [String] = []) {
    (self.path, self.memberNames) = (path, memberNames)
  }
}
