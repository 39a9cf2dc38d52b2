import BluetoothHost
import CaptureFiles

// Which controller an adapter has: its connections are not those of another with the same number.

extension ConnectionTracker {
  /// What is known of an adapter's controller.
  func controller(of adapter: UInt16) -> ControllerIdentity { controllers[adapter] ?? ControllerIdentity() }

  /// A controller says what it is. If it is another than before, that was taken away, or what comes now is another host's.
  mutating func note(_ controller: ControllerIdentity, of adapter: UInt16) {
    var known = self.controller(of: adapter)
    guard known.contradicts(controller) else {
      known.add(controller)
      return controllers[adapter] = known
    }
    controllers[adapter] = controller
    replaced.insert(all: adapter)
    if links.contains(where: { $0.adapter == adapter && $0.closedAt == nil }) { closeAll(of: adapter, .removed) }
    endAll(of: adapter)
  }
}
