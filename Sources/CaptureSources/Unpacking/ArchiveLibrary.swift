#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// libarchive, loaded when the first archive is opened. With the dozen libraries behind it, it takes longer to load than
/// all else there is to start, and most captures are in no archive.
///
/// What is written here stands in its header `archive.h`, of version 3, and is what every program that was linked with it
/// relies on.
@safe struct ArchiveLibrary: Sendable {
  typealias Archive = OpaquePointer
  typealias Entry = OpaquePointer
  typealias BlockStart = UnsafeMutablePointer<UnsafeRawPointer?>
  /// Reads a piece: tells where it is, and how long; 0 at the end, less after an error.
  typealias Read = @convention(c) (Archive?, UnsafeMutableRawPointer?, BlockStart?) -> Int
  /// Goes to a place: an offset, and from where it counts.
  typealias Seek = @convention(c) (Archive?, UnsafeMutableRawPointer?, Int64, Int32) -> Int64

  /// What its functions return, the graver the less.
  enum Status {
    static let ok: Int32 = 0
    static let end: Int32 = 1
    /// It failed, and may be asked again: what stands behind is looked into then.
    static let retry: Int32 = -10
    static let warning: Int32 = -20
    static let fatal: Int32 = -30
  }

  /// What an archive is, in the bits that tell the kind alone.
  enum Format {
    static let kind: Int32 = 0xFF0000
    static let zip: Int32 = 0x50000
    static let raw: Int32 = 0x90000
  }

  let new: @convention(c) @Sendable () -> Archive?
  let free: @convention(c) @Sendable (Archive) -> Int32
  let setCallbackData: @convention(c) @Sendable (Archive, UnsafeMutableRawPointer) -> Int32
  let setReadCallback: @convention(c) @Sendable (Archive, Read) -> Int32
  let setSeekCallback: @convention(c) @Sendable (Archive, Seek) -> Int32
  let open: @convention(c) @Sendable (Archive) -> Int32
  let nextHeader: @convention(c) @Sendable (Archive, UnsafeMutablePointer<Entry?>) -> Int32
  let readBlock:
    @convention(c) @Sendable (Archive, BlockStart, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int64>) -> Int32
  let format: @convention(c) @Sendable (Archive) -> Int32
  let errorString: @convention(c) @Sendable (Archive) -> UnsafePointer<CChar>?
  let sizeIsSet: @convention(c) @Sendable (Entry) -> Int32
  let fileType: @convention(c) @Sendable (Entry) -> mode_t
  let isEncrypted: @convention(c) @Sendable (Entry) -> Int32
  let name: @convention(c) @Sendable (Entry) -> UnsafePointer<CChar>?
  let nameInUTF8: @convention(c) @Sendable (Entry) -> UnsafePointer<CChar>?
  private let appendFilter: @convention(c) @Sendable (Archive, Int32) -> Int32
  /// What allows each format.
  private let support: [Part: @convention(c) @Sendable (Archive) -> Int32]

  /// What phones and computers pack logs with. A compressed file is an archive of one member, raw.
  enum Part: String, CaseIterable {
    case zip = "format_zip"
    case tar = "format_tar"
    case raw = "format_raw"
  }

  /// What may be packed around it, in its numbers. It would unpack what is packed several times over; each is unpacked
  /// by itself instead, by `StreamSource` or `InflatedSource`.
  enum Filter: Int32 {
    case gzip = 1
    case bzip2 = 2
    case xz = 6
    case zstandard = 14
  }

  /// Where it may be: where the system has its libraries, or Homebrew.
  private static let places = [
    "libarchive.so.13", "libarchive.so", "/opt/homebrew/opt/libarchive/lib/libarchive.dylib",
    "/usr/local/opt/libarchive/lib/libarchive.dylib", "libarchive.2.dylib",
  ]

  private static let loaded = Result { () throws(SourceError) in try ArchiveLibrary() }

  /// The library.
  /// - Throws: `SourceError` if it is not installed.
  static func load() throws(SourceError) -> ArchiveLibrary { try loaded.get() }

  private init() throws(SourceError) {
    guard let library = unsafe Self.places.lazy.compactMap({ unsafe dlopen($0, RTLD_NOW) }).first else {
      throw SourceError("archives are read with libarchive, which is not installed: install it, or unpack the archive")
    }
    unsafe new = try Self.function("read_new", of: library)
    unsafe free = try Self.function("read_free", of: library)
    unsafe setCallbackData = try Self.function("read_set_callback_data", of: library)
    unsafe setReadCallback = try Self.function("read_set_read_callback", of: library)
    unsafe setSeekCallback = try Self.function("read_set_seek_callback", of: library)
    unsafe open = try Self.function("read_open1", of: library)
    unsafe nextHeader = try Self.function("read_next_header", of: library)
    unsafe readBlock = try Self.function("read_data_block", of: library)
    unsafe format = try Self.function("format", of: library)
    unsafe errorString = try Self.function("error_string", of: library)
    unsafe sizeIsSet = try Self.function("entry_size_is_set", of: library)
    unsafe fileType = try Self.function("entry_filetype", of: library)
    unsafe isEncrypted = try Self.function("entry_is_encrypted", of: library)
    unsafe name = try Self.function("entry_pathname", of: library)
    unsafe nameInUTF8 = try Self.function("entry_pathname_utf8", of: library)
    unsafe appendFilter = try Self.function("read_append_filter", of: library)
    var support: [Part: @convention(c) @Sendable (Archive) -> Int32] = unsafe [:]
    for part in Part.allCases {
      unsafe support[part] = try Self.function("read_support_" + part.rawValue, of: library)
    }
    unsafe self.support = support
  }

  /// Allows an archive to be one of some formats.
  /// - Parameter filter: What is packed around it; nil if nothing is.
  func allow(_ parts: [Part], within filter: Filter?, in archive: Archive) {
    for part in parts { if let allow = unsafe support[part] { _ = unsafe allow(archive) } }
    if let filter { _ = unsafe appendFilter(archive, filter.rawValue) }
  }

  private static func function<Function>(
    _ name: String, of library: UnsafeMutableRawPointer
  ) throws(SourceError) -> Function {
    guard let address = unsafe dlsym(library, "archive_" + name) else {
      throw SourceError("the libarchive that is installed is too old to read archives: it has no archive_\(name)")
    }
    return unsafe unsafeBitCast(address, to: Function.self)
  }
}
