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
    noteChange(of: side)
    context.databases.noteChange(at: place(side))
  }
}

extension CapturedOctets {
  /// Whether this is what Service Changed says most often: all handles from one on.
  fileprivate var saysThatAllChanged: Bool {
    guard let changed = try? ServiceChanged(octets) else { return false }
    return changed.start > 0 && changed.end == .max
  }
}
