import GATTKit
import Testing

@Suite struct `Questions to a database` {
  private static let database = {
    var database = GATTDatabase()
    database.insertService(0x0010...0x0015, uuid: .heartRateService, isPrimary: true)
    database.insertService(0x0020...0x0023, uuid: nil, isPrimary: true)
    database.insertCharacteristic(declaration: 0x11, valueHandle: 0x12, properties: nil, uuid: .heartRateMeasurement)
    return database
  }()

  @Test(arguments: [(0x0F, false), (0x10, true), (0x15, true), (0x16, false), (0x20, false), (0xFFFF, false)])
  func `of which type the service is that has a handle`(handle: UInt16, isHeartRate: Bool) {
    #expect(Self.database.serviceType(at: handle) == (isHeartRate ? .heartRateService : nil))
  }

  @Test func `whether it holds a characteristic`() {
    #expect(Self.database.holdsCharacteristic(.heartRateMeasurement))
    #expect(!Self.database.holdsCharacteristic(.batteryLevel))
    #expect(!GATTDatabase().holdsCharacteristic(.heartRateMeasurement))
  }
}
