import Foundation
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

  @Test func `the characteristic with its value at a handle`() {
    let measurement = Self.database.characteristic(withValueAt: 0x12)
    #expect(measurement?.uuid == .heartRateMeasurement)
    #expect(measurement?.declaration == 0x11)
    #expect(Self.database.characteristic(withValueAt: 0x11) == nil)
    #expect(Self.database.characteristic(withValueAt: 0x13) == nil)
  }

  /// A value stands right behind its declaration. Core 6.0, Vol 3, Part G, 3.3.
  @Test(
    arguments: [(nil, 0x12, true), (0x11, 0x12, true), (0x11, 0x13, false), (0x12, 0x12, false)]
      as [(UInt16?, UInt16, Bool)])
  func `whether a value stands where it has to`(declaration: UInt16?, valueHandle: UInt16, isOrdered: Bool) {
    var database = GATTDatabase()
    database.insertCharacteristic(
      declaration: declaration, valueHandle: valueHandle, properties: nil, uuid: .heartRateMeasurement)
    #expect(database.characteristic(withValueAt: valueHandle)?.followsDeclaration == isOrdered)
    #expect(database.holdsOrderedCharacteristic(.heartRateMeasurement) == isOrdered)
    #expect(!database.holdsOrderedCharacteristic(.batteryLevel))
    #expect(!database.holdsOrderedCharacteristic(.heartRateMeasurement, in: 0x20...0x30))
  }

  /// What is gone takes its characteristics and descriptors with it; a secondary service is not looked for among primary
  /// ones.
  @Test(arguments: [0x02, 0x03, 0x04, 0x05] as [UInt16])
  func `the characteristic of a handle has all its descriptors`(handle: UInt16) {
    var database = GATTDatabase()
    database.insertService(1...10, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 2, valueHandle: 3, properties: .notify, uuid: .heartRateMeasurement)
    database.insertAttribute(4, uuid: .clientCharacteristicConfiguration)
    database.insertAttribute(5, uuid: .characteristicUserDescription)
    database.insertCharacteristic(declaration: 6, valueHandle: 7, properties: .read, uuid: .bodySensorLocation)
    database.insertAttribute(8, uuid: .characteristicUserDescription)
    database.insertService(11...13, uuid: .batteryService, isPrimary: true)
    database.insertAttribute(12, uuid: .clientCharacteristicConfiguration)
    let owner = database.characteristic(owning: handle)
    // A declaration stands before the value, and belongs to none.
    #expect(owner == (handle == 2 ? nil : database.characteristics(.heartRateMeasurement).first))
    #expect(owner?.descriptors.map(\.handle) ?? [4, 5] == [4, 5])
    #expect(database.bareCharacteristic(owning: handle)?.descriptors ?? [] == [])
    #expect(database.characteristic(owning: 7)?.descriptors.map(\.handle) == [8])
  }

  /// A characteristic ends where anything is declared, whatever told so. Core 6.0, Vol 3, Part G, 3.3.
  @Test(arguments: [[0x0E...0x16], [0x0E...0xFFFF], []] as [[ClosedRange<UInt16>]])
  func `a declaration that was told by itself is a border`(services: [ClosedRange<UInt16>]) throws {
    for border in [BluetoothUUID.characteristic, .primaryService, .secondaryService, .include] {
      var database = GATTDatabase()
      for handles in services { database.insertService(handles, uuid: .heartRateService, isPrimary: true) }
      database.insertCharacteristic(
        declaration: 0x0F, valueHandle: 0x10, properties: .notify, uuid: .heartRateMeasurement)
      database.insertAttribute(0x11, uuid: .clientCharacteristicConfiguration)
      database.insertAttribute(0x14, uuid: .clientCharacteristicConfiguration)
      #expect(database.characteristic(owning: 0x14)?.uuid == .heartRateMeasurement)
      database.insertAttribute(0x12, uuid: border)
      #expect(try #require(database.characteristic(owning: 0x11)).descriptors.map(\.handle) == [0x11])
      // Behind a declaration of a characteristic, its value is not known, but where it is.
      let characteristics = database.services.flatMap(\.characteristics)
      #expect(characteristics.map(\.valueHandle) == (border == .characteristic ? [0x10, 0x13] : [0x10]))
      #expect(
        characteristics.map { $0.descriptors.map(\.handle) }
          == (border == .characteristic ? [[0x11], [0x14]] : [[0x11]]))
      #expect(GATTDatabase(services: database.services).services == database.services)
      for handle in [0x12, 0x13, 0x14, 0xFFFF] as [UInt16] { #expect(database.characteristic(owning: handle) == nil) }
      #expect(database.declarationsAndDescriptors(in: 0x11...0x14).map(\.handle) == [0x11, 0x12, 0x14])
      // What is behind it does not go with the characteristic before it.
      database.removeCharacteristics([0x10])
      #expect([0x11, 0x12, 0x14].filter { database.type(of: $0) != nil } == [0x12, 0x14])
    }
  }

  @Test func `an include is a border, and so is a declaration of a value that is elsewhere`() {
    var database = GATTDatabase()
    database.insertCharacteristic(declaration: 2, valueHandle: 3, properties: .read, uuid: .batteryLevel)
    database.insertAttribute(6, uuid: .clientCharacteristicConfiguration)
    database.insertInclude(GATTInclude(handle: 5, service: 20...23, uuid: nil))
    #expect(database.characteristic(owning: 4)?.valueHandle == 3 && database.characteristic(owning: 6) == nil)
    #expect(database.characteristic(owning: 3)?.descriptors == [])
    database.insertCharacteristic(declaration: 4, valueHandle: 30, properties: .read, uuid: .deviceName)
    #expect(database.characteristic(owning: 4) == nil)
  }

  /// Find Information tells types alone, in whatever order its answers come.
  @Test(arguments: [true, false], [true, false])
  func `what stands right behind a declaration is a value`(isInOrder: Bool, isFilledIn: Bool) {
    let attributes: [(UInt16, BluetoothUUID)] = [
      (0x0E, .primaryService), (0x0F, .characteristic), (0x10, .heartRateMeasurement),
      (0x11, .clientCharacteristicConfiguration), (0x12, .characteristic), (0x13, .bodySensorLocation),
      (0x14, .characteristicUserDescription),
    ]
    var (database, other) = (GATTDatabase(), GATTDatabase())
    for (handle, uuid) in isInOrder ? attributes : attributes.reversed() {
      if isFilledIn, uuid != .characteristic {
        other.insertAttribute(handle, uuid: uuid)
      } else {
        database.insertAttribute(handle, uuid: uuid)
      }
    }
    database.fillIn(from: other)
    let expected = [
      GATTCharacteristic(
        declaration: 0x0F, valueHandle: 0x10, properties: nil, uuid: .heartRateMeasurement,
        descriptors: [GATTDescriptor(handle: 0x11, uuid: .clientCharacteristicConfiguration)]),
      GATTCharacteristic(
        declaration: 0x12, valueHandle: 0x13, properties: nil, uuid: .bodySensorLocation,
        descriptors: [GATTDescriptor(handle: 0x14, uuid: .characteristicUserDescription)]),
    ]
    #expect(database.services.flatMap(\.characteristics) == expected)
    #expect(attributes.allSatisfy { database.type(of: $0) == $1 } && database.count == attributes.count)
    #expect(database.valueHandle(of: .heartRateMeasurement) == 0x10)
    #expect([0x0E, 0x0F, 0x12].allSatisfy { database.characteristic(owning: $0) == nil })
    database.removeCharacteristics([0x10, 0x13])
    #expect(database.count == 1)
  }

  /// A declaration that is known to be another's declares nothing else; nor is a descriptor a value, nor what a service takes.
  @Test func `what is no value though it stands behind a declaration`() {
    var database = GATTDatabase()
    database.insertAttribute(1, uuid: .characteristic)
    database.insertCharacteristic(declaration: 1, valueHandle: 9, properties: .read, uuid: .batteryLevel)
    database.insertAttribute(2, uuid: .deviceName)
    database.insertAttribute(3, uuid: .characteristic)
    database.insertAttribute(4, uuid: .clientCharacteristicConfiguration)
    database.insertAttribute(5, uuid: .characteristic)
    database.insertService(6...9, uuid: .batteryService, isPrimary: true)
    database.insertAttribute(6, uuid: .modelNumberString)
    #expect(database.characteristics(withValuesIn: 0...0xFFFF).map(\.valueHandle) == [9])
    // A value that is known stays one; its declaration is what the newest word says.
    database.insertAttribute(1, uuid: .characteristicUserDescription)
    #expect(database.characteristic(withValueAt: 9)?.declaration == nil && database.type(of: 1) != .characteristic)
    #expect(database.type(of: 9) == .batteryLevel)
  }

  /// Find Information has told the declaration, and another answer the value: together they go.
  @Test func `a declaration that was told by itself goes with its value`() {
    var database = GATTDatabase()
    database.insertAttribute(2, uuid: .characteristic)
    database.insertCharacteristic(declaration: nil, valueHandle: 3, properties: nil, uuid: .batteryLevel)
    database.removeCharacteristics([3])
    #expect(database.isEmpty)
  }

  /// Only a declaration stands right before a value. Core 6.0, Vol 3, Part G, 3.3.
  @Test func `behind a descriptor stands no value`() {
    var database = GATTDatabase()
    database.insertAttribute(5, uuid: .clientCharacteristicConfiguration)
    database.insertAttribute(8, uuid: .characteristic)
    #expect((4...9).filter { database.mayHoldValue(at: $0) } == [4, 7, 9])
  }

  @Test func `a database that knows anything is not empty`() {
    var databases = [GATTDatabase](repeating: GATTDatabase(), count: 5)
    databases[0].insertService(1...2, uuid: nil, isPrimary: nil)
    databases[1].insertInclude(GATTInclude(handle: 3, service: 5...6, uuid: .batteryService))
    databases[2].insertCharacteristic(declaration: nil, valueHandle: 3, properties: nil, uuid: nil)
    databases[3].insertAttribute(3, uuid: .characteristic)
    databases[4].insertAttribute(3, uuid: .clientCharacteristicConfiguration)
    for database in databases { #expect(!database.isEmpty && database.count == 1) }
    #expect(GATTDatabase().isEmpty && GATTDatabase().count == 0)
  }

  @Test func `a tree in words`() {
    var database = GATTDatabase()
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    database.insertAttribute(17, uuid: .clientCharacteristicConfiguration)
    database.insertService(32...33, uuid: nil, isPrimary: false)
    database.insertInclude(GATTInclude(handle: 33, service: 14...19, uuid: .heartRateService))
    database.insertCharacteristic(declaration: nil, valueHandle: 300, properties: nil, uuid: nil)
    #expect(
      database.description == """
        0x000E–0x0013 service 180D (Heart Rate)
          0x0010 characteristic 2A37 (Heart Rate Measurement): notify
            0x0011 descriptor 2902 (Client Characteristic Configuration)
        0x0020–0x0021 secondary service of unknown type
          0x0021 includes 0x000E–0x0013 180D (Heart Rate)
        0x012C–0x012C service of unknown type
          0x012C characteristic of unknown type
        """)
    #expect(GATTDatabase().description == "")
    #expect(database.services(.heartRateService).map(\.handles) == [14...19])
    #expect(database.services(.batteryService) == [])
  }

  @Test func `a tree makes a database again`() {
    var database = GATTDatabase()
    database.insertService(1...7, uuid: .gapService, isPrimary: true)
    database.insertCharacteristic(declaration: 2, valueHandle: 3, properties: .read, uuid: .deviceName)
    database.insertService(18...32, uuid: .heartRateService, isPrimary: true)
    database.insertService(19...23, uuid: .batteryService, isPrimary: false) { _ in true }
    database.insertCharacteristic(declaration: 20, valueHandle: 21, properties: .read, uuid: .batteryLevel)
    database.insertInclude(GATTInclude(handle: 24, service: 19...23, uuid: .batteryService))
    database.insertCharacteristic(declaration: 27, valueHandle: 28, properties: .notify, uuid: .heartRateMeasurement)
    database.insertAttribute(29, uuid: .clientCharacteristicConfiguration)
    // In no service.
    database.insertCharacteristic(declaration: nil, valueHandle: 300, properties: nil, uuid: .bodySensorLocation)
    #expect(GATTDatabase(services: database.services).services == database.services)
    #expect(GATTDatabase(services: database.services.reversed()).services == database.services)
    #expect(GATTDatabase(services: []).isEmpty)
  }

  /// The declaration of an include leaves a type of 128 bits out; what is known of the service tells it.
  @Test func `an include of a service whose type is known`() {
    var database = GATTDatabase()
    let services: [ClosedRange<UInt16>] = [1...3, 4...4, 5...9, 10...14, 20...0xFFFF]
    for handles in services { database.insertService(handles, uuid: .batteryService, isPrimary: true) }
    let included: [ClosedRange<UInt16>] = [1...3, 4...4, 5...8, 4...9, 15...16, 20...29]
    for (handle, service) in zip((10 as UInt16)..., included) {
      database.insertInclude(GATTInclude(handle: handle, service: service, uuid: nil))
    }
    let found = database.services.flatMap(\.includes)
    #expect(found.map(\.service) == Array(included.prefix(5)))
    #expect(found.map(\.uuid) == [.batteryService, .batteryService, nil, nil, nil])
    #expect(database.mayTake(20...29) && !database.mayTake(15...16) && !database.mayTake(4...9))
  }

  @Test func `services that are gone`() {
    var database = GATTDatabase()
    database.insertService(1...5, uuid: .gapService, isPrimary: true)
    database.insertService(6...9, uuid: .batteryService, isPrimary: true)
    database.insertService(10...13, uuid: .heartRateService, isPrimary: false)
    database.insertCharacteristic(declaration: 7, valueHandle: 8, properties: .read, uuid: .batteryLevel)
    database.insertAttribute(9, uuid: .clientCharacteristicConfiguration)
    database.removePrimaryServices(in: 6...65535) { $0 != 20 }
    #expect(database.services.map(\.uuid) == [.gapService, .heartRateService])
    #expect(database.type(of: 8) == nil && database.type(of: 9) == nil)
    database.removePrimaryServices(in: 1...65535) { $0 != 1 }
    #expect(database.services.map(\.uuid) == [.gapService, .heartRateService])
    database.insertCharacteristic(declaration: 11, valueHandle: 12, properties: .notify, uuid: .heartRateMeasurement)
    database.removeServices(in: 2...10)
    #expect(database.services.map(\.uuid) == [.gapService] && database.type(of: 12) == nil)
  }

  /// An app keeps what it has discovered.
  @Test func `is kept as text`() throws {
    var database = GATTDatabase()
    database.insertService(1...5, uuid: .gapService, isPrimary: true)
    database.insertService(10...13, uuid: .heartRateService, isPrimary: false)
    database.insertInclude(GATTInclude(handle: 2, service: 10...13, uuid: .heartRateService))
    database.insertCharacteristic(declaration: 11, valueHandle: 12, properties: .notify, uuid: .heartRateMeasurement)
    database.insertAttribute(13, uuid: .clientCharacteristicConfiguration)
    let kept = try JSONEncoder().encode(database)
    #expect(try JSONDecoder().decode(GATTDatabase.self, from: kept).services == database.services)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(GATTDatabase.self, from: Data(#"[{"handles":[5,1]}]"#.utf8))
    }
  }

  /// Descriptors go with their characteristic; what stands between those that are gone stays.
  @Test func `characteristics that are gone`() {
    var database = GATTDatabase()
    for handle in [2, 5, 8, 0xFFFE] as [UInt16] {
      database.insertCharacteristic(
        declaration: handle - 1, valueHandle: handle, properties: .notify, uuid: .batteryLevel)
      database.insertAttribute(handle + 1, uuid: .clientCharacteristicConfiguration)
    }
    database.insertAttribute(10, uuid: .characteristic)
    database.removeCharacteristics([])
    database.removeCharacteristics([1, 3, 40])
    #expect(database.characteristics(withValuesIn: 2...0xFFFF).map(\.valueHandle) == [2, 5, 8, 0xFFFE])
    database.removeCharacteristics([2, 8, 0xFFFE])
    let left = [2, 3, 5, 6, 8, 9, 10, 0xFFFE, 0xFFFF].filter { database.type(of: $0) != nil }
    #expect(left == [5, 6, 10])
    #expect(database.characteristics(withValuesIn: 1...0xFFFF).map(\.declaration) == [4])
    #expect(database.characteristics(withValuesIn: 6...0xFFFF).isEmpty)
  }

  @Test func `the handles of a service, and services of one type that are gone`() {
    var database = GATTDatabase()
    database.insertService(1...5, uuid: .gapService, isPrimary: true)
    database.insertService(10...13, uuid: .heartRateService, isPrimary: true)
    #expect([1, 5, 6, 10].map(database.serviceHandles) == [1...5, 1...5, nil, 10...13])
    database.removePrimaryServices(in: 1...65535, of: .heartRateService) { _ in true }
    #expect(database.services.map(\.uuid) == [.gapService])
  }

  /// Core 6.0, Vol 3, Part F, 3.4.3.4: the end of the last service may be given as 0xFFFF.
  @Test(arguments: [[14...19, 14...0xFFFF], [14...0xFFFF, 14...19]] as [[ClosedRange<UInt16>]])
  func `a service keeps what is in it when its end is told anew`(ends: [ClosedRange<UInt16>]) throws {
    var database = GATTDatabase()
    database.insertService(ends[0], uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    database.insertService(ends[1], uuid: .heartRateService, isPrimary: true)
    let service = try #require(database.services.first)
    #expect(database.services.count == 1 && service.handles == 14...19)
    #expect(service.characteristics.map(\.valueHandle) == [16])
  }

  /// What an earlier table said of the end is past; what another service begins behind ends before it.
  @Test(arguments: [true, false]) func `a service whose end is not known any more`(isLast: Bool) {
    var database = GATTDatabase()
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    if !isLast { database.insertService(20...23, uuid: .batteryService, isPrimary: true) }
    database.forgetEnd(ofService: 14)
    database.forgetEnd(ofService: 15)
    database.insertService(14...0xFFFF, uuid: .heartRateService, isPrimary: true)
    #expect(database.services.map(\.handles) == (isLast ? [14...0xFFFF] : [14...19, 20...23]))
    #expect(database.type(of: 16) == .heartRateMeasurement)
    database.insertService(14...18, uuid: .heartRateService, isPrimary: true)
    #expect(database.services.first?.handles == 14...18)
  }

  @Test func `what is declared between two handles, and whether a service is there`() {
    var database = GATTDatabase()
    database.insertService(4...9, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 5, valueHandle: 9, properties: .notify, uuid: .heartRateMeasurement)
    database.insertCharacteristic(declaration: 6, valueHandle: 7, properties: .read, uuid: .bodySensorLocation)
    database.insertCharacteristic(declaration: nil, valueHandle: 8, properties: nil, uuid: nil)
    #expect(database.characteristics(declaredIn: 1...5).map(\.valueHandle) == [9])
    #expect(database.characteristics(declaredIn: 5...0xFFFF).map(\.valueHandle) == [9, 7])
    #expect(database.characteristics(declaredIn: 7...0xFFFF).isEmpty)
    database.insertCharacteristic(declaration: 6, valueHandle: 10, properties: .read, uuid: .bodySensorLocation)
    database.removeCharacteristics([9])
    #expect(database.characteristics(declaredIn: 1...0xFFFF).map(\.valueHandle) == [10])
    let ranges: [ClosedRange<UInt16>] = [1...3, 1...4, 5...6, 9...20, 10...20]
    #expect(ranges.map(database.holdsService) == [false, true, true, true, false])
  }

  @Test func `one that ends earlier than before has lost what was behind`() {
    var database = GATTDatabase()
    database.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    database.insertCharacteristic(declaration: 18, valueHandle: 19, properties: .read, uuid: .bodySensorLocation)
    database.insertService(14...17, uuid: .heartRateService, isPrimary: true)
    #expect(database.services.flatMap(\.characteristics).map(\.valueHandle) == [16])
  }

  @Test func `one that reached to the end ends where another begins`() {
    var database = GATTDatabase()
    database.insertService(14...0xFFFF, uuid: .heartRateService, isPrimary: true)
    database.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    database.insertService(20...0xFFFF, uuid: .batteryService, isPrimary: true)
    #expect(database.services.map(\.handles) == [14...19, 20...0xFFFF])
    #expect(database.type(of: 16) == .heartRateMeasurement)
  }

  @Test func `takes over what does not contradict it`() {
    var old = GATTDatabase()
    old.insertService(14...19, uuid: .heartRateService, isPrimary: true)
    old.insertCharacteristic(declaration: 15, valueHandle: 16, properties: .notify, uuid: .heartRateMeasurement)
    old.insertAttribute(17, uuid: .clientCharacteristicConfiguration)
    old.insertService(20...23, uuid: .batteryService, isPrimary: true)
    old.insertCharacteristic(declaration: 21, valueHandle: 22, properties: .read, uuid: .batteryLevel)
    var name = GATTDatabase()
    name.insertCharacteristic(declaration: nil, valueHandle: 3, properties: nil, uuid: .deviceName)
    name.fillIn(from: old)
    #expect(name.services.map(\.uuid) == [nil, .heartRateService, .batteryService])
    #expect(name.type(of: 3) == .deviceName && name.type(of: 16) == .heartRateMeasurement)
    #expect(name.type(of: 17) == .clientCharacteristicConfiguration)
    // Another table: what the old one had in the place of its services is past.
    var new = GATTDatabase()
    new.insertService(10...19, uuid: .batteryService, isPrimary: true)
    new.insertCharacteristic(declaration: 11, valueHandle: 12, properties: .read, uuid: .batteryLevel)
    new.fillIn(from: old)
    #expect(new.services.map(\.handles) == [10...19, 20...23])
    #expect(new.type(of: 16) == nil && new.type(of: 12) == .batteryLevel && new.type(of: 22) == .batteryLevel)
  }

  /// Find Information tells the type of a value, a declaration that it is one: whichever was learned first.
  @Test func `takes over a characteristic whose attribute is known`() {
    var found = GATTDatabase()
    found.insertService(5...12, uuid: .heartRateService, isPrimary: true)
    found.insertCharacteristic(declaration: 6, valueHandle: 7, properties: .notify, uuid: .heartRateMeasurement)
    found.insertAttribute(8, uuid: .clientCharacteristicConfiguration)
    found.insertAttribute(10, uuid: .bodySensorLocation)
    var declared = GATTDatabase()
    declared.insertCharacteristic(declaration: 9, valueHandle: 10, properties: .read, uuid: .bodySensorLocation)
    // Another type is another attribute.
    declared.insertCharacteristic(declaration: 11, valueHandle: 8, properties: .read, uuid: .batteryLevel)
    var filled = found
    filled.fillIn(from: declared)
    #expect(filled.services.flatMap(\.characteristics).map(\.valueHandle) == [7, 10])
    #expect(filled.services.first?.characteristics.first?.descriptors.map(\.handle) == [8])
    declared.removeCharacteristics([8])
    declared.fillIn(from: found)
    #expect(declared == filled)
  }

  /// A server may claim as many attributes as there are handles.
  @Test func `takes over a table of every handle`() {
    var old = GATTDatabase()
    for handle in stride(from: UInt16(1), to: 20_000, by: 2) { old.insertAttribute(handle, uuid: .batteryLevel) }
    var name = GATTDatabase()
    name.insertCharacteristic(declaration: nil, valueHandle: 2, properties: nil, uuid: .deviceName)
    for _ in 0..<20 { name.fillIn(from: old) }
    #expect(name.type(of: 2) == .deviceName && name.type(of: 19_999) == .batteryLevel)
  }

  /// Servers at fault put a service into the range of another; in which order they are told depends on the client.
  @Test(arguments: [[18...32, 19...23, 25...26], [25...26, 19...23, 18...32]] as [[ClosedRange<UInt16>]])
  func `a service in the range of another`(services: [ClosedRange<UInt16>]) throws {
    var database = GATTDatabase()
    database.insertService(1...7, uuid: .gapService, isPrimary: true)
    for _ in 0..<2 {
      for handles in services {
        let uuid: BluetoothUUID = handles == 18...32 ? .heartRateService : .batteryService
        database.insertService(handles, uuid: uuid, isPrimary: true) { _ in true }
      }
      database.insertCharacteristic(declaration: 20, valueHandle: 21, properties: .read, uuid: .batteryLevel)
      database.insertAttribute(22, uuid: .clientCharacteristicConfiguration)
      database.insertCharacteristic(declaration: 27, valueHandle: 28, properties: .notify, uuid: .heartRateMeasurement)
      database.insertAttribute(29, uuid: .clientCharacteristicConfiguration)
    }
    database.insertInclude(GATTInclude(handle: 24, service: 25...26, uuid: .batteryService))
    #expect(database.services.map(\.handles) == [1...7, 18...32, 19...23, 25...26])
    #expect(database.services.map(\.uuid) == [.gapService, .heartRateService, .batteryService, .batteryService])
    #expect(database.services.map { $0.characteristics.map(\.valueHandle) } == [[], [28], [21], []])
    #expect(database.services.map { $0.includes.map(\.handle) } == [[], [24], [], []])
    let descriptors = database.services.flatMap(\.characteristics).map { $0.descriptors.map(\.handle) }
    #expect(descriptors == [[29], [22]])
    #expect(database.serviceType(at: 21) == .batteryService && database.serviceType(at: 28) == .heartRateService)
    #expect(database.serviceType(at: 24) == .heartRateService)
    #expect(database.characteristic(owning: 22)?.valueHandle == 21 && database.characteristic(owning: 24) == nil)
    #expect(database.characteristic(owning: 29)?.valueHandle == 28)
    var other = GATTDatabase()
    other.insertCharacteristic(declaration: nil, valueHandle: 3, properties: nil, uuid: .deviceName)
    other.fillIn(from: database)
    #expect(other.services.map(\.handles) == database.services.map(\.handles))
    // Another discovery that does not tell of the outer one any more has found another table.
    database.insertService(19...24, uuid: .gattService, isPrimary: true)
    #expect(database.services.map(\.uuid).contains(.heartRateService) == false)
  }

  /// A chain of services, each in the range of the one before, and many in one: some are kept, and none takes long.
  @Test func `thousands of services in the range of others`() {
    for isChain in [true, false] {
      var database = GATTDatabase()
      for step in 0..<3000 as Range<UInt16> {
        let handles = isChain ? 1 + step...40_000 - step : step == 0 ? 1...40_000 : step * 2...step * 2 + 1
        database.insertService(handles, uuid: step == 0 ? .heartRateService : .batteryService, isPrimary: true) { _ in
          true
        }
      }
      #expect(database.services.count > 0 && database.services.count < 3000)
    }
  }
}
