#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The members of an archive, or what is in a compressed file, one after another: libarchive over any source.
///
/// Nothing is written anywhere, and names are only told.
@safe final class ArchiveReader {
  private let library: ArchiveLibrary
  private let archive: ArchiveLibrary.Archive
  private let feed: ArchiveFeed
  private let budget: UnpackingBudget?
  /// The member that is open, counted from 0; -1 before the first.
  private(set) var index = -1
  /// Whether the open member can be passed over without being unpacked.
  private(set) var skipsForFree = false
  private var isDone = false
  /// Whether the header of a member could not be read, so that the member was not found.
  private(set) var hasDamagedHeader = false
  /// Why there is no more of the open member, where there should be, or why it is not to be trusted.
  private var memberFailure: SourceError?
  /// The octets of the open member that libarchive has unpacked and nobody has read.
  private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// How many zeros stand before them that a tar has left out: of a file with holes it packs the rest.
  private var hole = 0
  /// How many octets of the open member there are up to the end of those, holes and all.
  private var position = 0

  /// A tar has a header, or a piece of a file, in each.
  private static let tarBlock = 512

  /// What is packed more often is not looked into.
  private static let mostLayers = 25

  /// A member of an archive.
  struct Entry {
    /// Its name; nil for what a compressed file holds.
    let name: String?
    /// Whether it is a file, not a folder or a link.
    let isFile: Bool
    /// Whether a password is needed.
    let isEncrypted: Bool
  }

  /// Opens an archive.
  /// - Parameter isOutermost: Whether the source is the input itself, not a member of another archive.
  convenience init(
    _ source: any OctetSource, isOutermost: Bool, _ budget: UnpackingBudget
  ) throws(SourceError) {
    var source = source
    var counter = isOutermost ? budget : nil
    var layers = 0
    while let unpacked = try Packing.unpacked(&source, counter) {
      (source, counter) = (unpacked, nil)
      layers += 1
      guard layers < Self.mostLayers else { throw .nestedTooDeep }
    }
    try self.init(source, allowing: [.zip, .tar, .raw], packed: counter, unpacked: budget)
  }

  /// Opens an archive that is one of some formats.
  /// - Parameters:
  ///   - filter: What is packed around it; nil if nothing is.
  ///   - packed: What counts the octets that are read; nil if they are counted elsewhere.
  ///   - budget: What counts those that come out; nil if they are counted elsewhere.
  init(
    _ source: any OctetSource, allowing parts: [ArchiveLibrary.Part], within filter: ArchiveLibrary.Filter? = nil,
    packed: UnpackingBudget?, unpacked budget: UnpackingBudget?
  ) throws(SourceError) {
    Self.readsNames
    library = try ArchiveLibrary.load()
    guard let archive = unsafe library.new() else { throw SourceError("there is no memory to open the archive") }
    unsafe self.archive = archive
    self.budget = budget
    feed = ArchiveFeed(source, packed)
    unsafe library.allow(parts, within: filter, in: archive)
    _ = unsafe library.setCallbackData(archive, Unmanaged.passUnretained(feed).toOpaque())
    _ = unsafe library.setReadCallback(archive) { _, feed, octets in
      guard let feed = unsafe feed, let octets = unsafe octets else { return -1 }
      return unsafe Unmanaged<ArchiveFeed>.fromOpaque(feed).takeUnretainedValue().read(octets)
    }
    if feed.size != nil {
      _ = unsafe library.setSeekCallback(archive) { _, feed, offset, origin in
        guard let feed = unsafe feed else { return -1 }
        return unsafe Unmanaged<ArchiveFeed>.fromOpaque(feed).takeUnretainedValue().seek(offset, origin)
      }
    }
    guard unsafe library.open(archive) == ArchiveLibrary.Status.ok else { throw failure() }
  }

  deinit { _ = unsafe library.free(archive) }

  /// Names that a zip says are UTF-8 pass through the locale's encoding. The one that every program begins with has only
  /// ASCII, and the user's may be another one: libarchive would have no name to give.
  private static let readsNames: Void = {
    for locale in ["C.UTF-8", "UTF-8", "en_US.UTF-8"] where unsafe setlocale(LC_CTYPE, locale) != nil { return }
  }()

