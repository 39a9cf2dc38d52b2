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
  public static func isDirectory(_ path: FilePath) -> Bool {
    guard !path.isStandardInput else { return false }
    return kind(of: path) == S_IFDIR
  }

  /// Whether there is anything at a path.
  public static func exists(_ path: FilePath) -> Bool { kind(of: path) != nil }

  /// What lies below a directory.
  public struct Contents {
    /// All regular files, in the order of their names; none of them twice, under its own name and under that of a link.
    public fileprivate(set) var files: [FilePath] = []
    /// Which of them are links.
    fileprivate var links: Set<FilePath> = []
    /// What could not be looked into or at: the rest is there all the same.
    public fileprivate(set) var unreadable: [(path: FilePath, error: SourceError)] = []
  }

  /// All regular files below a directory. Links to directories are not followed.
  /// - Throws: `SourceError` if it cannot be read itself or holds too many files.
  public static func contents(of directory: FilePath) throws(SourceError) -> Contents {
    var contents = Contents()
    try add(try names(in: directory), of: directory, depth: 0, to: &contents)
    contents.removeRepeated()
    return contents
  }

  private static func add(
    _ names: [FilePath], of directory: FilePath, depth: Int, to contents: inout Contents
  ) throws(SourceError) {
    for name in names {
      let path = directory.appending(name)
      switch kind(of: path, followingLinks: false) {
      case S_IFDIR where depth + 1 < deepest:
        if let inner = readableNames(in: path, &contents) {
          try add(inner, of: path, depth: depth + 1, to: &contents)
        }
      case S_IFDIR:
        let error = SourceError("it lies \(deepest) directories deep; give its path to have it looked into")
        contents.unreadable.append((path, error))
      case S_IFREG: contents.files.append(path)
      case S_IFLNK: addTarget(of: path, to: &contents)
      case nil where errno == EACCES:
        // In some directories one may see names, and nothing else: one sentence about it will do.
        contents.unreadable.append((directory, SourceError(lastError: "cannot be looked into")))
        return
      // Gone since its name was read.
      case nil where errno == ENOENT: break
      case nil: contents.unreadable.append((path, SourceError(lastError: "cannot be looked at")))
      default: break
      }
      guard contents.files.count + contents.unreadable.count <= mostFiles else {
        throw SourceError(
          "it holds more than \(mostFiles) files; give the directories in it one by one, or the captures")
      }
    }
  }

  private static func readableNames(in directory: FilePath, _ contents: inout Contents) -> [FilePath]? {
    do throws(SourceError) {
      return try names(in: directory)
    } catch {
      contents.unreadable.append((directory, error))
      return nil
    }
  }

  private static func addTarget(of link: FilePath, to contents: inout Contents) {
    switch kind(of: link) {
    case S_IFREG:
      contents.files.append(link)
      contents.links.insert(link)
    case nil where errno == EACCES: contents.unreadable.append((link, SourceError(lastError: "cannot be looked at")))
    default: break
    }
  }

  /// The names in a directory, in order.
  private static func names(in directory: FilePath) throws(SourceError) -> [FilePath] {
    guard let stream = unsafe opendir(directory.terminated) else { throw SourceError(lastError: "cannot be opened") }
    defer { unsafe closedir(stream) }
    var names: [FilePath] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        unsafe FilePath(octets: octets)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func kind(of path: FilePath, followingLinks: Bool = true) -> mode_t? {
    var status = stat()
    let result = unsafe followingLinks ? stat(path.terminated, &status) : lstat(path.terminated, &status)
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}

extension InputPaths.Contents {
  /// What a link leads to is there once: under its own name where it lies there, too, else under that of the first link.
  fileprivate mutating func removeRepeated() {
    guard !links.isEmpty else { return }
    var known = Set(files.filter { !links.contains($0) }.compactMap { FileIdentity($0) })
    files.removeAll { path in
      guard links.contains(path), let identity = FileIdentity(path) else { return false }
      return !known.insert(identity).inserted
    }
  }
}
