public import CaptureFiles
import Octets

/// What a capture is like as a whole: its format, its times, how well it was read.
public struct CaptureFacts: Sendable {
  /// The file format's name.
  public private(set) var format: String?
  /// The link types of the records, as far as they are Bluetooth.
  public private(set) var linkTypes: [LinkType] = []
  /// The one that the header of a file tells, whether records follow it or not.
  public private(set) var announcedLinkType: LinkType?
  /// Records of every interface.
  public private(set) var records = 0
  /// HCI packets.
  public var packets: Int { records - otherRecords }
  /// Whether nothing was skipped and the last record of every file is whole.
  public var isComplete: Bool { members.allSatisfy(\.isComplete) }
  /// Octets that could not be read.
  public var skippedOctets: Int { members.reduce(0) { $0 + $1.skippedOctets } }
  /// How far the file at hand was read, and what stood in the way.
  public var progress: CaptureProgress { member.progress }
  /// When the first HCI packet was captured.
  public private(set) var firstTime: Timestamp?
  /// When the last one was.
  public var lastTime: Timestamp? { firstTime == nil ? nil : latestTime }
  /// What the times count from.
  public private(set) var clock = CaptureClock.unknown
  /// Records of Bluetooth that were kept shorter than they were sent.
  public var truncatedRecords: Int { truncated?.count ?? 0 }
  /// The ACL packets among them.
  public private(set) var truncatedACLPackets = 0
  /// The most octets that were kept of a truncated ACL packet.
  public private(set) var longestTruncatedACL = 0
  /// Whether one of them was of ATT on the channel of its own that it has over Low Energy, or may have been.
  public private(set) var truncatesATT = false
  /// Whether one of them was of ATT over a dynamic channel: an enhanced bearer, or any one over BR/EDR.
  public internal(set) var truncatesDynamicATT = false
  /// The most octets that the way of logging leaves of ACL packets; nil if none of ATT is truncated, or if behind one a longer
  /// one is whole: then it is not the beginning of each packet that is kept.
  public var keptACLOctets: Int? {
    truncatesATT && longestWholeATT <= longestTruncatedACL ? longestTruncatedACL : nil
  }
  /// The most octets of a packet of ATT that is whole behind one that is truncated, until one is longer than what is kept.
  private var longestWholeATT = 0
  /// How many packets were kept off the short way to find one.
  private var looks = 0
  private static let mostLooks = 5000
  /// Where packets were truncated.
  private(set) var truncated: RecordSpan?
  /// Behind which records some were lost, as far as the capture tells where.
  private(set) var dropped: RecordSpan?
  /// Packets to peers that the controller counts, and the capture does not hold.
  var unloggedPackets: RecordSpan?
  /// Records that the capture itself says it lost.
  public var droppedRecords: UInt64 { members.reduce(0) { $0 &+ $1.droppedRecords } }
  /// Connections that could not be followed, there being more than any controller has: at least so many.
  public internal(set) var unfollowedConnections = 0
  /// How each of its files was read, in order: the last one is the one at hand.
  public private(set) var members = [MemberProgress(member: nil)]
  /// What could not be looked into where the capture lies, in sentences.
  public private(set) var unreadNeighbours: [String] = []
  /// How much more of it there is.
  public private(set) var untoldNeighbours = 0
  /// Whether it logs connections' data: true if it holds any, false if there were some and it holds none, nil if there may
  /// have been none; known when it has ended.
  public internal(set) var logsData: Bool?
  /// Whether a host tries to connect to anyone in it.
  public internal(set) var holdsAttempts = false
  /// Whether a host scans for devices in it, or stops.
  public internal(set) var holdsScans = false
  /// Payloads that the logging device replaced by a word.
  public internal(set) var replacedPayloads = 0
  /// Measurements whose RR-Intervals were not kept.
  var cutIntervals = 0
  /// Measurements whose heart rates were not.
  var cutRates = 0
  /// What the clock did that no clock ought to.
  private var clockSteps = ClockSteps()
  /// The same, but for what seems to be done by a timer.
  var leaps: ClockSteps { clockSteps.areTurns ? ClockSteps() : clockSteps }
  private var latestTime = Timestamp(microseconds: 0)
  /// Records that are no packets.
  private var otherRecords = 0
  /// Those among them that are of interfaces of another kind.
  private(set) var foreignRecords = 0
  private var foreign: LinkType?
  /// That of the last packet.
  private var lastLinkType = LinkType.unknown

  init() {}

  /// The file at hand.
  private var member: MemberProgress {
    get { members[members.count - 1] }
    _modify { yield &members[members.count - 1] }
  }

  /// Takes a packet's record. Almost every one is of the same link type as the one before, and follows it in time.
  /// - Parameter isTalking: Whether an end of a connection that lasts was heard just before a moment.
  /// - Returns: The step that the clock took before it, if it did.
  @inline(__always)
  mutating func note(packet record: CaptureRecord, isTalking: (Timestamp) -> Bool) -> ClockStep? {
    let step = isUsual(record.linkType, record.time) ? nil : noteUnusual(record, isTalking)
    latestTime = record.time
    if truncatesATT { lookAtNext() }
    return step
  }

  /// Whether a packet is of the same link type as the one before, and follows it in time.
  @inline(__always)
  func isUsual(_ linkType: LinkType, _ time: Timestamp) -> Bool {
    linkType == lastLinkType && ClockSteps.isUsual(from: latestTime, to: time)
  }

  /// Takes such a packet.
  @inline(__always)
  mutating func note(usual time: Timestamp) { latestTime = time }

