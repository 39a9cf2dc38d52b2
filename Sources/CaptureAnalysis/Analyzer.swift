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
  var reader: CaptureReader
  var stage: MemberStage<Receiver>
  /// Files of the capture that are still to come.
  var membersToCome = 0

  /// Creates an analyzer at the start of a capture.
  /// - Parameters:
  ///   - receiver: Takes the events.
  ///   - isLive: Whether records are wanted as soon as they are whole.
  ///   - knowledge: What is known of the capture beforehand.
  public init(into receiver: Receiver, isLive: Bool = false, knowing knowledge: CaptureKnowledge = CaptureKnowledge()) {
    reader = CaptureReader(isLive: isLive)
    stage = MemberStage(
      packets: PacketStage(tracker: ConnectionTracker(receiver, knowledge)), times: TimesInUTC(zone: knowledge.zone))
  }

  /// What reading the capture to its end has told of attributes without discovery.
  public var conclusions: Conclusions { stage.packets.tracker.context.conclusions }

  /// How records are found, as far as octets have been read: a copy of it reads on from there.
  public var records: CaptureReader { reader }

  /// How the times of the records to come are told: a copy of it goes on from there.
  public var times: TimesInUTC { stage.times }

  /// What has taken the events.
  public internal(set) var receiver: Receiver {
    get { stage.packets.tracker.context.receiver }
    set { stage.packets.tracker.context.receiver = newValue }
  }

  /// What the capture as a whole is like.
  public var facts: CaptureFacts { stage.packets.facts }

  /// Reads on. `octets` continue where the last call stopped consuming.
  /// - Parameter isLast: Whether the file ends with these octets.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture of HCI traffic.
  @specialized(where Receiver == SummaryBuilder)
  @specialized(where Receiver == EventForwarder)
  public mutating func read(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Int {
    if facts.firstTime == nil, try !begin(octets, isLast: isLast) { return 0 }
    if stage.times.zone != nil { try noteClock(octets, isLast: isLast) }
    if stage.looksAtRecords { return try readRecords(octets, isLast: isLast) }
    let consumed = try reader.read(octets, isLast: isLast, into: &stage.packets)
    try note(isLast: isLast)
    return consumed
  }

  /// Reads on with a look at each record: in one of several files it may have come before, and its time may be another in
  /// UTC.
  @inline(never)
  private mutating func readRecords(_ octets: Span<UInt8>, isLast: Bool) throws(ParsingError) -> Int {
    let isEnd = isLast && membersToCome == 0
    let consumed = try reader.read(octets, isLast: isLast, into: &stage)
    try note(isLast: isEnd)
    return consumed
  }

  private mutating func note(isLast: Bool) throws(ParsingError) {
    if isLast { stage.packets.finish(isCaptured: reader.isCaptured(toTheEnd:)) }
    try stage.packets.note(
      reader, clock: stage.times.clock(of: reader.clock), repeated: stage.overlap.repeated, isLast: isLast)
  }
}
