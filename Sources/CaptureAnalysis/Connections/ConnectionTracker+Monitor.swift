import BluetoothHost
import CaptureFiles

// What the Linux monitor says beside packets: of its adapters, and what programs ask of the kernel.

extension ConnectionTracker {
  /// Something the Linux monitor says.
  mutating func receive(note content: RecordContent, _ octets: Span<UInt8>, adapter: UInt16) {
    switch content {
    case .newIndex, .indexInformation:
      let event = AdapterEvent(adapter, octets, isNew: content == .newIndex)
      context.tell(.adapter(event), connection: nil)
      // Whose make it is, drivers may say otherwise than the controller does.
      note(ControllerIdentity(address: event.address), of: adapter)
    // Without its adapter, or while that is off, there is no connection, even where nobody says so.
    case .deleteIndex, .closeIndex:
      closeAll(of: adapter, content == .deleteIndex ? .removed : .switchedOff)
      if content == .deleteIndex { endAll(of: adapter) }
    case .managementCommand: receive(managementCommand: octets, adapter)
    default: break
    }
  }

  /// A Linux host tells its kernel the keys of all friends, whatever its controller can do with them.
  private mutating func receive(managementCommand octets: Span<UInt8>, _ adapter: UInt16) {
    guard var keys = LoadedIdentityResolvingKeys(parsing: octets) else { return }
    while let (key, address) = keys.next() { context.learn(key, of: address, adapter: adapter) }
  }
}
