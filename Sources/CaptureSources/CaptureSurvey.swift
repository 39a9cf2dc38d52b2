import CaptureFiles
public import Octets

/// What captures there are in a file: it may be one, or an archive of archives.
public struct CaptureSurvey {
  /// The captures, in the order they lie there.
  public private(set) var members: [CaptureMember] = []
  /// What could not be looked into, as far as it is kept.
  public private(set) var troubles: [Trouble] = []
  /// How many troubles there were.
  public private(set) var troubleCount = 0
  /// Whether it is an archive.
  public private(set) var isArchive = false

  /// Whether something in it could not be looked at, or is a capture that cannot be read.
  public private(set) var hidesFiles = false

  /// A bug report's text in which there is no log, and the text's name in the archive: where there is no capture either,
  /// that is why.
  public private(set) var barrenReport: (name: String?, kind: BarrenReport)?

  /// Something that could not be looked into, or is no capture.
  public struct Trouble {
    /// The name within the archive; nil for the file itself.
    public let name: String?
    /// What is wrong with it.
    public let reason: Reason

    /// What can be wrong.
    public enum Reason {
      /// It cannot be read.
      case source(SourceError)
      /// It can be read, and is not what is wanted.
      case content(ParsingError)
    }
  }

  /// The file's path.
  public let path: FilePath
  private let limits: UnpackingLimits
  private let budget: UnpackingBudget
  /// The logs in its texts.
  private let logs: UnpackedLogs
  /// Buffers that are not in use, one a level of archives.
  private var buffers: [OctetBuffer] = []

  fileprivate static let mostMembers = 1000
  private static let mostTroubles = 10
  /// More octets than these are not kept of an archive that comes through a pipe.
  private static let mostHeld = 256 << 20
  /// A name that is longer is cut: names are told, and nothing is done with them.
  private static let longestName = 1000

  /// Looks into a file.
  /// - Parameter path: Its path; `-` is standard input.
  /// - Throws: `SourceError` if it cannot be opened.
  public init(path: FilePath, limits: UnpackingLimits = UnpackingLimits()) throws(SourceError) {
    self.path = path
    self.limits = limits
    budget = UnpackingBudget(limits)
    logs = UnpackedLogs(limits)
    let file = try FileSource(path: path)
    var source: any OctetSource = file
    var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
    let kind = try Self.kind(&buffer, &source)
    switch kind {
    case .capture:
      if file.size == nil {
        add(nil, buffer.octets, .pipe(OpenedCapture(source, size: nil, buffer: buffer)))
      } else {
        add(nil, buffer.octets, path.isStandardInput ? .open(file) : .file)
      }
    case .text:
      do throws(SourceError) {
        try lookIntoText(&buffer, &source, name: nil)
      } catch {
        if members.isEmpty { throw error }
        note(nil, .source(error))
      }
    case .unreadable(let error): note(nil, .content(error))
    case .archive:
      isArchive = true
      let root = try Self.root(path, file, buffer.octets)
      do throws(SourceError) {
        let reader = try ArchiveReader(try root(), isOutermost: true, budget)
        try look(into: reader, [], name: nil, access: ArchiveAccess(limits, root: root))
      } catch {
        note(nil, .source(error))
      }
    }
  }

  /// How an archive is opened from its beginning, as often as need be: what comes through a pipe is kept.
  private static func root(
    _ path: FilePath, _ file: FileSource, _ start: Span<UInt8>
  ) throws(SourceError) -> () throws(SourceError) -> any OctetSource {
    if file.size == nil {
      var rest = file
      guard let octets = try rest.all(behind: start, atMost: mostHeld) else {
        throw SourceError(
          "more than \(mostHeld >> 20) MiB of an archive come through a pipe: save it, and give the file", .limit)
      }
      return { () throws(SourceError) in StoredSource(octets) }
    }
    if !path.isStandardInput { return { () throws(SourceError) in try FileSource(path: path) } }
    return { () throws(SourceError) in StoredSource(file) }
  }

  /// Looks at each member of an archive.
  private mutating func look(
    into reader: ArchiveReader, _ steps: [Int], name: String?, access: ArchiveAccess
  ) throws(SourceError) {
    let before = members.count
    do throws(SourceError) {
      try lookAtMembers(of: reader, steps, name: name, access: access)
    } catch {
      guard error.isDoubt else { throw error }
      doubt(membersFrom: before, name, error)
    }
  }

  private mutating func lookAtMembers(
    of reader: ArchiveReader, _ steps: [Int], name: String?, access: ArchiveAccess
  ) throws(SourceError) {
    defer { if reader.hasDamagedHeader { note(name, .source(.damagedHeader)) } }
    while let entry = try reader.next() {
      if steps.isEmpty, !reader.skipsForFree { access.skipsForFree = false }
      guard entry.isFile else { continue }
      let entryName = Self.joined(name, entry.name)
      // What must be unpacked to be passed over locks what lies behind it.
      if entry.isEncrypted, !reader.skipsForFree { throw .locked }
      do throws(SourceError) {
        if entry.isEncrypted { throw .locked }
        try look(at: ArchiveMember(reader), steps + [reader.index], name: entryName, access: access)
      } catch {
        // A member that is a trap by itself need not be unpacked to look at those behind it.
        if error.isLimit, !(budget.hasRefused && reader.skipsForFree) { throw error }
        note(entryName, .source(error))
      }
      // What a compressed file holds is all there is: no need to unpack the rest to see that nothing follows.
      if entry.name == nil { return }
    }
  }

