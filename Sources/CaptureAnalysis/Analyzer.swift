import BluetoothHost
public import CaptureFiles
public import Octets

/// The way from a capture's octets to its events.
///
///     octets  → records   CaptureReader          whatever the format
///     records → packets   HCIPacket              whatever the link type
///     packets → PDUs      ConnectionTracker      ACL, L2CAP, ATT, for each connection
///     PDUs    → events    ConnectionTracker      connections, transactions, values
///
/// Octets may come in pieces of any size; a live capture is one that has not ended.
public struct Analyzer<Receiver: EventReceiver> {
  private var reader: CaptureReader
  private var stage: MemberStage<Receiver>
  /// Files of the capture that are still to come.
  private var membersToCome = 0

  /// Creates an analyzer at the start of a capture.
  /// - Parameters:
  ///   - receiver: Takes the events.
  ///   - isLive: Whether records are wanted as soon as they are whole.
  ///   - knowledge: What is known of the capture beforehand.
  public init(into receiver: Receiver, isLive: Bool = false, knowing knowledge: CaptureKnowledge = CaptureKnowledge()) {
    reader = CaptureReader(isLive: isLive)
    stage = MemberStage(packets: PacketStage(tracker: ConnectionTracker(receiver, knowledge)))
  }

  /// What reading the capture to its end has told of attributes without discovery.
  public var conclusions: Conclusions { stage.packets.tracker.context.conclusions }

  /// How records are found, as far as octets have been read: a copy of it reads on from there.
  public var records: CaptureReader { reader }

  /// What has taken the events.
  public internal(set) var receiver: Receiver {
    get { stage.packets.tracker.context.receiver }
    set { stage.packets.tracker.context.receiver = newValue }
  }

  /// What the capture as a whole is like.
  public var facts: CaptureFacts { stage.packets.facts }

  /// Goes on to the next file of a capture of several, or to the first: connections and databases are carried over.
  /// - Parameters:
  ///   - member: Its place among the files, from 0.
  ///   - count: How many files there are.
  ///   - nextBegins: The time of the first record in the file behind it, if that is known.
  public mutating func beginMember(_ member: Int, of count: Int, nextBegins: Timestamp?) {
    reader = CaptureReader()
    membersToCome = count - 1 - member
    stage.packets.tracker.context.member = member
    stage.packets.facts.beginMember(member)
    stage.isOneOfSeveral = true
    stage.overlap.beginMember(nextBegins: nextBegins)
  }

  /// The source of a live capture was replaced by another: what comes next begins with a file header. Connections and
  /// databases are carried over, and records are counted on.
  /// - Parameter isGap: Whether records may be missing before it.
  public mutating func beginAgain(isGap: Bool) { reader.beginAgain(isGap: isGap) }

  /// Takes note that a file cannot be read to its end: what has been read stands.
  /// - Parameter reason: Why, in a sentence.
  public mutating func noteInterruption(_ reason: String) { stage.packets.facts.noteInterruption(reason) }

  /// Takes note of something that could not be looked into where the capture lies.
  public mutating func noteUnreadNeighbour(_ sentence: String) { stage.packets.facts.noteUnreadNeighbour(sentence) }

  /// Reads on. `octets` continue where the last call stopped consuming.
  /// - Parameter isLast: Whether the file ends with these octets.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture of HCI traffic.
  @specialized(where Receiver == SummaryBuilder)
  @specialized(where Receiver == EventForwarder)
  public mutating func read(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Int {
    if facts.firstTime == nil, try !begin(octets, isLast: isLast) { return 0 }
    if stage.isOneOfSeveral { return try readMember(octets, isLast: isLast) }
    let consumed = try reader.read(octets, isLast: isLast, into: &stage.packets)
    if isLast { stage.packets.tracker.finish() }
    try stage.packets.note(reader, isLast: isLast)
    return consumed
  }

  /// Reads on in one of several files, with a look at each record: it may have come before.
  @inline(never)
  private mutating func readMember(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Int {
    let isEnd = isLast && membersToCome == 0
    let consumed = try reader.read(octets, isLast: isLast, into: &stage)
    if isEnd { stage.packets.tracker.finish() }
    try stage.packets.note(reader, repeated: stage.overlap.repeated, isLast: isEnd)
    return consumed
  }
}

extension Analyzer {
  /// Looks for the first packet, and says when it was captured before anything is said of it. What is looked at is read
  /// once more: there is no question about the beginning of a capture in the loop over its records.
  /// - Returns: Whether it is known what these octets are.
  @inline(never)
  private mutating func begin(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Bool {
    guard try reader.recognise(octets, isAll: isLast) else { return false }
    var (ahead, first) = (reader, FirstPacket())
    _ = try ahead.read(octets, isLast: isLast, into: &first)
    if let time = first.time { receiver.begin(CaptureStart(time: time, clock: reader.clock)) }
    return true
  }
}

/// Finds out when the first packet was captured.
private struct FirstPacket: RecordReceiver {
  private(set) var time: Timestamp?

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    if time == nil, record.content.isPacket { time = record.time }
  }
}
