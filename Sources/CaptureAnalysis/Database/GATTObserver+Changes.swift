import BluetoothHost
import GATTKit
import Octets

// What becomes of what is known of a server when it says that its table has changed.

extension GATTObserver {
  /// A value was indicated. One of Service Changed says that services told of before need not be there any more, and that
  /// what notified before need not be what is discovered from now on. Core 6.0, Vol 3, Part G, 7.1.
  mutating func noteChange(
    _ handle: UInt16, _ value: CapturedOctets, of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard value.length == 4 else { return }
    let type = rediscoveries[side].type(of: handle)?.uuid ?? type(of: handle, at: side, &context)
    if type == .serviceChanged || type == nil && value.saysThatAllChanged {
      noteChange(of: side, &context)
    } else if type == nil, value.mayTellOfChange {
      rediscoveries[side].mayHaveChanged(period(of: side, context), as: handle)
    }
  }

  /// A server's table has changed. What is discovered from now on may tell what comes from now on.
  private mutating func noteChange(of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    context.databases.noteChange(at: place(side))
    told.noteChange(of: side)
    let database = context.databases[place(side)]
    unknown.forgetUnlikely(of: side) { database.type(of: $0) == nil && !database.mayHoldMeasurement($0) }
    for (handle, type) in rediscoveries[side].others where unknown.settle(handle, of: side) {
      context.conclusions.revise(handle, to: type, in: rediscoveries[side].period)
    }
    rediscoveries[side] = Rediscoveries(period(of: side, context), context.knowledge)
    types.forget()
  }

  /// The period that begins with the record at hand.
  private func period(of side: ServerSide, _ context: TrackingContext<some EventReceiver>) -> TablePeriod {
    TablePeriod(connection: connection, server: side, frame: context.frame, member: context.member)
  }

  /// The Database Hash was read. Another one than before on this connection is another table's.
  /// Core 6.0, Vol 3, Part G, 7.3.
  mutating func noteHash(
    _ hash: CapturedOctets, of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard !hash.isCut, let hash = try? DatabaseHash(hash.octets) else { return }
    if told.isOther(hash: hash, side) { noteChange(of: side, &context) }
  }
}

extension CapturedOctets {
  /// Whether this is what Service Changed says most often: all handles from one on.
  fileprivate var saysThatAllChanged: Bool {
    guard let changed = try? ServiceChanged(octets) else { return false }
    return changed.start > 0 && changed.end == .max
  }

  /// Whether this may be what Service Changed says: handles from one to another.
  fileprivate var mayTellOfChange: Bool {
    guard let changed = try? ServiceChanged(octets) else { return false }
    return changed.start > 0 && changed.start <= changed.end
  }
}