  /// Whatever packet comes next, it is not usual.
  mutating func forgetUsual() { lastLinkType = .unknown }

  /// The short way does not tell whether the packet that comes next is whole. A log that does not cut all shows that soon.
  @inline(never)
  private mutating func lookAtNext() {
    guard keptACLOctets != nil, looks < Self.mostLooks else { return }
    looks += 1
    forgetUsual()
  }

  /// Takes a packet of another kind than the one before.
  @inline(never)
  private mutating func noteUnusual(_ record: CaptureRecord, _ isTalking: (Timestamp) -> Bool) -> ClockStep? {
    defer { if record.linkType != lastLinkType { note(record.linkType, record.time) } }
    // Behind damage records are missing, and with them the time that went by.
    guard firstTime != nil, !record.followsDamage else { return nil }
    let (before, isHeard) = (latestTime, record.content == .aclData && record.direction != .sent)
    return clockSteps.note(from: before, to: moment(record), isHeard: isHeard, isTalking: isTalking(before))
  }

  /// Takes a record that is no packet.
  mutating func note(other record: CaptureRecord) {
    otherRecords += 1
    if record.content == .foreign { foreignRecords += 1 }
    note(record.linkType, nil)
  }

  private mutating func note(_ linkType: LinkType, _ packetTime: Timestamp?) {
    if let packetTime {
      lastLinkType = linkType
      firstTime = firstTime ?? packetTime
    }
    if !linkType.isHCI {
      if linkType != .unknown { foreign = foreign ?? linkType }
    } else if !linkTypes.contains(linkType) {
      linkTypes.append(linkType)
    }
  }

  /// Takes a packet that could not be read, or not to its end.
  @inline(never)
  mutating func note(_ damage: PacketDamage, of record: CaptureRecord) { member.unread.note(damage, of: record) }

  /// Whether all that packets said could be read.
  public var readsAllPackets: Bool { members.allSatisfy(\.unread.isComplete) }

  /// Takes a record of Bluetooth that was kept shorter than it was sent.
  @inline(never)
  mutating func noteCut(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    truncated.extend(to: moment(record))
    // What its packet says of itself is the better witness: of one that is whole to that, nothing was cut away.
    guard record.content == .aclData, PacketDamage.lacksOctets(octets) else { return }
    truncatedACLPackets += 1
    if PacketDamage.mayBeginATT(octets) { truncatesATT = true }
    longestTruncatedACL = max(longestTruncatedACL, record.length)
  }

  /// Takes a record of ACL data that was kept as it was sent. Logs that cut what attributes hold may keep signalling whole,
  /// and before a log began to cut, it kept everything.
  @inline(__always)
  mutating func noteWhole(acl octets: Span<UInt8>) {
    guard truncatesATT, octets.count > longestWholeATT, PacketDamage.isWholeATT(octets) else { return }
    longestWholeATT = octets.count
  }

  /// Takes a record behind which the capture says that it lost some.
  mutating func noteDrop(before record: CaptureRecord) { dropped.extend(to: moment(record)) }

  private func moment(_ record: CaptureRecord) -> Moment {
    Moment(frame: record.number, time: record.time, member: member.member)
  }

  /// - Parameters:
  ///   - clock: What the times count from that the records were given.
  ///   - repeated: Records that two files hold.
  mutating func note(_ reader: CaptureReader, clock: CaptureClock, repeated: Int) {
    // Of what began anew it may not be known yet.
    format = reader.formatName ?? format
    announcedLinkType = reader.linkType ?? announcedLinkType
    self.clock = clock
    member.droppedRecords = reader.droppedRecords
    member.progress = reader.progress
    records = members.reduce(0) { $0 + $1.progress.records } - repeated
  }

  /// Another file of the capture begins.
  mutating func beginMember(_ member: Int) {
    if member == 0 { members = [] }
    members.append(MemberProgress(member: member))
  }

  /// The file at hand could not be read to its end.
  mutating func noteInterruption(_ reason: String) { member.interruption = reason }

  /// The file at hand was read, and is not what it was.
  mutating func noteDoubt(_ reason: String) { member.doubt = reason }

  /// So many carriage returns were taken out before each line feed of the file at hand.
  mutating func noteInsertedReturns(_ count: Int) { member.insertedReturns = count }

  /// Other things, where the capture lies, could not be looked into.
  mutating func noteUnreadNeighbours(_ sentences: [String], untold: Int) {
    (unreadNeighbours, untoldNeighbours) = (sentences, untold)
  }

  /// Whether the clock leapt.
  public var hasClockSteps: Bool { leaps.span != nil }

  /// How long it was from the first packet to the last, in seconds, without the leaps of the clock; nil where that cannot
  /// be told.
  public var duration: Double? { firstTime.flatMap { secondsToEnd(from: Moment(frame: 0, time: $0)) } }

  /// The same from one packet to the last.
  func secondsToEnd(from first: Moment) -> Double? {
    guard first.time.isTold, let lastTime, lastTime.isTold else { return nil }
    return leaps.seconds(from: first, to: Moment(frame: .max, time: lastTime, member: .max))
  }

  /// The same from one packet to a later one.
  public func seconds(from first: Moment, to last: Moment) -> Double? {
    first.time.isTold && last.time.isTold ? leaps.seconds(from: first, to: last) : nil
  }

  /// A file of several interfaces may turn out to have none that is Bluetooth.
  func requireHCI() throws(ParsingError) {
    guard let foreign, linkTypes.isEmpty else { return }
    throw ParsingError(layer: "capture", field: "Link type", problem: .invalid(foreign.refusal), offset: 0)
  }
}
