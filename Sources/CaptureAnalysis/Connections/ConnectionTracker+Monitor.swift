import BluetoothHost
import CaptureFiles
import Octets

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

extension AdapterEvent {
  /// New Index: type (1), bus (1), address (6), name (8). Index Information: address (6), manufacturer (2).
  init(_ adapter: UInt16, _ octets: Span<UInt8>, isNew: Bool) {
    var reader = OctetReader(octets, layer: "Linux monitor")
    if isNew { reader.skip(upTo: 2) }
    let address = try? DeviceAddress(parsing: &reader, .public)
    let name = isNew ? ContiguousArray(reader.prefix(8)).prefix { $0 != 0 } : []
    self.init(
      index: adapter, address: address.flatMap { $0.number == 0 ? nil : $0 },
      name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
  }
}
