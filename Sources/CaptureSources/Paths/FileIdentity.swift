#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Which file or directory it is, whatever names and links lead to it. Of what is read, only what holds octets of its own
/// has an identity: what comes from a pipe or a device is not lost when something is written there.
public struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The file at a path.
  public init?(_ path: FilePath) {
    var status = stat()
    guard unsafe stat(path.terminated, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that an input is read from; `-` is standard input.
  public init?(input path: FilePath) {
    guard path.isStandardInput else {
      self.init(path)
      return
    }
    var status = stat()
    guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return nil }
    self.init(status)
  }

  /// A directory; nil if there is none at the path.
  init?(directory path: FilePath) {
    var status = stat()
    guard unsafe stat(path.terminated, &status) == 0 else { return nil }
    self.init(status, S_IFDIR)
  }

  private init?(_ status: stat, _ kind: mode_t = S_IFREG) {
    guard status.st_mode & S_IFMT == kind else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
