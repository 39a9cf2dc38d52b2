import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part G, 4: every way in which a client may learn what a server has.
@Suite struct `Discovery` {
  private func connection(_ build: (inout HostSide) -> Void) throws -> AnalyzedConnection {
    var host = HostSide()
    host.connected()
    build(&host)
    return try #require(try Analysis(host.file()).connections.first)
  }

  private func bpm(_ connection: AnalyzedConnection) -> [UInt16?] {
    connection.measurements.map(\.reading.beatsPerMinute)
  }

  @Test func `services, characteristics, descriptors`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.notified([0, 60])
    }
    let service = try #require(connection.databases?.peer.services.first)
    #expect(service.handles == 14...19 && service.uuid == .heartRateService && service.isPrimary == true)
    #expect(service.characteristics.map(\.valueHandle) == [16, 19])
    #expect(service.characteristics.map(\.declaration) == [15, 18])
    #expect(service.characteristics.map(\.properties) == [.notify, .read])
    #expect(
      service.characteristics[0].descriptors == [GATTDescriptor(handle: 17, uuid: .clientCharacteristicConfiguration)])
    #expect(bpm(connection) == [60])
    // Each is told once.
    #expect(connection.events.filter { $0.content.kind == .service }.count == 1)
    #expect(connection.events.filter { $0.content.kind == .characteristic }.count == 2)
  }

  /// Of two measurements on one server, the one that comes has its own subscription.
  @Test func `two heart rate services, both subscribed to`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    host.notified(attribute: 16, [0, 60])
    host.notified(attribute: 42, [0, 61])
    let session = try summary(of: host.file()).connections.first?.heartRate
    #expect(session?.measurementHandle == 16 && session?.configurationHandle == 17)
  }

  @Test func `the configuration, which nobody has written yet`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    let session = try summary(of: host.file()).connections.first?.heartRate
    #expect(session?.measurementHandle == 16 && session?.configurationHandle == 17)
  }

  /// Some clients ask for the types of all attributes and nothing else.
  @Test func `Find Information alone`() throws {
    let connection = try connection {
      $0.sent(hex("04 01 00 ff ff"))
      $0.received(hex("05 01 0e 00 00 28 0f 00 03 28 10 00 37 2a 11 00 02 29"))
      $0.sent(hex("04 12 00 ff ff"))
      $0.received(hex("05 01 12 00 03 28 13 00 38 2a"))
      $0.sent(hex("04 14 00 ff ff"))
      $0.received(hex("01 04 14 00 0a"))
      $0.write(attribute: 17, [1, 0])
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    let measurement = try #require(connection.databases?.peer.characteristics(.heartRateMeasurement).first)
    #expect(measurement.valueHandle == 16 && measurement.declaration == 15)
    #expect(measurement.descriptors.map(\.handle) == [17])
    #expect(connection.subscriptions.map(\.valueHandle) == [16])
  }

  /// What was a value is a declaration now, and what was a descriptor is a value.
  @Test func `Find Information alone, of another table than before`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 60])
    host.disconnected()
    host.wait(milliseconds: 5_000)
    host.connected()
    host.sent(hex("04 01 00 ff ff"))
    host.received(hex("05 01 0f 00 00 28 10 00 03 28 11 00 37 2a 12 00 02 29"))
    host.sent(hex("04 13 00 ff ff"))
    host.received(hex("01 04 13 00 0a"))
    host.write(attribute: 18, [1, 0])
    host.notified(attribute: 17, [0, 61])
    let connection = try #require(try Analysis(host.file()).connections.last)
    #expect(bpm(connection) == [61])
    let database = try #require(connection.databases?.peer)
    #expect(database.type(of: 16) == .characteristic)
    let measurements = database.characteristics(.heartRateMeasurement)
    #expect(measurements.map(\.valueHandle) == [17] && measurements.map(\.declaration) == [16])
    #expect(measurements.first?.descriptors.map(\.handle) == [18])
    #expect(database.type(of: 19) == nil)
    #expect(connection.subscriptions.map(\.valueHandle) == [17])
  }

  /// Attributes were told without services on an earlier connection, and the table is another now.
  @Test func `services where other attributes stood, and where none is`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0e 00 10 0f 00 37 2a 14 00 10 15 00 37 2a 22 00 02 23 00 29 2a"))
    host.disconnected()
    host.wait(milliseconds: 5_000)
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0f 00 14 00 0f 18 15 00 1a 00 0d 18"))
    host.sent(hex("10 1b 00 ff ff 00 28"))
    host.received(hex("01 10 1b 00 0a"))
    let database = try #require(try Analysis(host.file()).connections.last?.databases?.peer)
    #expect(database.services.map(\.handles) == [15...20, 21...26])
    #expect(database.services.allSatisfy { $0.characteristics.isEmpty })
  }

  /// What is wrong with a response.
  enum Fault: CaseIterable { case unfinished, withoutFields, dropped }

  /// A client asks again only when it was answered: what was asked before must not take another's answer.
  @Test(arguments: Fault.allCases)
  func `behind a response that is not in the capture as it was sent`(fault: Fault) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 02 28"))
    switch fault {
    case .unfinished: host.fragment(.received, hex("0a 00 04 00 09 08"))
    case .withoutFields: host.received(hex("09"))
    case .dropped: break
    }
    let before = host.packets.count
    host.sent(hex("08 0e 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
    host.notified([0, 60])
    let file = fault == .dropped ? host.file(dropping: 1, before: before) : host.file()
    let connection = try #require(try Analysis(file).connections.first)
    #expect(bpm(connection) == [60])
  }

  /// The same request is answered otherwise the second time, and nobody says that the table changed.
  @Test func `another type where there was one`() throws {
    let summary = try summary(
      of: {
        var host = HostSide()
        host.connected()
        for type in ["19 2a", "37 2a"] {
          host.sent(hex("08 0e 00 13 00 03 28"))
          host.received(hex("09 07 0f 00 10 10 00 \(type)"))
        }
        host.notified([0, 60])
        return host.file()
      }())
    #expect(summary.connections.map { $0.heartRate?.provenance } == ["discovered"])
  }

  /// Neither a drop nor a fault tells that an answer is missing: what the next one says shows whose it is.
  @Test func `an answer goes to the request that it fits`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 00 2a"))
      $0.sent(hex("08 01 00 ff ff 03 28"))
      $0.received(hex("09 07 0f 00 10 10 00 37 2a"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
  }

  /// The answer to the last look for heart rate services is missing, and the next one is for batteries: where that tells of
  /// a service, it may be of either type, and is told to be of neither.
  @Test func `an answer that fits two requests makes no service of another type`() throws {
    let connection = try connection {
      $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      $0.received(hex("07 0e 00 13 00"))
      $0.sent(hex("06 14 00 ff ff 00 28 0d 18"))
      $0.sent(hex("06 01 00 ff ff 00 28 0f 18"))
      $0.received(hex("07 40 00 43 00"))
      $0.sent(hex("06 44 00 ff ff 00 28 0f 18"))
      $0.received(hex("07 50 00 53 00"))
    }
    #expect(
      connection.databases?.peer.services.map { "\($0.uuid.map(\.description) ?? "-") \($0.handles.lowerBound)" }
        == ["180D 14", "180F 80"])
  }

  @Test func `a request that has timed out takes no answer`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 03 28"))
      $0.wait(milliseconds: 31_000)
      $0.sent(hex("08 20 00 ff ff 00 2a"))
      $0.received(hex("09 07 21 00 10 22 00 37 2a"))
      $0.notified(attribute: 0x22, [0, 60])
    }
    #expect(connection.databases?.peer.type(of: 0x21) == .deviceName)
  }

  @Test func `declarations speak for themselves`() throws {
    let connection = try connection {
      $0.received(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
  }

  /// A client at fault, which is another finding: its answers come in the order of its requests.
  @Test func `two requests at a time`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 00 2a"))
      $0.sent(hex("08 0e 00 14 00 03 28"))
      $0.received(hex("09 05 03 00 41 42 43"))
      $0.sent(hex("08 01 00 ff ff 01 2a"))
      $0.received(hex("09 07 0f 00 10 10 00 37 2a"))
      $0.received(hex("09 04 05 00 41 03"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    #expect(connection.databases?.peer.type(of: 5) == .appearance)
  }

  /// The table is looked through again after Service Changed, 2A05, and the service is elsewhere: nothing is left where it
  /// was. Core 6.0, Vol 3, Part G, 7.1.
  @Test func `a service that has moved is not where it was`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 0d 00 03 28"))
      $0.received(hex("09 07 09 00 20 0a 00 05 2a"))
      $0.discoverHeartRate()
      $0.notified([0, 60])
      $0.received(hex("1d 0a 00 01 00 ff ff"))
      $0.sent(hex("1e"))
      $0.discoverHeartRate(first: 30)
      $0.notified([0, 61])
      $0.notified(attribute: 32, [0, 62])
    }
    let services = connection.databases?.peer.services.filter { $0.uuid == .heartRateService }
    #expect(services?.map(\.handles.lowerBound) == [30])
    #expect(bpm(connection) == [60, 62])
  }

  /// What no answer denies is not denied by the answer to another request.
  @Test func `a lost answer takes no service away`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.disconnected()
      $0.connected()
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 01 00 05 00 00 18"))
      $0.sent(hex("10 06 00 ff ff 00 28"))
      $0.sent(hex("10 14 00 ff ff 00 28"))
      $0.received(hex("11 06 14 00 19 00 0f 18"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection).isEmpty)
    let again = try #require(connection.databases)
    #expect(again.peer.characteristics(.heartRateMeasurement).map(\.valueHandle) == [16])
  }

  @Test func `Find By Type Value`() throws {
    let connection = try connection {
      $0.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      $0.received(hex("07 0e 00 13 00"))
      $0.sent(hex("08 0e 00 13 00 03 28"))
      $0.received(hex("09 07 0f 00 10 10 00 37 2a"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    let service = try #require(connection.databases?.peer.services.first)
    #expect(service.handles == 14...19 && service.uuid == .heartRateService)
  }

  /// What is left of a type may look like a shorter one: it is not known.
  @Test(arguments: [17, 19, 30, 31])
  func `Find By Type Value of 128 bits, kept in part`(octets: Int) throws {
    let connection = try connection {
      $0.sent(hex("06 01 00 ff ff 00 28 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00"))
      $0.cutLast(to: octets)
      $0.received(hex("07 0e 00 13 00"))
    }
    let service = try #require(connection.databases?.peer.services.first)
    #expect(service.handles == 14...19 && service.uuid == (octets == 31 ? .heartRateService : nil))
  }

  /// One procedure finds the value at once.
  /// Declarations of services, read by their type, tell where each begins, and so where the one before it ends.
  @Test func `Read By Type of 2800`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 00 28"))
      $0.received(hex("09 04 01 00 00 18 0e 00 0d 18"))
      $0.sent(hex("08 0f 00 ff ff 00 28"))
      $0.received(hex("09 12 20 00 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f"))
      $0.sent(hex("08 0e 00 1f 00 03 28"))
      $0.received(hex("09 07 0f 00 10 10 00 37 2a"))
      $0.notified([0, 60])
    }
    let services = try #require(connection.databases?.peer.services)
    #expect(
      services.map(\.handles.lowerBound) == [1, 14, 32] && services.prefix(2).map(\.handles.upperBound) == [13, 31])
    #expect(services.prefix(2).map(\.uuid) == [.gapService, .heartRateService])
    #expect(services.allSatisfy { $0.isPrimary == true })
    #expect(services.flatMap(\.characteristics).map(\.uuid) == [.heartRateMeasurement])
    #expect(connection.events.filter { $0.content.kind == .service }.count == 3)
    #expect(bpm(connection) == [60])
  }

  /// No attribute has handle 0, and no UUID three octets.
  @Test(arguments: ["09 04 00 00 0d 18", "09 05 0e 00 0d 18 00"])
  func `Read By Type of 2800, and what is no service`(answer: String) throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 00 28"))
      $0.received(hex(answer))
    }
    #expect(connection.databases?.peer.services.isEmpty != false)
    #expect(!connection.events.contains { $0.content.kind == .service })
  }

  /// Descriptors have a block of the Assigned Numbers, with more in it than have names here.
  @Test func `Read By Type of 2915`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.sent(hex("08 01 00 ff ff 15 29"))
      $0.received(hex("09 03 14 00 01"))
    }
    #expect(connection.databases?.peer.services.flatMap(\.characteristics).map(\.valueHandle) == [16, 19])
    #expect(connection.databases?.peer.type(of: 20) == BluetoothUUID(0x2915 as UInt16))
  }

  /// Find Information tells what is a declaration, and one read after the other tells the rest.
  @Test func `declarations, read one by one`() throws {
    let connection = try connection {
      $0.sent(hex("04 0e 00 0f 00"))
      $0.received(hex("05 01 0e 00 00 28 0f 00 03 28"))
      $0.sent(hex("0a 0e 00"))
      $0.received(hex("0b 0d 18"))
      $0.sent(hex("0a 0f 00"))
      $0.received(hex("0b 10 10 00 37 2a"))
      $0.write(attribute: 17, [1, 0])
      $0.notified([0, 7])
    }
    let measurement = try #require(connection.databases?.peer.characteristics(.heartRateMeasurement).first)
    #expect(measurement.valueHandle == 16 && measurement.declaration == 15 && measurement.properties == .notify)
    #expect(connection.databases?.peer.services.first?.uuid == .heartRateService)
    #expect(connection.subscriptions.map(\.valueHandle) == [16])
    #expect(bpm(connection) == [7])
  }

  /// Where it is not told where a service ends, what is behind it need not be its own.
  @Test func `Read By Type of 2800, one answer`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 37 2a"))
      $0.received(hex("01 08 38 96 02"))
      $0.sent(hex("08 b1 47 43 fc 00 28"))
      $0.received(hex("09 04 01 96 0a 18"))
      $0.notified(attribute: 0x9638, [0, 60])
    }
    let services = try #require(connection.databases?.peer.services)
    #expect(services.first?.uuid == .deviceInformationService && services.first?.characteristics.isEmpty == true)
    #expect(services.last?.characteristics.map(\.valueHandle) == [0x9638])
    #expect(bpm(connection) == [60])
  }

  /// A table that is known is not cut down by what tells less of it.
  @Test func `Read By Type of 2800 where the ends are known`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.sent(hex("08 01 00 ff ff 00 28"))
      $0.received(hex("09 04 0e 00 0d 18 20 00 0f 18"))
      $0.sent(hex("06 20 00 ff ff 00 28 0f 18"))
      $0.received(hex("07 20 00 ff ff"))
      $0.notified([0, 60])
    }
    #expect(connection.databases?.peer.services.map(\.handles) == [14...19, 32...0xFFFF])
    #expect(bpm(connection) == [60])
  }

  @Test func `Read By Type of 2A37`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 38 2a"))
      $0.received(hex("09 03 13 00 01"))
      $0.sent(hex("08 01 00 ff ff 37 2a"))
      $0.received(hex("09 04 10 00 00 3b"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    #expect(connection.lastValue(.bodySensorLocation) == [1])
  }

  @Test func `Read By Type of 2A37, refused, teaches the handle`() throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 37 2a"))
      $0.received(hex("01 08 10 00 02"))
    }
    let error = try #require(
      connection.events.compactMap { if case .attError(let error) = $0.content { error } else { nil } }.first)
    #expect(error.handle == 16 && error.error.rawValue == 2 && error.request == .readByTypeRequest)
    #expect(error.uuid == .heartRateMeasurement)
  }

  /// Its properties were not read: what a client writes right behind it is its configuration all the same.
  @Test(arguments: [(17, [16]), (18, [])] as [(UInt16, [UInt16])])
  func `Read By Type of 2A37, and what is written behind it`(written: UInt16, configured: [UInt16]) throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 ff ff 37 2a"))
      $0.received(hex("01 08 10 00 02"))
      $0.write(attribute: written, [1, 0])
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    #expect(connection.subscriptions.map(\.valueHandle) == configured)
    #expect(connection.databases?.peer.type(of: 17) == (configured.isEmpty ? nil : .clientCharacteristicConfiguration))
  }

  /// Read Not Permitted, or a safer link is wanted: the attribute is there. Nothing is where the attribute is not found, or
  /// where the server names the first handle of the request, or one that it was not asked for.
  @Test(arguments: [
    ("10 00 02", true), ("10 00 05", true), ("10 00 08", true), ("10 00 0c", true), ("10 00 0f", true),
    ("10 00 0a", false), ("10 00 06", false), ("01 00 02", false), ("fa 00 02", false),
  ])
  func `what notifies on a handle that could not be read by its type`(refusal: String, isKnown: Bool) throws {
    let connection = try connection {
      $0.sent(hex("08 01 00 f0 00 37 2a"))
      $0.received(hex("01 08 \(refusal)"))
      for handle in [1, 16, 0xFA] as [UInt16] { $0.notified(attribute: handle, [0, 60]) }
    }
    #expect(connection.measurements.map(\.handle) == (isKnown ? [16] : []))
  }

  @Test func `a refusal does not contradict what was discovered`() throws {
    let connection = try connection {
      $0.sent(hex("08 0e 00 13 00 03 28"))
      $0.received(hex("09 07 0f 00 10 10 00 19 2a"))
      $0.sent(hex("08 01 00 ff ff 37 2a"))
      $0.received(hex("01 08 10 00 02"))
      $0.notified([0, 60])
    }
    #expect(connection.measurements.isEmpty)
  }

  /// A device has one server, whatever the transport. Core 6.0, Vol 3, Part G, 2.2.
  @Test func `what was discovered over Low Energy holds over BR/EDR, and the other way`() throws {
    for isLowEnergyFirst in [true, false] {
      var host = HostSide()
      for isLowEnergy in [isLowEnergyFirst, !isLowEnergyFirst] {
        let channel: UInt16 = isLowEnergy ? 4 : 0x40
        if isLowEnergy {
          host.leEvent(0x01, hex("00 40 00 00 00 01 11 22 33 44 c5 18 00 00 00 48 00 00"))
        } else {
          host.connectedClassic()
          host.openClassicATT(there: 0x50)
        }
        if isLowEnergy == isLowEnergyFirst {
          host.l2cap(.sent, channel: isLowEnergy ? 4 : 0x50, hex("08 0e 00 13 00 03 28"))
          host.l2cap(.received, channel: channel, hex("09 07 0f 00 10 10 00 37 2a"))
        }
        host.l2cap(.received, channel: channel, hex("1b 10 00 00 3c"))
        host.disconnected()
        host.wait(milliseconds: 2000)
      }
      #expect(try InferredCapture(host).measurements == [16: 2])
    }
  }

  /// What the other transport shows in a handle's place does not make heart rates something else.
  @Test func `what is discovered over BR/EDR denies nothing over Low Energy`() throws {
    var host = HostSide()
    host.leEvent(0x01, hex("00 40 00 00 00 01 11 22 33 44 c5 18 00 00 00 48 00 00"))
    host.connectedClassic(0x30)
    host.openClassicATT(on: 0x30, there: 0x50)
    host.l2cap(on: 0x30, .sent, channel: 0x50, hex("08 0e 00 13 00 03 28"))
    host.l2cap(on: 0x30, .received, channel: 0x40, hex("09 07 0f 00 10 10 00 19 2a"))
    for beat in UInt8(0)..<20 {
      host.notified([0x16, 70 + beat % 3, 0x50 + beat % 4, 0x03])
      host.wait(milliseconds: 1000)
    }
    #expect(try InferredCapture(host).measurements == [16: 20])
  }

  /// Headphones that are a sensor show over BR/EDR what else they have: that says nothing of what there is over Low
  /// Energy, whichever link is discovered while the other notifies.
  @Test(arguments: [true, false])
  func `what one transport does not show, the other may`(isSensorLowEnergy: Bool) throws {
    var host = HostSide()
    host.leEvent(0x01, hex("00 40 00 00 00 01 11 22 33 44 c5 18 00 00 00 48 00 00"))
    host.connectedClassic(0x30)
    host.openClassicATT(on: 0x30, there: 0x50)
    func asks(_ isLowEnergy: Bool, _ pdu: [UInt8]) {
      host.l2cap(on: isLowEnergy ? 0x40 : 0x30, .sent, channel: isLowEnergy ? 4 : 0x50, pdu)
    }
    func answers(_ isLowEnergy: Bool, _ pdu: [UInt8]) {
      host.l2cap(on: isLowEnergy ? 0x40 : 0x30, .received, channel: isLowEnergy ? 4 : 0x40, pdu)
    }
    asks(isSensorLowEnergy, hex("10 01 00 ff ff 00 28"))
    answers(isSensorLowEnergy, hex("11 06 0a 00 14 00 0d 18"))
    asks(isSensorLowEnergy, hex("08 0a 00 14 00 03 28"))
    answers(isSensorLowEnergy, hex("09 07 0f 00 10 10 00 37 2a"))
    answers(isSensorLowEnergy, hex("1b 10 00 00 3c"))
    asks(!isSensorLowEnergy, hex("10 01 00 ff ff 00 28"))
    answers(!isSensorLowEnergy, hex("11 06 01 00 14 00 0f 18"))
    asks(!isSensorLowEnergy, hex("10 15 00 ff ff 00 28"))
    answers(!isSensorLowEnergy, hex("01 10 15 00 0a"))
    answers(isSensorLowEnergy, hex("1b 10 00 00 3d"))
    answers(!isSensorLowEnergy, hex("1b 10 00 00 3e"))
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == (isSensorLowEnergy ? [[60, 61], []] : [[], [60, 61]]))
  }

  /// As servers build them that append an included service while they are building the one that includes it.
  @Test func `a service in the range of another`() throws {
    let connection = try connection {
      for _ in 0..<2 {
        $0.sent(hex("10 01 00 ff ff 00 28"))
        $0.received(hex("11 06 01 00 07 00 00 18 12 00 20 00 0d 18 13 00 17 00 0f 18"))
        $0.sent(hex("10 18 00 ff ff 00 28"))
        $0.received(hex("01 10 18 00 0a"))
        $0.sent(hex("08 12 00 20 00 03 28"))
        $0.received(hex("09 07 14 00 02 15 00 19 2a 1a 00 10 1b 00 37 2a"))
      }
      $0.notified(attribute: 27, [0, 60])
    }
    let services = try #require(connection.databases?.peer.services)
    #expect(services.map(\.uuid) == [.gapService, .heartRateService, .batteryService])
    #expect(services.map(\.handles) == [1...7, 18...32, 19...23])
    #expect(services.map { $0.characteristics.map(\.uuid) } == [[], [.heartRateMeasurement], [.batteryLevel]])
    #expect(bpm(connection) == [60])
  }

  @Test func `services and characteristics of 128 bits`() throws {
    let connection = try connection {
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 14 20 00 2f 00 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f"))
      $0.sent(hex("10 30 00 ff ff 00 28"))
      // The heart rate service in its long form.
      $0.received(hex("11 14 30 00 3f 00 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00"))
      $0.sent(hex("08 20 00 2f 00 03 28"))
      $0.received(hex("09 15 21 00 12 22 00 a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af"))
      $0.sent(hex("08 30 00 3f 00 03 28"))
      $0.received(hex("09 15 31 00 10 32 00 fb 34 9b 5f 80 00 00 80 00 10 00 00 37 2a 00 00"))
      $0.notified(attribute: 0x32, [0, 60])
    }
    #expect(bpm(connection) == [60])
    let services = try #require(connection.databases?.peer.services)
    #expect(services.map { "\($0.uuid.map { "\($0)" } ?? "")" } == ["1F1E1D1C-1B1A-1918-1716-151413121110", "180D"])
    #expect(
      services[0].characteristics.map { "\($0.uuid.map { "\($0)" } ?? "")" } == ["AFAEADAC-ABAA-A9A8-A7A6-A5A4A3A2A1A0"]
    )
    #expect(services[1].characteristics.map(\.uuid) == [.heartRateMeasurement])
  }

  /// No handle comes behind the last one, wherever the service says that it ends.
  @Test(arguments: ["11 06 ff ff 10 00 0d 18", "11 06 ff ff ff ff 0d 18", "11 06 10 00 ff ff 0d 18"])
  func `a service at the last handle`(response: String) throws {
    let connection = try connection {
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex(response + " 0e 00 13 00 0f 18"))
      $0.discoverHeartRate()
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
  }

  @Test func `included services`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.sent(hex("10 14 00 ff ff 00 28"))
      $0.received(hex("11 06 20 00 2f 00 0a 18"))
      $0.sent(hex("08 20 00 2f 00 02 28"))
      $0.received(hex("09 08 21 00 0e 00 13 00 0d 18"))
      $0.sent(hex("08 22 00 2f 00 02 28"))
      // Of a service of 128 bits only the handles are told.
      $0.received(hex("09 06 22 00 40 00 4f 00"))
      $0.notified([0, 60])
    }
    #expect(bpm(connection) == [60])
    let service = try #require(connection.databases?.peer.services.first { $0.handles.lowerBound == 0x20 })
    #expect(
      service.includes == [
        GATTInclude(handle: 0x21, service: 14...19, uuid: .heartRateService),
        GATTInclude(handle: 0x22, service: 0x40...0x4F, uuid: nil),
      ])
  }

  /// How a service is told that another includes: the include tells its type or not, and it may be found as a secondary one.
  enum Included: CaseIterable { case type, typeAndSecondary, handles }

  /// Of a service that is not primary, no more may be told than that another includes it. Core 6.0, Vol 3, Part G, 3.2.
  @Test(arguments: Included.allCases)
  func `a service that is told by an include alone`(told: Included) throws {
    let connection = try connection {
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 14 00 18 00 16 18"))
      $0.sent(hex("10 19 00 ff ff 00 28"))
      $0.received(hex("01 10 19 00 0a"))
      $0.sent(hex("08 14 00 18 00 02 28"))
      if told == .handles {
        $0.received(hex("09 06 15 00 01 00 04 00"))
        $0.sent(hex("0a 01 00"))
        $0.received(hex("0b fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00"))
      } else {
        $0.received(hex("09 08 15 00 01 00 04 00 0d 18"))
      }
      if told == .typeAndSecondary {
        $0.sent(hex("10 01 00 ff ff 01 28"))
        $0.received(hex("11 06 01 00 04 00 0d 18"))
      }
      $0.sent(hex("08 01 00 04 00 03 28"))
      $0.received(hex("09 07 02 00 10 03 00 37 2a"))
      $0.notified(attribute: 3, [0, 60])
    }
    let services = try #require(connection.databases?.peer.services)
    #expect(services.map(\.handles) == [1...4, 20...24])
    #expect(services.map(\.uuid) == [.heartRateService, BluetoothUUID(0x1816 as UInt16)])
    #expect(services.map(\.isPrimary) == [told == .typeAndSecondary ? false : nil, true])
    #expect(services[0].characteristics.map(\.valueHandle) == [3])
    #expect(bpm(connection) == [60])
  }

  /// What an include leaves out, the value of the service's declaration tells, before or afterwards: then the include has it,
  /// too. Core 6.0, Vol 3, Part G, 4.5.1.
  @Test(arguments: [true, false]) func `the type of an included service is read`(isReadFirst: Bool) throws {
    let type = "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af"
    let connection = try connection {
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 04 00 09 00 0d 18"))
      $0.sent(hex("04 01 00 09 00"))
      $0.received(hex("05 01 01 00 01 28 02 00 03 28 03 00 37 2a"))
      if isReadFirst {
        $0.sent(hex("0a 01 00"))
        $0.received(hex("0b \(type)"))
      }
      $0.sent(hex("08 04 00 09 00 02 28"))
      $0.received(hex("09 06 05 00 01 00 03 00"))
      if !isReadFirst {
        $0.sent(hex("0a 01 00"))
        $0.received(hex("0b \(type)"))
      }
      $0.notified(attribute: 3, [0, 60])
    }
    let services = try #require(connection.databases?.peer.services)
    let uuid = try #require(BluetoothUUID("AFAEADAC-ABAA-A9A8-A7A6-A5A4A3A2A1A0"))
    #expect(services.map(\.handles) == [1...3, 4...9])
    #expect(services.map(\.uuid) == [uuid, .heartRateService] && services[0].isPrimary == false)
    #expect(services[0].characteristics.map(\.valueHandle) == [3])
    #expect(services[1].includes == [GATTInclude(handle: 5, service: 1...3, uuid: uuid)])
    #expect(bpm(connection) == [60])
  }

  /// That the type is read on another connection takes nothing away of what the first one told.
  @Test func `the type of a known service is read`() throws {
    var host = HostSide()
    for isFirst in [true, false] {
      host.connected()
      if isFirst {
        host.sent(hex("08 04 00 09 00 02 28"))
        host.received(hex("09 06 05 00 01 00 03 00"))
        host.sent(hex("04 01 00 03 00"))
        host.received(hex("05 01 01 00 01 28 02 00 03 28 03 00 37 2a"))
      } else {
        host.sent(hex("0a 01 00"))
        host.received(hex("0b a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af"))
      }
      host.notified(attribute: 3, [0, 60])
      host.disconnected()
    }
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [60]])
    #expect(connections.last?.databases?.peer.services.first?.characteristics.map(\.valueHandle) == [3])
  }

  /// An include that contradicts what is known of services, or itself, tells of none.
  @Test(arguments: ["09 08 21 00 0e 00 13 00 0f 18", "09 08 21 00 0f 00 17 00 0f 18", "09 08 21 00 20 00 2f 00 0f 18"])
  func `an include of what is something else`(response: String) throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.sent(hex("08 20 00 2f 00 02 28"))
      $0.received(hex(response))
      $0.notified([0, 60])
    }
    #expect(connection.databases?.peer.services.map(\.uuid) == [.heartRateService])
    #expect(connection.databases?.peer.services.map(\.handles) == [14...19])
    #expect(bpm(connection) == [60])
  }

  /// The configuration stands behind its value; clients write it without having asked.
  @Test(arguments: [false, true])
  func `a configuration that was never discovered`(isLast: Bool) throws {
    let connection = try connection {
      $0.sent(hex("10 01 00 ff ff 00 28"))
      $0.received(hex("11 06 0e 00 13 00 0d 18"))
      $0.sent(hex("08 0e 00 13 00 03 28"))
      $0.received(hex(isLast ? "09 07 0f 00 10 10 00 37 2a" : "09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
      $0.write(attribute: 17, [1, 0])
      $0.notified([0, 60])
      $0.write(attribute: 17, [0, 0])
    }
    #expect(bpm(connection) == [60])
    let subscription = try #require(connection.subscriptions.first)
    #expect(subscription.handle == 17 && subscription.valueHandle == 16 && subscription.uuid == .heartRateMeasurement)
    #expect(connection.events.filter { $0.content.kind == .unsubscribed }.count == 1)
    let measurement = connection.databases?.peer.characteristics(.heartRateMeasurement).first
    #expect(measurement?.descriptors == [GATTDescriptor(handle: 17, uuid: .clientCharacteristicConfiguration)])
  }

  @Test func `two octets to a value that can only be read are no configuration`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.write(attribute: 19, [1, 0])
      $0.write(attribute: 25, [1, 0])
    }
    #expect(connection.subscriptions.isEmpty)
  }

  /// Nobody should write a configuration by a command, signed or not, but some apps do, and servers take it.
  @Test(arguments: [
    "52 11 00", "d2 11 00",
  ])
  func `subscriptions that are commanded`(command: String) throws {
    let signature = hex(command)[0] == 0xD2 ? [UInt8](repeating: 7, count: 12) : []
    for listsWrites in [true, false] {
      var host = HostSide()
      host.connected()
      host.discoverHeartRate()
      host.sent(hex(command) + [1, 0] + signature)
      host.notified([0, 60])
      host.sent(hex(command) + [0, 0] + signature)
      if listsWrites {
        let connection = try #require(try Analysis(host.file()).connections.first)
        #expect(connection.subscriptions.map(\.valueHandle) == [16] && bpm(connection) == [60])
      } else {
        let session = try summary(of: host.file()).connections.first?.heartRate
        #expect(session?.subscribed?.frame == 8 && session?.configurationHandle == 17)
      }
    }
  }

  @Test func `a subscription that was refused is none`() throws {
    let connection = try connection {
      $0.discoverHeartRate()
      $0.sent(hex("12 11 00 01 00"))
      $0.received(hex("01 12 11 00 05"))
    }
    #expect(connection.subscriptions.isEmpty)
    #expect(connection.events.filter { $0.content.kind == .attError }.count == 1)
  }

  /// A capture taken on the sensor: the peer asks, the local server answers and notifies.
  @Test func `the local server`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.showHeartRate()
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("13"))
    host.sent(hex("1b 10 00 00 3c"))
    // What the peer sends on the same handle is another server's.
    host.received(hex("1b 10 00 00 63"))
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(bpm(connection) == [60])
    #expect(connection.databases?.local.services.count == 1 && connection.databases?.peer.isEmpty == true)
    #expect(connection.subscriptions.map(\.handle) == [17])
  }

  /// What a phone shows a car over BR/EDR says nothing of the sensor that it is over Low Energy.
  @Test func `the local server over either transport`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.showHeartRate()
    host.sent(hex("1b 10 00 00 3c"))
    host.connectedClassic(0x30, peer: 2)
    host.l2cap(on: 0x30, .received, channel: 1, hex("02 01 04 00 1f 00 50 00"))
    host.l2cap(on: 0x30, .sent, channel: 1, hex("03 01 08 00 40 00 50 00 00 00 00 00"))
    host.l2cap(on: 0x30, .received, channel: 0x40, hex("10 01 00 ff ff 00 28"))
    host.l2cap(on: 0x30, .sent, channel: 0x50, hex("01 10 01 00 0a"))
    host.sent(hex("1b 10 00 00 3d"))
    let analysis = try Analysis(host.file())
    #expect(analysis.connections.map(bpm) == [[60, 61], []])
    #expect(analysis.connections.map { $0.databases?.local.services.count } == [1, 0])
  }

  @Test func `answers without a question teach nothing that they do not say themselves`() throws {
    let connection = try connection {
      // Without the question, the type of these values is not known, unless they look like nothing but declarations.
      $0.received(hex("09 07 0f 00 10 20 00 37 2a"))
      $0.received(hex("07 0e 00 13 00"))
      $0.received(hex("0b 41 42"))
      $0.received(hex("13"))
      $0.received(hex("03 f7 00"))
      $0.notified([0, 60])
    }
    #expect(connection.measurements.isEmpty && connection.mtu == nil)
    #expect(connection.databases?.peer.isEmpty == true)
    #expect(connection.events.allSatisfy { $0.content.kind != .read && $0.content.kind != .write })
  }

  /// In the default log of Android each ACL packet keeps 14 octets: 10 of L2CAP, 6 of ATT.
  @Test func `what 14 octets of each packet leave`() throws {
    var host = HostSide()
    host.keptACLOctets = 14
    host.connected()
    host.discoverHeartRate()
    let connection = try #require(try Analysis(host.file()).connections.first)
    let service = try #require(connection.databases?.peer.services.first)
    // Start and end of the first service are there, its type is not.
    #expect(service.handles == 14...19 && service.uuid == nil)
    #expect(connection.malformed.isEmpty)
  }
}
