import CaptureFiles
import Octets

/// One file of a capture, wherever it lies: by itself, in a pipe, in an archive, in a bug report's text.
public struct CaptureMember {
  /// The path that it lies in, as it was given.
  public let path: FilePath
  /// Its name within the archive; nil if it is not in one.
  public let name: String?
  /// When its first packet was captured; nil if it seems to have none.
  let firstTime: Timestamp?
  private(set) var place: Place
  /// What a terminal has made of it; nil if it was not copied through one.
  let copy: TerminalCopy?
  /// How many carriage returns a terminal has put before each line feed of it, which are taken out again; 0 where there
  /// are none.
  public var insertedReturns: Int { copy?.returns ?? 0 }
  /// Why its octets are not to be trusted, in a sentence, where the archive around it tells; nil if nothing says so.
  public internal(set) var doubt: String?

  /// Where a capture is read from.
  enum Place {
    /// A file.
    case file
    /// An open file without a path to be opened by again.
    case open(FileSource)
    /// What comes once.
    case pipe(OpenedCapture)
    /// What comes once, and is kept.
    case spool(Spool)
    /// A member of an archive: the place of each archive, and last its own, in the one around it.
    case archive(ArchiveAccess, [Int])
    /// The log in a bug report's text.
    case log(BugReportLog)
  }

  var canBeReadAgain: Bool {
    switch place {
    case .pipe: false
    case .spool(let spool): spool.canBeReadAgain
    case .file, .open, .archive, .log: true
    }
  }

  /// Whether a file or an archive stays open as long as the member is kept.
  var staysOpen: Bool {
    if case .file = place { false } else { true }
  }

  /// The archive that it lies in, where it can be opened there without unpacking what lies before it; nil elsewhere.
  var quickArchive: ArchiveAccess? {
    guard case .archive(let access, let steps) = place, steps.count == 1, access.skipsForFree else { return nil }
    return access
  }

  /// The same member, kept where it would come but once.
  func kept() -> CaptureMember {
    guard case .pipe(let opened) = place else { return self }
    var kept = self
    kept.place = .spool(Spool(opened))
    return kept
  }

  /// When its last packet was captured, for which it is read; nil where that can be done but once, or no time is told.
  func lastTime() -> Timestamp? {
    guard canBeReadAgain, var opened = try? open() else { return nil }
    var (reader, last) = (CaptureReader(), LastPacketTime())
    var hasMore = true
    while hasMore {
      hasMore = (try? opened.fill()) ?? false
      guard let read = try? reader.read(opened.octets, isLast: !hasMore, into: &last) else { break }
      opened.consume(read)
    }
    return last.time
  }

  /// Opens it.
  /// - Throws: `SourceError` if that cannot be done.
  public func open() throws(SourceError) -> OpenedCapture {
    let opened = try openAsItLies()
    return copy.map { opened.restored($0) } ?? opened
  }

  private func openAsItLies() throws(SourceError) -> OpenedCapture {
    switch place {
    case .file:
      let file = try FileSource(path: path)
      return OpenedCapture(file, size: file.size)
    case .open(let file): return OpenedCapture(StoredSource(file), size: file.size)
    case .pipe(let opened): return opened
    case .spool(let spool): return try spool.open()
    case .archive(let access, let steps): return OpenedCapture(try access.open(steps), size: nil)
    case .log(let log): return OpenedCapture(try log.unpacked(), size: nil)
    }
  }
}

/// A capture whose octets are being read.
public struct OpenedCapture {
  private(set) var source: any OctetSource
  private var buffer: OctetBuffer
  /// How many octets there are; nil where that is not known beforehand.
  public let size: Int?

  init(
    _ source: any OctetSource, size: Int?, buffer: OctetBuffer = OctetBuffer(longest: CaptureReader.longestRecord)
  ) {
    self.source = source
    self.size = size
    self.buffer = buffer
  }

  /// The octets that have been read and not consumed.
  public var octets: Span<UInt8> {
    @_lifetime(borrow self) get { buffer.octets }
  }

  /// Forgets octets from the front.
  public mutating func consume(_ count: Int) { buffer.consume(count) }

  /// Reads a piece more.
  /// - Returns: Whether there was any more.
  /// - Throws: `SourceError` if it cannot be read.
  public mutating func fill() throws(SourceError) -> Bool { try buffer.fill(from: &source) }

  /// Whether there is nothing more at the moment, so that reading on would wait.
  public var wouldWait: Bool { source.wouldWait }

  /// The same capture as it was before a terminal made a copy of it.
  func restored(_ copy: TerminalCopy) -> OpenedCapture {
    OpenedCapture(copy.restored(RejoinedSource(octets, then: source)), size: size)
  }
}