  private mutating func look(
    at member: ArchiveMember, _ steps: [Int], name: String?, access: ArchiveAccess
  ) throws(SourceError) {
    var source: any OctetSource = member
    var buffer = buffers.popLast() ?? OctetBuffer(longest: CaptureReader.longestRecord)
    defer {
      buffer.clear()
      buffers.append(buffer)
    }
    switch try Self.kind(&buffer, &source) {
    case .capture:
      guard members.count < Self.mostMembers else { throw .tooManyCaptures }
      add(name, buffer.octets, .archive(access, steps))
    case .text: try lookIntoText(&buffer, &source, name: name)
    case .unreadable(let error): note(name, .content(error))
    case .archive:
      guard steps.count < limits.depth else {
        let others = steps.count == 1 ? "another" : "\(steps.count) others"
        throw SourceError("it is an archive within \(others); raise --max-depth to have it looked into")
      }
      let rejoined = RejoinedSource(buffer.octets, then: source)
      let inner = try ArchiveReader(rejoined, isOutermost: false, budget)
      try look(into: inner, steps, name: name, access: access)
    }
  }

  /// A text that holds no log of a phone is no capture, and that is all there is to say of it.
  private mutating func lookIntoText(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource, name: String?
  ) throws(SourceError) {
    let error = Self.notACapture(buffer.octets)
    let before = members.count
    let found = BugReportLog.logs(
      in: &buffer, &source, among: self.logs, atMost: Self.mostMembers - members.count)
    if found.logs.isEmpty, found.failure == nil, let error { note(name, .content(error)) }
    // One that has begun tells more.
    if let kind = found.barren, barrenReport.map({ $0.kind == .without }) ?? true { barrenReport = (name, kind) }
    for (index, log) in found.logs.enumerated() {
      let numbered = index == 0 ? name : Self.joined(name, "log \(index + 1)")
      members.append(
        CaptureMember(path: path, name: numbered, firstTime: nil, place: .log(log), copy: nil, doubt: log.doubt))
    }
    guard let failure = found.failure else { return }
    if failure.isDoubt {
      doubt(membersFrom: before, name, failure)
    } else if failure.isLimit || found.logs.isEmpty {
      throw failure
    } else {
      note(name, .source(failure))
    }
  }

  /// An archive's checksum was wrong: whatever was in it may be.
  private mutating func doubt(membersFrom first: Int, _ name: String?, _ error: SourceError) {
    if first == members.count { note(name, .source(error)) }
    for index in members.indices.dropFirst(first) { members[index].doubt = error.description }
  }

  /// - Parameter start: Its first octets.
  private mutating func add(_ name: String?, _ start: Span<UInt8>, _ place: CaptureMember.Place) {
    let copy = TerminalCopy(start)
    let firstTime = copy.map { Self.firstTime($0.restored(start).span) } ?? Self.firstTime(start)
    members.append(CaptureMember(path: path, name: name, firstTime: firstTime, place: place, copy: copy))
  }

  private mutating func note(_ name: String?, _ reason: Trouble.Reason) {
    // In an archive, most files are no captures, and need not be.
    if case .content(let error) = reason, error.isRefusalOfUnknown {
      if isArchive { return }
    } else {
      hidesFiles = true
    }
    troubleCount += 1
    if troubles.count < Self.mostTroubles { troubles.append(Trouble(name: name, reason: reason)) }
  }

  private static func joined(_ outer: String?, _ inner: String?) -> String? {
    guard let inner = inner.map({ String(String.UnicodeScalarView($0.unicodeScalars.prefix(longestName))) }) else {
      return outer
    }
    return outer.map { "\($0)/\(inner)" } ?? inner
  }
}

// MARK: - What the first octets tell

extension CaptureSurvey {
  /// Reads as much of a source as tells its kind.
  private static func kind(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) throws(SourceError) -> ContentKind {
    while true {
      do throws(SourceError) {
        let more = try buffer.fill(from: &source)
        if let kind = ContentKind(buffer.octets, isAll: !more) { return kind }
        if !more { return .text }
      } catch {
        return try kind(buffer.octets, brokenOffBy: error)
      }
    }
  }

  /// The kind of what breaks off at once: so little may be all of a capture. Anything else is told by the error.
  private static func kind(_ start: Span<UInt8>, brokenOffBy error: SourceError) throws(SourceError) -> ContentKind {
    guard !error.isLimit, let kind = ContentKind(start, isAll: true) else { throw error }
    if case .unreadable = kind { throw error }
    return kind
  }

  /// Why octets are no capture.
  private static func notACapture(_ start: Span<UInt8>) -> ParsingError? {
    var reader = CaptureReader()
    do throws(ParsingError) {
      _ = try reader.recognise(start, isAll: true)
      return nil
    } catch { return error }
  }

  /// The time of the first packet among a capture's first octets.
  private static func firstTime(_ start: Span<UInt8>) -> Timestamp? {
    var reader = CaptureReader(isLive: true)
    var first = FirstPacketTime()
    _ = try? reader.read(start, isLast: false, into: &first)
    return first.time
  }
}

extension SourceError {
  static let tooManyCaptures = SourceError("it holds more than \(CaptureSurvey.mostMembers) captures", .limit)
}
