#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What a path given by the user stands for: a file, or all files of a directory.
public enum InputPaths {
  /// More files than these in one directory are not a set of captures but a mistake.
  public static let mostFiles = 10_000
  private static let deepest = 16

  /// Whether a path is a directory.
  public static func isDirectory(_ path: String) -> Bool {
    guard path != "-" else { return false }
    return kind(of: path) == S_IFDIR
  }

  /// Whether there is anything at a path.
  public static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  /// All regular files below a directory, in the order of their names. Links to directories are not followed.
  /// - Throws: `SourceError` if it cannot be read or holds too many files.
  public static func files(below directory: String) throws(SourceError) -> [String] {
    var files: [String] = []
    try collect(directory, depth: 0, into: &files)
    return files
  }

  private static func collect(_ directory: String, depth: Int, into files: inout [String]) throws(SourceError) {
    guard depth < deepest else { return }
    for name in try names(in: directory).sorted() {
      let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
      switch kind(of: path, followingLinks: false) {
      case S_IFDIR: try collect(path, depth: depth + 1, into: &files)
      case S_IFREG, S_IFLNK: if kind(of: path) == S_IFREG { files.append(path) }
      default: break
      }
      guard files.count <= mostFiles else { throw SourceError("it holds more than \(mostFiles) files") }
    }
  }

  private static func names(in directory: String) throws(SourceError) -> [String] {
    guard let stream = unsafe opendir(directory) else { throw SourceError(lastError: "cannot be opened") }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        unsafe String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func kind(of path: String, followingLinks: Bool = true) -> mode_t? {
    var status = stat()
    let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}
