import Testing

@testable import GATTKit

@Suite struct `A table of handles` {
  /// Against the plainest of dictionaries, over thousands of changes: what is there, in which order, and what lies
  /// before and within handles.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `holds what was put in and not taken out`(seed: UInt64) {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func number(below limit: UInt64) -> UInt16 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt16((random >> 33) % limit)
    }
    var table = HandleTable<GATTDescriptor>()
    var plain: [UInt16: GATTDescriptor] = [:]
    for step in 0..<6000 {
      let handle = number(below: 3000)
      if number(below: 4) > 0 {
        let descriptor = GATTDescriptor(handle: handle, uuid: BluetoothUUID(number(below: 60_000)))
        table.insert(descriptor)
        plain[handle] = descriptor
      } else {
        let end = handle + number(below: step % 100 == 0 ? 900 : 8)
        table.remove(in: handle...end)
        for gone in handle...end { plain[gone] = nil }
      }
      #expect(table[handle] == plain[handle])
      guard step % 200 == 0 else { continue }
      let all = plain.values.sorted { $0.handle < $1.handle }
      #expect(table.elements == all && table.count == all.count && table.isEmpty == all.isEmpty)
      #expect(table.first(from: handle) == all.first { $0.handle >= handle })
      #expect(table.last(upTo: handle, among: 1) { _ in true } == all.last { $0.handle <= handle })
      let third = all.filter { $0.handle <= handle }.suffix(3).first
      #expect(table.last(upTo: handle, among: 3) { $0 == third } == third)
      let range = handle...handle + 500
      #expect(table.elements(in: range) == all.filter { range.contains($0.handle) })
      var again = HandleTable<GATTDescriptor>()
      for descriptor in all.shuffled() { again.insert(descriptor) }
      #expect(again == table && again.hashValue == table.hashValue)
    }
  }

  @Test func `holds every handle there is`() {
    var upwards = HandleTable<GATTDescriptor>()
    var downwards = HandleTable<GATTDescriptor>()
    for handle in UInt16.min...UInt16.max {
      upwards.insert(GATTDescriptor(handle: handle, uuid: .batteryLevel))
      downwards.insert(GATTDescriptor(handle: .max - handle, uuid: .batteryLevel))
    }
    #expect(upwards.count == 65_536 && upwards == downwards)
    #expect(upwards.first(from: .max)?.handle == .max && upwards.elements(in: 0...0).map(\.handle) == [0])
    upwards.remove(in: 0...UInt16.max)
    #expect(upwards.isEmpty && upwards.elements.isEmpty && upwards[7] == nil)
    #expect(upwards.last(upTo: .max, among: 9) { _ in true } == nil)
  }
}