  /// Goes to the next member.
  /// - Returns: The member; nil behind the last.
  func next() throws(SourceError) -> Entry? {
    guard !isDone else { return nil }
    if index >= 0, !skipsForFree { try drain() }
    var entry: OpaquePointer?
    let result = unsafe try nextHeader(&entry)
    unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
    (hole, position) = (0, 0)
    memberFailure = nil
    if result == ArchiveLibrary.Status.end {
      isDone = true
      try readToEnd()
      switch feed.directory {
      case .own: return nil
      case .foreign, .missing: throw SourceError.cutOff
      case .damaged: throw SourceError.damagedDirectory
      }
    }
    guard result >= ArchiveLibrary.Status.warning, let entry = unsafe entry else {
      isDone = true
      throw failure()
    }
    try budget?.noteEntry()
    index += 1
    let format = unsafe library.format(archive) & ArchiveLibrary.Format.kind
    // A zip whose list of members was found tells where each lies; anything else is unpacked to be passed over.
    skipsForFree = unsafe format == ArchiveLibrary.Format.zip && feed.size != nil && library.sizeIsSet(entry) != 0
    if skipsForFree { budget?.beginMember() }
    return Entry(
      name: format == ArchiveLibrary.Format.raw ? nil : unsafe name(of: entry),
      isFile: unsafe library.fileType(entry) == S_IFREG,
      isEncrypted: unsafe library.isEncrypted(entry) != 0)
  }

  /// Looks for the next member's header. Where one is damaged, nobody knows how long its member is: a header may stand in
  /// each of the blocks behind it.
  private func nextHeader(_ entry: inout OpaquePointer?) throws(SourceError) -> Int32 {
    while true {
      let result = unsafe library.nextHeader(archive, &entry)
      guard result == ArchiveLibrary.Status.retry else { return result }
      hasDamagedHeader = true
      try budget?.noteUnpacked(Self.tarBlock)
    }
  }

  /// The name, whatever it is encoded in.
  private func name(of entry: OpaquePointer) -> String {
    if let name = unsafe library.nameInUTF8(entry) { return unsafe String(cString: name) }
    if let name = unsafe library.name(entry) { return unsafe String(cString: name) }
    return "member \(index + 1)"
  }

