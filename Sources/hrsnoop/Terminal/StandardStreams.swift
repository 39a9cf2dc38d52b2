#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The streams that whoever starts the program gives it.
enum StandardStreams {
  /// Takes the numbers of those that were closed.
  ///
  /// The first file that is opened would get one of them: what is said on standard error would then stand in the result, or
  /// in a recording. What has the number instead lets nobody read what should be read, nor write what should be written.
  static func hold() {
    for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // It gets the lowest number that is free: those below it are taken.
      _ = unsafe open("/dev/null", access)
    }
  }
}
