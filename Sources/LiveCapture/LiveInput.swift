import CaptureFiles
public import CaptureSources
import Octets

/// A capture that goes on while it is read.
public struct LiveInput {
  /// What it is called in reports.
  public let name: String
  /// Whether there may be octets from before now, which are read first; `LiveStep.nothing` comes behind them.
  public let hasPast: Bool
  /// Whether records come as soon as they are captured: not while the source is away, nor before its first one. A file's
  /// writer, or whoever writes to a pipe, may hold them back, until what comes has shown that they do not.
  public var isPrompt: Bool { tap.source.isHere && promptness.isShown }
  private var promptness: Promptness
  private var tap: Tap
  private var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
  /// The first octets, as long as a terminal may have changed them; nil when it has not.
  private var start: ContiguousArray<UInt8>? = []

  private init(_ name: String, _ source: some LiveSource, hasPast: Bool = false, isAlwaysPrompt: Bool = false) {
    self.name = name
    self.hasPast = hasPast
    promptness = Promptness(isGiven: isAlwaysPrompt)
    tap = Tap(source)
  }

  /// What the HCI monitor or an adapter tells, by way of the capture program.
  /// - Parameter program: The capture program's path; nil: the one that is installed beside this program.
  /// - Throws: `SourceError` if it cannot be started.
  public static func interface(_ name: String, program: FilePath?) throws(SourceError) -> LiveInput {
    LiveInput(name, try CaptureProcess(interface: name, program: program), isAlwaysPrompt: true)
  }

  /// Standard input.
  public static func standardInput() -> LiveInput { LiveInput("-", StandardInput()) }

  /// A file that grows.
  /// - Throws: `SourceError` if it cannot be opened, or is a directory.
  public static func file(_ path: FilePath) throws(SourceError) -> LiveInput {
    LiveInput("\(path)", try FollowedFile(path: path), hasPast: true)
  }

  /// What someone sends who listens on a port.
  /// - Throws: `SourceError` if there is no such host.
  public static func host(_ place: HostAndPort) throws(SourceError) -> LiveInput {
    LiveInput("\(place)", try SnoopConnection(place), isAlwaysPrompt: true)
  }

  /// What to wait for before reading on.
  public var readiness: Readiness { tap.source.readiness }

  /// The octets that have been read and not consumed.
  public var octets: Span<UInt8> {
    @_lifetime(borrow self) get { buffer.octets }
  }

  /// Forgets octets from the front.
  public mutating func consume(_ count: Int) { buffer.consume(count) }

  /// What the last delivery was, now that it has been read and consumed.
  /// - Parameter records: How many records it made whole.
  public mutating func noteDelivery(of records: Int) {
    promptness.noteDelivery(of: records, isAll: buffer.octets.isEmpty)
  }

  /// Forgets all octets.
  public mutating func forget() { buffer.clear() }

  /// Reads on.
  /// - Throws: `SourceError` if that is over for good, for another reason than its end.
  public mutating func fill() throws(SourceError) -> LiveStep {
    let count = buffer.octets.count
    _ = try buffer.fill(from: &tap)
    try checkStart(behind: count)
    guard case .anew(let isGap, let sentence) = tap.last else { return tap.last }
    // What is unfinished stays so.
    let isCut = !buffer.octets.isEmpty
    forget()
    start = nil
    promptness.beginAgain()
    return .anew(isGap: isGap || isCut, sentence)
  }

  /// Looks whether a terminal has changed what comes, as long as that is not known.
  /// - Parameter count: How many of the octets at hand have been looked at.
  /// - Throws: `SourceError` if one has: what has come so far may have been shown, and cannot be taken back.
  private mutating func checkStart(behind count: Int) throws(SourceError) {
    guard var octets = start, case .octets = tap.last else { return }
    start = nil
    octets.append(buffer.octets.extracting(droppingFirst: count))
    if TerminalCopy(octets.span) != nil {
      throw SourceError(
        "a terminal on its way has put a carriage return before each line feed: pass it on without one, as ssh does "
          + "without -t and adb with exec-out; or save it to a file and analyze that")
    }
    let isKnown = octets.count >= Self.longestStart || TerminalCopy.isNone(octets.span)
    start = isKnown ? nil : octets
  }

  /// There are line feeds among so many octets of any capture.
  private static let longestStart = 1 << 16
}

/// A live source as one that can be read into a buffer, and what it said last.
private struct Tap: OctetSource {
  let source: any LiveSource
  var last = LiveStep.nothing

  init(_ source: any LiveSource) { self.source = source }

  mutating func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    last = unsafe try source.read(into: space)
    if case .octets(let count) = last { return count }
    return 0
  }
}
