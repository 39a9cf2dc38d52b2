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
    let type = type(of: handle, at: side, &context)
    guard type == .serviceChanged || type == nil && value.saysThatAllChanged else { return }
    noteChange(of: side, &context)
  }

  /// A server's table has changed. What is discovered from now on may tell what comes from now on.
  private mutating func noteChange(of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    context.databases.noteChange(at: place(side))
    told.noteChange(of: side)
    unknown.forgetUnlikely(of: side)
    let period = TablePeriod(connection: connection, server: side, frame: context.frame, member: context.member)
    rediscoveries[side] = Rediscoveries(period, context.knowledge)
    types.forget()
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
}
