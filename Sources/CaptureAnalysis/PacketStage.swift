import BluetoothHost
import CaptureFiles
import Octets

/// Records → packets → PDUs → events.
struct PacketStage<Receiver: EventReceiver>: RecordReceiver {
  var tracker: ConnectionTracker<Receiver>
  var facts = CaptureFacts()
  /// The place among several files of the one whose records come.
  var member: Int?
  private var directions: ToldDirections
  private var turns = AdapterTurns()
  /// By itself: to ask what is known of the capture would copy all of it for each record.
  private let adapters: ContinuedAdapters

  init(tracker: ConnectionTracker<Receiver>) {
    self.tracker = tracker
    adapters = tracker.context.knowledge.continuedAdapters
    directions = ToldDirections(areFalse: tracker.context.knowledge.directionsAreFalse)
  }

  @inline(__always)
  mutating func take(_ packet: UsualPacket, _ octets: OctetWindow) -> Bool {
    guard facts.isUsual(packet.linkType, packet.time), tracker.take(packet, octets) else { return false }
    facts.note(usual: packet.time)
    return true
  }

  @inline(never)
  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    let isPause =
      record.followsHeader
      && tracker.noteHeader(before: record.time, isRotated: member != tracker.context.member)
    if record.followsHeader, record.content == .command,
      OctetWindow(octets, count: 2)?.uint16(at: 0) == HCIOpcode.reset.rawValue
    {
      tracker.noteRestart(of: adapters.first(record.adapter))
    }
    let record = record.captured(orAt: tracker.context.time)
    tracker.advance(to: record.number, record.time)
    // What the border itself shows was so in the file before.
    tracker.context.member = member
    if record.followsLoss { noteLoss(before: record) }
    if record.followsLoss || isPause {
      let adapter = isPause ? nil : adapterOfLoss(record)
      tracker.noteHole(missing: record.followsOneDrop ? 1 : Hole.leastMissing, on: adapter)
    }
    if record.content.isPacket, let before = turns.note(record.adapter, tracker.context.moment) {
      noteFirst(record, behind: before)
    }
    let adapter = adapters.first(record.adapter)
    if record.isCut, record.content != .foreign {
      facts.noteCut(record, octets)
    } else if record.content == .aclData {
      facts.noteWhole(acl: octets)
    }
    if let damage = PacketDamage(of: record, octets) { note(damage, of: record) }
    guard record.content.isPacket else {
      facts.note(other: record)
      return tracker.receive(note: record.content, octets, adapter: adapter)
    }
    if let step = facts.note(packet: record, isTalking: { tracker.isTalking(at: $0) }) {
      tracker.noteClockStep(step)
      // No header would show that it is another file's.
      if record.linkType == .packetLogger, step.microseconds < 0 { tracker.noteOtherFile() }
    }
    // Asked of any packet: where directions are false, the short way must not believe the next one's.
    let direction = direction(of: record, octets)
    guard let kind = HCIPacketKind(record.content) else { return }
    do {
      let octets = CapturedOctets(octets, length: record.originalLength, origin: record.offset)
      tracker.receive(try HCIPacket(parsing: octets, as: kind), direction, adapter: adapter)
    } catch {
      if record.isCut { tracker.receiveCut(isData: kind == .aclData) } else { tracker.receive(error, direction) }
    }
  }

  /// Which way a packet went; nil if that is not known.
  private mutating func direction(of record: CaptureRecord, _ octets: Span<UInt8>) -> Direction? {
    let wereFalse = directions.areFalse
    directions.note(record)
    guard directions.areFalse else { return record.direction }
    if !wereFalse, tracker.hasACLData { tracker.context.conclusions.directionsAreFalse = true }
    // The short way believes what it is told.
    facts.forgetUsual()
    return record.content.direction(of: octets)
  }

  @inline(never)
  private mutating func note(_ damage: PacketDamage, of record: CaptureRecord) {
    facts.note(damage, of: record)
    let (something, anything) = damage.loses
    if something { tracker.noteLoss(isDamage: true) }
    if anything { tracker.noteHole(missing: 1) }
  }

  @inline(never)
  private mutating func noteLoss(before record: CaptureRecord) {
    if !record.followsDamage { facts.noteDrop(before: record) }
    tracker.noteLoss(isDamage: record.followsDamage, on: adapterOfLoss(record))
  }

  private func adapterOfLoss(_ record: CaptureRecord) -> UInt16? {
    record.adapterOfLoss.map(adapters.first)
  }

  /// Another adapter is heard. If it goes on with one that is known, records may be missing between the two.
  @inline(never)
  private mutating func noteFirst(_ record: CaptureRecord, behind before: Moment) {
    let adapter = adapters.first(record.adapter)
    guard adapter != record.adapter, Hole.mayBe(inPause: record.time.seconds(since: before.time)) else { return }
    tracker.noteHole(missing: Hole.leastMissing, on: adapter)
  }

  /// The capture ends.
  /// - Parameter isCaptured: Whether an adapter is captured up to there.
  mutating func finish(isCaptured: (_ adapter: UInt16) -> Bool) {
    // Of several files, each has interfaces of its own.
    if member == nil { tracker.context.conclusions.continuedAdapters = turns.continued(isCaptured) }
    let (end, turns, adapters) = (tracker.context.time, turns, adapters)
    tracker.finish { adapter in
      guard !isCaptured(adapter), let last = turns.end(of: adapter, adapters) else { return nil }
      // In less, nothing is missed.
      return end.seconds(since: last.time) > MeasurementGap.leastSeconds ? last : nil
    }
  }

  mutating func note(
    _ reader: CaptureReader, clock: CaptureClock, repeated: Int, isLast: Bool
  ) throws(ParsingError) {
    facts.note(reader, clock: clock, repeated: repeated)
    tracker.limitMemory(at: reader.progress.consumedOctets)
    facts.unfollowedConnections = tracker.unfollowedConnections
    facts.replacedPayloads = tracker.context.replacedPayloads
    facts.truncatesDynamicATT = tracker.context.cutsDynamicBearers
    (facts.cutRates, facts.cutIntervals) = (tracker.context.cutRates, tracker.context.cutIntervals)
    facts.unloggedPackets = tracker.unloggedPackets
    guard isLast else { return }
    (facts.logsData, facts.holdsAttempts) = (tracker.logsData, tracker.attempts.wereMade)
    facts.holdsScans = tracker.hasScanned
    try facts.requireHCI()
  }
}

/// Records that have not come before, in UTC → packets → PDUs → events.
struct MemberStage<Receiver: EventReceiver>: RecordReceiver {
  var packets: PacketStage<Receiver>
  var overlap = MemberOverlap()
  var times: TimesInUTC
  /// Whether there are others that may hold the same records.
  var isOneOfSeveral = false

  /// Whether each record is looked at before its packet.
  var looksAtRecords: Bool { isOneOfSeveral || times.areOthers }

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    if !overlap.isRepeated(record, octets) { packets.receive(times.told(record), octets) }
  }
}

extension HCIPacketKind {
  /// The kind of packet in a record; nil if there is none that matters here.
  fileprivate init?(_ content: RecordContent) {
    switch content {
    case .aclData: self = .aclData
    case .event: self = .event
    case .command: self = .command
    default: return nil
    }
  }
}
