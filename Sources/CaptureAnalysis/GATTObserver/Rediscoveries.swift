import BluetoothHost
import CaptureFiles
import GATTKit

/// What of a server has notified values by the table that was known before, until it is discovered what the attributes
/// are that notified them.
struct Rediscoveries {
  let period: TablePeriod
  /// What came to light when the capture was read before.
  private var known: [UInt16: RevisedType]
  /// The attributes that have notified in this period and were not discovered in it.
  private var waiting: [UInt16: Told] = [:]
  /// Those that were discovered then, and are no heart rate measurements.
  private(set) var others: [UInt16: RevisedType] = [:]
  /// Where this period may have ended, by the handle whose type tells.
  private var possibleEnds: [UInt16: PossibleEnd] = [:]

  /// How many attributes may still be looked at for whether they are past, or something else by now: a table that is gone
  /// through again and again is made to take time.
  var looks = 1 << 16

  /// In seconds.
  private static let longestMistake = 30.0
  /// So soon behind Service Changed a client begins to discover what there is now, in seconds.
  private static let longestPause = 10.0
  /// No value is longer on its way while a table changes and is discovered anew, in seconds.
  private static let longestWay = 2.0
  /// No sensor has as many attributes that notify.
  private static let most = 64

  /// An attribute of unknown type has indicated what Service Changed would.
  private struct PossibleEnd {
    /// The period that begins then.
    let next: TablePeriod
    /// The handles that are affected, if it was one.
    let handles: ClosedRange<UInt16>
    let time: Timestamp
  }

  private static let mostPossibleEnds = 4

  /// What the values of an attribute have been told as.
  private struct Told {
    var isMeasurement = false
    var isOther = false
    /// When the first measurement came, if that is one by its value, too, and what its first octet and its length are.
    var first: (time: Timestamp, flags: UInt8, length: Int)?

    func isDenied(by type: RevisedType, at time: Timestamp) -> Bool {
      type.isMeasurement ? isOther : isMeasurement && !wasOnItsWay(type, at: time)
    }

    /// Whether what is discovered just behind a value cannot have sent it: it was on its way when the table changed.
    private func wasOnItsWay(_ type: RevisedType, at time: Timestamp) -> Bool {
      guard let first, time.seconds(since: first.time) < Rediscoveries.longestWay else { return false }
      return type.uuid.map { $0.isDescriptor || $0.excludes(length: first.length, flags: first.flags) } ?? true
    }

    /// Whether measurements came for so long that their table was the server's then: whoever has one of another time finds
    /// out soon.
    func isBorneOut(at time: Timestamp) -> Bool {
      first.map { time.seconds(since: $0.time) > Rediscoveries.longestMistake } ?? false
    }
  }

  init(_ period: TablePeriod, _ knowledge: CaptureKnowledge) {
    self.period = period
    known = knowledge.revisions[period] ?? [:]
  }

  /// What an attribute is that is not discovered before it notifies, if that is known.
  func type(of handle: UInt16) -> RevisedType? { known[handle] }

  /// An attribute notifies that was not discovered in this period.
  mutating func came(from handle: UInt16, _ value: CapturedOctets, as type: BluetoothUUID?, at time: Timestamp) {
    guard waiting[handle] != nil || waiting.count < Self.most else { return }
    if type == .heartRateMeasurement {
      waiting[handle, default: Told()].isMeasurement = true
      // Whether it is one by its value, whatever the table says.
      if waiting[handle]?.first == nil, value.isMeasurementValue == true, !value.octets.isEmpty {
        waiting[handle]?.first = (time, value.octets[0], value.length)
      }
    } else {
      waiting[handle, default: Told()].isOther = true
    }
  }

  /// The attributes whose types are not discovered yet, and what they are in a table.
  mutating func types(in database: GATTDatabase) -> [UInt16: BluetoothUUID?] {
    guard !waiting.isEmpty, looks > 0 else { return [:] }
    looks -= waiting.count
    return waiting.reduce(into: [:]) { $0[$1.key] = .some(database.type(of: $1.key)) }
  }

  /// An attribute indicates what Service Changed would: the first time that it does, this period may end.
  mutating func mayHaveChanged(
    _ next: TablePeriod, _ handles: ClosedRange<UInt16>, as handle: UInt16, at time: Timestamp
  ) {
    guard possibleEnds[handle] == nil, possibleEnds.count < Self.mostPossibleEnds else { return }
    possibleEnds[handle] = PossibleEnd(next: next, handles: handles, time: time)
  }

  /// The client asks for services among some handles. If they are just those that an attribute has indicated, or hold these,
  /// which are others than its own, and the client asks at once, it takes that for Service Changed, and it knows the table.
  mutating func asked(for range: AttributeRange, at time: Timestamp, _ conclusions: inout Conclusions) {
    let told = possibleEnds.filter { handle, end in
      if end.handles.lowerBound == range.start, end.handles.upperBound == range.end { return true }
      let isAtOnce = time.seconds(since: end.time) < Self.longestPause
      return isAtOnce && !end.handles.contains(handle) && end.handles.lowerBound >= range.start
        && end.handles.upperBound <= range.end
    }
    // What is found there may still be something else.
    if let handle = told.keys.min(), let end = possibleEnds[handle] { conclusions.noteChange(end.next) }
  }

  /// The GATT service takes some handles: nothing else in it is indicated.
  mutating func foundGATTService(_ handles: ClosedRange<UInt16>, at time: Timestamp, _ conclusions: inout Conclusions) {
    guard let handle = possibleEnds.keys.filter(handles.contains).min() else { return }
    found(handle, RevisedType(uuid: .serviceChanged), at: time, &conclusions)
  }

  /// What the server says shows what an attribute is.
  mutating func found(_ handle: UInt16, _ type: RevisedType, at time: Timestamp, _ conclusions: inout Conclusions) {
    guard let told = waiting[handle] else { return }
    if type.uuid == .serviceChanged, let end = possibleEnds[handle] {
      // The table has changed back then: what is found now says nothing of what came before.
      conclusions.noteChange(end.next)
      possibleEnds = [:]
    } else {
      // It was no Service Changed that it indicated.
      if type.uuid != nil, let end = possibleEnds.removeValue(forKey: handle) { conclusions.forgetChange(end.next) }
      // What measured all the time did so by a table that has changed since, though nobody has said so.
      let isDenied = told.isDenied(by: type, at: time) && !told.isBorneOut(at: time)
      conclusions.revise(handle, to: isDenied ? type : nil, in: period)
    }
    // What is gone may still be found elsewhere in the same discovery.
    guard type.uuid != nil else { return }
    waiting[handle] = nil
    if !type.isMeasurement { others[handle] = type }
  }
}

extension GATTObserver {
  /// Changes what is known of a server's table by what the server says on this connection.
  mutating func change(
    _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>, _ change: (inout GATTDatabase) -> Void
  ) {
    let place = place(side)
    let before = rediscoveries[side].types(in: context.databases[place])
    change(&context.databases[place])
    for (handle, type) in before {
      let now = context.databases[place].type(of: handle)
      if now != type {
        rediscoveries[side].found(handle, RevisedType(uuid: now), at: context.time, &context.conclusions)
      }
    }
  }
}
