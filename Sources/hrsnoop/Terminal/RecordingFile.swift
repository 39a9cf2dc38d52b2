import CaptureSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that grows by whole records, and is never written over what others have written.
final class RecordingFile {
  /// Its path.
  let path: FilePath
  /// Its path as people see it.
  let name: String
  /// How many octets are in it.
  private(set) var octets = 0
  private let descriptor: Int32

  /// Makes a file.
  /// - Parameter isForced: Whether one that exists is written over.
  /// - Throws: `DestinationError` if it cannot be made, or one exists.
  init(path: FilePath, isForced: Bool) throws(DestinationError) {
    self.path = path
    name = "\(path)"
    descriptor = Self.open(path, isForced: isForced)
    guard descriptor >= 0 else {
      let code = errno
      guard code != EEXIST else {
        throw DestinationError(description: "\(path): exists already; --force writes over it")
      }
      throw DestinationError(name, code: code)
    }
  }

  deinit { close(descriptor) }

  /// Opens a file for writing. What is no file, such as a device, holds nothing that could be written over.
  private static func open(_ path: FilePath, isForced: Bool) -> Int32 {
    let isDevice = kind(of: path).map { $0 != S_IFREG } ?? false
    return systemOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isForced || isDevice ? O_TRUNC : O_EXCL))
  }

  /// hrsnoop-1.btsnoop in the working directory, or the next number for which there is none.
  static func freeName() -> FilePath {
    var number = 1
    while true {
      let path = FilePath("hrsnoop-\(number).btsnoop")
      if !InputPaths.exists(path) { return path }
      number += 1
    }
  }

  private static func kind(of path: FilePath) -> mode_t? {
    var status = stat()
    return unsafe stat(path.terminated, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Takes the file away again: nothing came of the capture.
  func remove() {
    if Self.kind(of: path) == S_IFREG { unsafe unlink(path.terminated) }
  }

  /// Adds octets, all of them or none.
  /// - Throws: `DestinationError`, after which there is nothing more to be done with the file.
  func append(_ new: Span<UInt8>) throws(DestinationError) {
    let code = unsafe new.withUnsafeBytes { all in
      var left = unsafe all[...]
      return unsafe systemWrite(&left, to: descriptor)
    }
    guard code == 0 else {
      // No record that is not whole.
      _ = ftruncate(descriptor, off_t(octets))
      throw DestinationError(name, "cannot be written any more", code: code)
    }
    octets += new.count
  }

}

/// `open` of the system: within the type its name means the method.
private func systemOpen(_ path: FilePath, _ flags: Int32) -> Int32 { unsafe open(path.terminated, flags, 0o644) }
