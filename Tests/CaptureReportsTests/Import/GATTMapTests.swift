import BluetoothHost
import CaptureAnalysis
import CaptureReports
import GATTKit
import TestSupport
import Testing

@Suite struct `GATT maps` {
  private func databases(_ text: String, name: String = "map") throws -> [CaptureKnowledge.PeerDatabase] {
    try GATTMap.databases(in: ContiguousArray(text.utf8), name: name)
  }

  private func message(_ text: String) -> String? {
    do {
      _ = try databases(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `what gatt writes comes back`() throws {
    for sample in ["polar-h7", "wahoo-tickr", "scosche-rhythm-plus", "three-sensors-crossed-handles"] {
      let octets = try Sample.named(sample + ".btsnoop").octets
      let summary = try Reporting.summary(sample, octets)
      let read = try databases(Reporting.databases([summary], as: .json))
      let connections = summary.summary?.connections ?? []
      #expect(read.count == Set(connections.map(\.address)).count && !read.isEmpty)
      for database in read {
        let connection = connections.last { $0.address == database.address }
        #expect(connection?.services(.peer) == database.database.services && connection?.peer.name == database.name)
        #expect(database.origin == .imported)
      }
    }
  }

  /// With the types of services that take 128 bits, which an include leaves out, and without them.
  @Test func `what gatt writes of includes comes back`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("08 0e 00 13 00 02 28"))
    host.received(hex("09 08 11 00 30 00 35 00 0f 18"))
    host.sent(hex("08 0e 00 13 00 02 28"))
    host.received(hex("09 06 12 00 20 00 25 00"))
    let summary = try Reporting.summary("included", host.file())
    let read = try databases(Reporting.databases([summary], as: .json))
    let services = try #require(summary.summary?.connections.first?.services(.peer))
    #expect(read.first?.database.services == services)
    #expect(services.flatMap(\.includes).map(\.handle) == [0x11, 0x12])
  }

  @Test func `BlueZ's cache`() throws {
    let text = """
      [General]
      Name=Polar H7
      [Attributes]
      0001=2800:0005:00001800-0000-1000-8000-00805f9b34fb
      000e=2800:0013:0000180d-0000-1000-8000-00805f9b34fb
      000f=2803:0010:10:00002a37-0000-1000-8000-00805f9b34fb
      0011=00002902-0000-1000-8000-00805f9b34fb
      0012=2803:0013:02:00112233445566778899aabbccddeeff:00002b2a-0000-1000-8000-00805f9b34fb
      nonsense
      0099=2803:zz
      [Other]
      0020=2800:0021:0000180f-0000-1000-8000-00805f9b34fb
      """
    var told: [String] = []
    let read = try #require(
      try GATTMap.databases(in: ContiguousArray(text.utf8), name: "E0:9E:1A:2C:5A:11") { told.append($0) }.first)
    #expect(
      told == ["2 lines are no attributes as BlueZ writes them, and are left out; the first is 'nonsense'"])
    #expect(read.address?.description == "E0:9E:1A:2C:5A:11" && read.name == "Polar H7")
    let services = read.database.services
    #expect(services.map(\.handles) == [1...5, 14...19])
    #expect(services[1].characteristics.map(\.valueHandle) == [16, 19])
    #expect(services[1].characteristics[0].uuid == .heartRateMeasurement)
    #expect(services[1].characteristics[0].descriptors.map(\.handle) == [17])
    #expect(try databases(text, name: "cache").first?.address == nil)
  }

  /// What stands for nothing is no broken line; an attribute that cannot be read is.
  @Test(arguments: [
    ("# a comment", []), (" ", []), ("0010=0001:00002900-0000-1000-8000-00805f9b34fb", []),
    (
      "000f=2803:0010:00002a37-0000-1000-8000-00805f9b34fb",
      [
        "a line is no attribute as BlueZ writes them, and is left out: "
          + "'000f=2803:0010:00002a37-0000-1000-8000-00805f9b34fb'"
      ]
    ),
  ])
  func `a broken line of BlueZ's is told`(line: String, sentences: [String]) throws {
    let text = "[Attributes]\n000e=2800:0013:0000180d-0000-1000-8000-00805f9b34fb\n\(line)\n"
    var told: [String] = []
    #expect(try GATTMap.databases(in: ContiguousArray(text.utf8), name: "a") { told.append($0) }.count == 1)
    #expect(told == sentences)
  }

  /// Handles count from 1, and a service ends where it begins or behind that.
  @Test(arguments: [(1, 5, true), (5, 5, true), (0, 5, false), (5, 4, false)] as [(UInt16, UInt16, Bool)])
  func `services that can be nowhere are left out`(start: UInt16, end: UInt16, isThere: Bool) throws {
    let map = """
      {"schema": "hrsnoop.gatt/1", "captures": [{"servers": [
        {"server": "peer", "services": [{"start": \(start), "end": \(end), "characteristics": []}]}]}]}
      """
    #expect(try databases(map).map { $0.database.services.map(\.handles) } == [isThere ? [start...end] : []])
  }

  @Test func `what is none says so`() {
    #expect(message("")?.contains("neither") == true)
    #expect(message("root:x:0:0")?.contains("neither") == true)
    #expect(message("{\"a\": 1}")?.contains("is not what") == true)
    for version in ["9", "10"] {
      #expect(
        message("{\"schema\": \"hrsnoop.gatt/\(version)\", \"captures\": []}")?.contains("hrsnoop.gatt/\(version)")
          == true)
    }
    #expect(message("{\"schema\": \"hrsnoop.gatt/1\", \"captures\": []}")?.contains("no GATT database") == true)
    #expect(
      message(
        "{\"schema\": \"hrsnoop.gatt/1\", \"captures\": [{\"servers\": [{\"server\": \"peer\", \"services\": [{\"start\": 0, \"end\": 70000}]}]}]}"
      ) != nil)
  }
}