  /// Reads the next octets of the open member.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while unsafe hole == 0 && block.isEmpty {
      guard try nextBlock() else { return 0 }
    }
    if hole > 0 { return unsafe try readHole(into: space) }
    let count = unsafe min(block.count, space.count)
    unsafe space.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    unsafe block = UnsafeRawBufferPointer(rebasing: block[count...])
    return count
  }

  private func readHole(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = min(hole, space.count)
    try budget?.noteUnpacked(count)
    unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
    hole -= count
    return count
  }

  /// What the archive is packed in tells at its end alone whether all of it is as it was packed.
  private func readToEnd() throws(SourceError) {
    var count = feed.size == nil ? feed.readOn() : 0
    while count > 0 {
      try budget?.noteUnpacked(count)
      count = feed.readOn()
    }
    if let failure = feed.failure { throw failure }
  }

  /// Passes over what is left of the open member, and counts it.
  private func drain() throws(SourceError) {
    do throws(SourceError) {
      while try nextBlock() {}
    } catch {
      // Who passes over a member need not trust it.
      if !error.isDoubt { throw error }
    }
  }

  /// Unpacks a piece of the open member. Blocks, not `archive_read_data`, which loses the last one where a checksum is
  /// wrong.
  private func nextBlock() throws(SourceError) -> Bool {
    if let memberFailure { throw memberFailure }
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let result = unsafe library.readBlock(archive, &start, &count, &offset)
    let isEnd = result == ArchiveLibrary.Status.end
    guard isEnd || result >= ArchiveLibrary.Status.warning else {
      unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
      let failure = failure()
      memberFailure = failure
      throw failure
    }
    unsafe block = UnsafeRawBufferPointer(start: start, count: isEnd ? 0 : count)
    // The archive tells where it stands: that may be anything.
    hole = max(position, Int(clamping: offset)) - position
    unsafe position = min(position + hole, .max - block.count) + block.count
    if isEnd {
      // A compressed file ends where its source does; the members of an archive end by themselves.
      if unsafe library.format(archive) == ArchiveLibrary.Format.raw, let error = feed.failure { throw error }
      return hole > 0
    }
    // With the last octets of a zip's member, and with nothing else: the checksum or a length is wrong.
    if result == ArchiveLibrary.Status.warning { memberFailure = .altered(words) }
    try budget?.noteUnpacked(count)
    return true
  }

  /// Why libarchive cannot go on: because the source could not, or in its own words.
  private func failure() -> SourceError {
    if let error = feed.failure { return error }
    let words = words
    if words.contains("assphrase") { return .locked }
    let isForeign = words.hasPrefix("Unsupported ZIP compression method") || words.contains("too much memory")
    if isForeign { return .packedOtherwise(words) }
    // At its end, what libarchive says depends on where in its own work it was.
    return feed.hasEnded ? .cutOff : .damaged(words, unpacked: position)
  }

  /// What libarchive says is wrong; some of its words end a line.
  private var words: String {
    let words = unsafe library.errorString(archive).map { unsafe String(cString: $0) } ?? "unknown reason"
    return String(words.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension SourceError {
  /// A member that only its password opens.
  static let locked = SourceError("it is protected by a password: unpack it, and give what was in it")

  /// A member that is packed in a way that libarchive does not know, such as Windows' for large files.
  static func packedOtherwise(_ words: String) -> SourceError {
    SourceError("it is packed in a way that is not read here (\(words)): unpack it, and give what was in it")
  }

  /// What is compressed, and that again, and so on.
  static let nestedTooDeep = SourceError("it is compressed over and over, more often than is looked into: unpack it")

  /// A member that is not found.
  static let damagedHeader = SourceError(
    "the header of a file in it is damaged, and that file is not found; of what stands behind it, what has a header was "
      + "looked into")

  /// An archive whose list of members is damaged, or one of their headers is.
  static let damagedDirectory = SourceError(
    "the archive's list of what is in it is damaged: each file was looked for where it lies, and one whose own header is "
      + "damaged is not found")

  /// An archive of which only a beginning is there.
  static let cutOff = SourceError("the archive is not all there: it was not copied to its end")

  /// What cannot be unpacked on.
  /// - Parameter count: How many octets came out of it before, of which nothing says yet that they are right.
  static func damaged(_ words: String, unpacked count: Int) -> SourceError {
    SourceError("the archive is damaged (\(words))", count > 0 ? .damage : .failure)
  }

  /// What is read to its end, and is not what was packed.
  static func altered(_ words: String) -> SourceError {
    SourceError("what was unpacked is not what was packed (\(words))", .doubt)
  }
}

/// What libarchive reads from.
@safe private final class ArchiveFeed {
  private var source: any OctetSource
  private let budget: UnpackingBudget?
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  private var offset = 0
  /// How many octets there are, where one can go back to good purpose.
  let size: Int?
  /// What the list of members is, if it is a zip.
  let directory: ZipDirectory
  /// What went wrong in the source.
  private(set) var failure: SourceError?
  /// Whether more was wanted than there is.
  private(set) var hasEnded = false

  init(_ source: any OctetSource, _ budget: UnpackingBudget?) {
    self.source = source
    self.budget = budget
    let seekable = source as? any SeekableOctetSource
    directory = seekable.map { ZipDirectory(in: $0) } ?? .own
    // By the list of another zip, or one that is damaged, others would be found, or none: without a list, each is found
    // where it lies.
    size = directory == .foreign || directory == .damaged ? nil : seekable?.size
  }

  deinit { unsafe space.deallocate() }

  /// Reads a piece more. A failure of the source is its end, for libarchive: after an error, it would not give out what
  /// it had been given before.
  func read(_ octets: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    let count = readOn()
    unsafe octets.pointee = UnsafeRawPointer(space.baseAddress)
    return count
  }

  /// Reads a piece more, or nothing at the end and when the source has failed.
  func readOn() -> Int {
    var count = 0
    do throws(SourceError) {
      if failure == nil { count = try unsafe source.read(into: space) }
    } catch {
      failure = error
    }
    offset += count
    hasEnded = count == 0
    budget?.notePacked(count)
    return count
  }

  /// - Parameter origin: What the offset counts from, in the numbers of `lseek`: the beginning, here, the end.
  func seek(_ distance: Int64, _ origin: Int32) -> Int64 {
    let failure = Int64(ArchiveLibrary.Status.fatal)
    guard let size, let source = source as? any SeekableOctetSource else { return failure }
    let base = origin == 0 ? 0 : origin == 1 ? offset : size
    let (target, overflow) = base.addingReportingOverflow(Int(clamping: distance))
    guard !overflow, (0...size).contains(target), source.seek(to: target) else { return failure }
    offset = target
    hasEnded = false
    return Int64(target)
  }
}

/// The open member of an archive, as a source.
final class ArchiveMember: OctetSource {
  private let reader: ArchiveReader

  init(_ reader: ArchiveReader) { self.reader = reader }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    try unsafe reader.read(into: space)
  }
}
