public import Octets

/// Reads a capture from octets that arrive piece by piece, whatever its format: recognises it, finds the records,
/// and finds its footing again behind damage.
public struct CaptureReader: Sendable {
  /// No more octets than these are needed at once to read any record and see that another follows it.
  public static let longestRecord = BlockWindow.octets
  /// Nobody says more than these octets before a capture: behind more, none is looked for.
  public static let longestPreface = 0x1_0000

  @usableFromInline var format: (any CaptureFormat)?
  @usableFromInline var progressSoFar = CaptureProgress()
  /// Of how many octets the start is looked for again, where they begin with none.
  private var nextSearch = 0
  /// Records that were lost in what came before another file header.
  private var droppedBefore: UInt64 = 0

  /// Creates a reader at the start of an input.
  /// - Parameters:
  ///   - isLive: Whether records are wanted as soon as they are whole. Otherwise a record waits until the one behind it was
  ///     seen, which tells damage more surely.
  ///   - followsAnother: Whether it is another file of a capture of several, behind the first.
  public init(isLive: Bool = false, followsAnother: Bool = false) {
    progressSoFar.isLive = isLive
    if followsAnother { progressSoFar.breaks = .header }
  }

  /// Whether the source has nothing more at the moment: the record that it has given last is not kept waiting for the one
  /// behind it, if there is nothing odd about it.
  public var isPausing: Bool {
    get { progressSoFar.isPausing }
    set { progressSoFar.isPausing = newValue }
  }

  /// What has been read so far.
  public var progress: CaptureProgress { progressSoFar }

  /// The format's name, once it has been recognised.
  public var formatName: String? { format.map { type(of: $0).name } }

  /// The link type that the file's header tells; nil where each record tells its own.
  public var linkType: LinkType? { format.flatMap { $0.linkType == .unknown ? nil : $0.linkType } }

  /// What the time stamps count from.
  public var clock: CaptureClock { format?.clock ?? .unknown }

  /// How many records the capture itself says it lost.
  public var droppedRecords: UInt64 { droppedBefore &+ (format?.droppedRecords ?? 0) }

  /// Whether an adapter is captured for as long as the capture lasts: not one beside others of which nothing says that it
  /// is captured as long as they.
  public func isCaptured(toTheEnd adapter: UInt16) -> Bool { format?.isCaptured(toTheEnd: adapter) ?? true }

  /// What comes next begins with a file header, of any format: the source of a live capture was replaced by another.
  /// Records are counted on.
  /// - Parameter isGap: Whether records may be missing before it.
  public mutating func beginAgain(isGap: Bool) {
    droppedBefore = droppedRecords
    (format, nextSearch) = (nil, 0)
    progressSoFar.beginAgain(isGap: isGap)
  }

  /// Reads all whole records in `octets`, which continue where the last call stopped consuming.
  /// - Parameters:
  ///   - isLast: Whether the input ends with these octets.
  ///   - receiver: Takes each record, in order.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture, or one that cannot be read.
  @inlinable public mutating func read<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, isLast: Bool, into receiver: inout Receiver
  ) throws(ParsingError) -> Int {
    guard try recognise(octets, isAll: isLast) else { return 0 }
    let consumed = readRecords(octets, isLast: isLast, into: &receiver)
    progressSoFar.noteConsumed(consumed)
    return consumed
  }

  /// Recognises the format, if it is not known yet.
  /// - Returns: Whether it is known; if not, more octets are needed.
  /// - Throws: `ParsingError` if this is no capture, or one that cannot be read.
  public mutating func recognise(_ octets: Span<UInt8>, isAll: Bool) throws(ParsingError) -> Bool {
    guard format == nil else { return true }
    format = try Self.format(of: octets, isAll: isAll)
    if format == nil, let start = try displacedStart(of: octets, isAll: isAll) {
      format = start.format
      if let problem = start.problem { progressSoFar.noteDisplacement(problem, by: start.place) }
    }
    return format != nil
  }

  /// Where the capture begins, if not with these octets; nil if more might tell.
  private mutating func displacedStart(of start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> DisplacedStart? {
    let isEnough = isAll || start.count >= Self.recognitionLength
    // What is judged must not depend on how much has come yet; live, somebody waits for it.
    guard isEnough || progressSoFar.isLive && start.count >= nextSearch else { return nil }
    nextSearch = 2 * start.count
    if let foreign = ForeignCapture.recognise(start) { throw .refusal(foreign.refusal, layer: "foreign capture") }
    if let header = DisplacedStart.header(in: start, isAll: isAll) { return header }
    if let records = DisplacedStart.records(in: start, isAll: isAll, isLive: progressSoFar.isLive) { return records }
    if let records = DisplacedStart.packetLogger(in: start, isAll: isAll) { return records }
    guard isEnough else { return nil }
    throw PacketLogger.cutOff(start) ?? .refusal(Self.unknownStart(start))
  }

  /// Each format that there are long captures of gets a loop of its own for each kind of receiver.
  @inlinable mutating func readRecords<Receiver: RecordReceiver>(
    _ octets: Span<UInt8>, isLast: Bool, into receiver: inout Receiver
  ) -> Int {
    readRecords(of: BTSnoop.self, octets, isLast: isLast, into: &receiver)
      ?? readRecords(of: PCAPNG.self, octets, isLast: isLast, into: &receiver)
      ?? readRecords(of: PCAP.self, octets, isLast: isLast, into: &receiver)
      ?? readRecords(of: PacketLogger.self, octets, isLast: isLast, into: &receiver)
      ?? format?.readRecords(octets, &progressSoFar, isLast: isLast, into: &receiver) ?? 0
  }

  /// Reads records of a format; nil if the capture is of another.
  @inlinable mutating func readRecords<Format: CaptureFormat, Receiver: RecordReceiver>(
    of type: Format.Type, _ octets: Span<UInt8>, isLast: Bool, into receiver: inout Receiver
  ) -> Int? {
    guard var known = format as? Format else { return nil }
    defer { format = known }
    return known.readRecords(octets, &progressSoFar, isLast: isLast, into: &receiver)
  }

  /// Enough for every format to be sure of itself: the records of a PacketLogger file are long.
  private static let recognitionLength = 5 * 65_600

  /// The format at its start, or nil if it is none, or more octets might tell.
  private static func format(of start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> (any CaptureFormat)? {
    switch SavedAsText(start, isAll: isAll) {
    case .certain(let refusal): throw .refusal(refusal, layer: "text")
    case .undecided: return nil
    case nil: break
    }
    for format in CaptureFormats.all {
      if let format = try format.recognise(start, isAll: isAll) { return format }
    }
    return nil
  }

  private static func unknownStart(_ start: Span<UInt8>) -> String {
    guard !start.isEmpty else { return "it is empty" }
    var reader = OctetReader(start, layer: "capture")
    let first = ContiguousArray(reader.prefix(4)).map(\.hexadecimal)
    return "not a Bluetooth capture (starts with \(first.joined(separator: " ")))"
  }
}
