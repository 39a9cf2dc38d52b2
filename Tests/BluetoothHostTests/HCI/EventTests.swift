import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 4, Part E, 7.7.
@Suite struct `HCI events` {
  /// Reads the parameters of an event; what a subevent code stands before begins behind it.
  private func read<Value>(
    _ octets: [UInt8], _ parse: (inout OctetReader) throws -> Value
  ) throws -> Value {
    try octets.withOctets { span in
      var reader = OctetReader(span, layer: "test")
      return try parse(&reader)
    }
  }

  /// Every parameter must be there.
  private func expectAllNeeded<Value>(
    _ octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
    _ parse: (inout OctetReader) throws -> Value
  ) {
    for length in 0..<octets.count {
      #expect(throws: ParsingError.self, "\(length) octets", sourceLocation: sourceLocation) {
        try read(Array(octets.prefix(length)), parse)
      }
    }
  }

  /// The same of an event whose parser names itself.
  private func expectAllNeeded<Value>(
    _ octets: [UInt8], as layer: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ parse: (CapturedOctets) throws -> Value
  ) {
    for length in 0..<octets.count {
      let error = #expect(throws: ParsingError.self, "\(length) octets", sourceLocation: sourceLocation) {
        try Array(octets.prefix(length)).captured(parse)
      }
      #expect(error?.layer == layer, sourceLocation: sourceLocation)
    }
  }

  private static let address = DeviceAddress(0xC544_3322_1101, .random)
  private static let parameters = "18 00 03 00 48 00"

  @Test(arguments: [
    ("00 40 00 00 01 01 11 22 33 44 c5 18 00 03 00 48 00 00", false),
    ("00 40 00 00 01 01 11 22 33 44 c5 a1 a2 a3 a4 a5 a6 b1 b2 b3 b4 b5 b6 18 00 03 00 48 00 00", true),
    ("00 40 00 00 03 01 11 22 33 44 c5 a1 a2 a3 a4 a5 a6 b1 b2 b3 b4 b5 b6 18 00 03 00 48 00 00 ff ff ff", true),
  ])
  func `LE Connection Complete, enhanced and not`(octets: String, isEnhanced: Bool) throws {
    let made = try read(hex(octets)) { try ConnectionComplete(parsingLE: &$0, enhanced: isEnhanced) }
    #expect(made.status == .success && made.connectionHandle == 0x40 && made.isLowEnergy)
    #expect(made.role == .central && made.peer == Self.address)
    #expect(made.parameters?.interval == 24 && made.parameters?.latency == 3)
    #expect(made.parameters?.supervisionTimeout == 72)
    #expect(made.parameters?.intervalMilliseconds == 30 && made.parameters?.supervisionTimeoutMilliseconds == 720)
    // Clock accuracy and what follows it are not needed.
    expectAllNeeded(Array(hex(octets).prefix(isEnhanced ? 29 : 17))) {
      try ConnectionComplete(parsingLE: &$0, enhanced: isEnhanced)
    }
  }

  /// What a capture has cut is not known; the handle is enough.
  @Test func `LE Connection Complete, cut`() throws {
    let octets = hex("00 40 00 00 03 01 11 22 33 44 c5 a1 a2 a3 a4 a5 a6 b1 b2 b3 b4 b5 b6 18 00 03 00 48 00")
    for kept in 0...octets.count {
      let made = try? read(Array(octets.prefix(kept))) {
        try ConnectionComplete(parsingLE: &$0, enhanced: true, isCut: true)
      }
      #expect((made == nil) == (kept < 3))
      guard let made else { continue }
      #expect(made.connectionHandle == 0x40 && (made.role == .central) == (kept >= 4))
      #expect(made.peer == (kept >= 11 ? Self.address : nil))
      #expect(made.privatePeer == (kept >= 23 ? DeviceAddress(0xB6B5_B4B3_B2B1, .random) : nil))
      #expect((made.parameters != nil) == (kept == octets.count))
    }
  }

  @Test(arguments: [(0, ConnectionRole.central), (1, .peripheral), (2, nil)] as [(UInt8, ConnectionRole?)])
  func `roles`(octet: UInt8, role: ConnectionRole?) throws {
    let octets = hex("00 40 00") + [octet] + hex("00 01 11 22 33 44 c5" + Self.parameters)
    let made = try read(octets) { try ConnectionComplete(parsingLE: &$0, enhanced: false) }
    #expect(made.role == role && made.peer?.kind == .public)
  }

  @Test func `only twelve bits of a handle count`() throws {
    let made = try read(hex("00 40 f0 00 01 01 11 22 33 44 c5" + Self.parameters)) {
      try ConnectionComplete(parsingLE: &$0, enhanced: false)
    }
    #expect(made.connectionHandle == 0x40)
  }

  @Test func `Connection Complete`() throws {
    let octets = hex("00 40 00 01 11 22 33 44 c5 01 00")
    let made = try octets.captured { try ConnectionComplete(parsingBREDR: $0) }
    #expect(made?.connectionHandle == 0x40 && made?.isLowEnergy == false && made?.role == nil)
    #expect(made?.peer == DeviceAddress(0xC544_3322_1101, .public) && made?.parameters == nil)
    let voice = try hex("00 40 00 01 11 22 33 44 c5 02 00").captured { try ConnectionComplete(parsingBREDR: $0) }
    #expect(voice == nil)
    expectAllNeeded(Array(octets.dropLast()), as: "HCI Connection Complete") {
      try ConnectionComplete(parsingBREDR: $0)
    }
  }

  @Test func `Disconnection Complete`() throws {
    let octets = hex("00 40 00 13")
    let ended = try octets.captured { try DisconnectionComplete(parsing: $0) }
    #expect(ended.status == .success && ended.connectionHandle == 0x40 && ended.reason.rawValue == 0x13)
    #expect(ended.reason.name == "Remote User Terminated Connection")
    expectAllNeeded(octets, as: "HCI Disconnection Complete") { try DisconnectionComplete(parsing: $0) }
  }

  @Test func `LE Connection Update Complete`() throws {
    let octets = hex("00 40 00 90 01 04 00 58 02")
    let update = try read(octets) { try ConnectionUpdateComplete(parsing: &$0) }
    #expect(update.status == .success && update.connectionHandle == 0x40)
    #expect(update.parameters.interval == 400 && update.parameters.intervalMilliseconds == 500)
    #expect(update.parameters.latency == 4 && update.parameters.supervisionTimeout == 600)
    expectAllNeeded(octets) { try ConnectionUpdateComplete(parsing: &$0) }
  }

  @Test func `Encryption Change and Key Refresh`() throws {
    for (octets, isRefresh, isEncrypted) in [
      ("00 40 00 01", false, true), ("00 40 00 02", false, true), ("00 40 00 00", false, false),
      ("00 40 00 01 10", false, true), ("00 40 00", true, true),
    ] {
      let change = try hex(octets).captured { try EncryptionChange(parsing: $0, isRefresh: isRefresh) }
      #expect(change.status == .success && change.connectionHandle == 0x40 && change.isEncrypted == isEncrypted)
    }
    expectAllNeeded(hex("00 40 00 01"), as: "HCI Encryption Change") {
      try EncryptionChange(parsing: $0, isRefresh: false)
    }
    expectAllNeeded(hex("00 40 00"), as: "HCI Encryption Key Refresh Complete") {
      try EncryptionChange(parsing: $0, isRefresh: true)
    }
  }

  @Test func `LE Data Length Change`() throws {
    let octets = hex("40 00 fb 00 48 08 1b 00 48 01")
    let change = try read(octets) { try DataLengthChange(parsing: &$0) }
    #expect(change.connectionHandle == 0x40)
    #expect(change.maximumSentOctets == 251 && change.maximumReceivedOctets == 27)
    expectAllNeeded(octets) { try DataLengthChange(parsing: &$0) }
  }

  @Test func `LE Subrate Change`() throws {
    let octets = hex("00 40 00 28 00 01 00 02 00 58 02")
    let change = try read(octets) { try SubrateChange(parsing: &$0) }
    #expect(change.status == .success && change.connectionHandle == 0x40)
    #expect(change.factor == 40 && change.latency == 1 && change.supervisionTimeout == 600)
    // 100 ms, of which every hundredth event is used.
    let update = try read(hex("00 40 00 50 00 00 00 80 0c")) { try ConnectionUpdateComplete(parsing: &$0) }
    let often = try read(hex("00 40 00 64 00 00 00 00 00 80 0c")) { try SubrateChange(parsing: &$0) }
    #expect(update.parameters.changed(by: often).intervalMilliseconds == 10_000)
    #expect(update.parameters.subrateFactor == 1 && update.parameters.changed(by: often).subrateFactor == 100)
    expectAllNeeded(octets) { try SubrateChange(parsing: &$0) }
  }

  @Test func `LE PHY Update Complete`() throws {
    let octets = hex("00 40 00 02 01")
    let update = try read(octets) { try PHYUpdateComplete(parsing: &$0) }
    #expect(update.status == .success && update.connectionHandle == 0x40)
    #expect(update.sentPHY == 2 && update.receivedPHY == 1)
    expectAllNeeded(octets) { try PHYUpdateComplete(parsing: &$0) }
  }

  @Test func `Read Remote Version Information Complete`() throws {
    let octets = hex("00 40 00 09 6b 00 34 12")
    let version = try octets.captured { try RemoteVersionInformation(parsing: $0) }
    #expect(version.status == .success && version.connectionHandle == 0x40)
    #expect(version.version == 9 && version.company == 0x6B)
    expectAllNeeded(octets, as: "HCI Read Remote Version Information Complete") {
      try RemoteVersionInformation(parsing: $0)
    }
  }

  @Test(arguments: [("54 49 43 4b 52 00 00 aa", "TICKR"), ("", ""), ("00", ""), ("54 ff 00", "T\u{FFFD}")])
  func `Remote Name Request Complete`(name: String, text: String) throws {
    let octets = hex("00 01 11 22 33 44 c5" + name)
    let remote = try octets.captured { try RemoteName(parsing: $0) }
    #expect(remote.status == .success && remote.address == DeviceAddress(0xC544_3322_1101, .public))
    #expect(remote.name == text)
    expectAllNeeded(Array(octets.prefix(7)), as: "HCI Remote Name Request Complete") { try RemoteName(parsing: $0) }
    // Where the capture cut it, only what zeros follow is the whole name.
    let cut = try (octets + [0]).captured(keeping: octets.count) { try RemoteName(parsing: $0) }
    #expect(cut.name == (name.contains("00") ? text : nil))
  }

  @Test func `LE Remote Connection Parameter Request`() throws {
    let octets = hex("fa 00 90 01 04 00 58 02")
    let request = try read(octets) { try ConnectionParameterRequest(parsing: &$0) }
    #expect(request.intervalMinimum == 250 && request.intervalMaximum == 400)
    #expect(request.latency == 4 && request.supervisionTimeout == 600)
    expectAllNeeded(octets) { try ConnectionParameterRequest(parsing: &$0) }
  }
}

/// Core 6.0, Vol 4, Part E, 7.7.14, 7.7.15 and 7.8.
@Suite struct `HCI commands and their events` {
  @Test func `Command Complete`() throws {
    try hex("01 05 14 00 40 00 c4").captured { octets in
      let complete = try CommandComplete(parsing: octets)
      #expect(complete.opcode == .readRSSI)
      let read = try ReadRSSIReturn(parsing: complete.returnParameters)
      #expect(read.status == .success && read.connectionHandle == 0x40 && read.rssi == -60)
    }
  }

  @Test func `a signal that could not be measured has no strength`() throws {
    let read = try hex("00 40 00 7f").captured { try ReadRSSIReturn(parsing: $0) }
    #expect(read.status == .success && read.rssi == nil)
  }

  @Test func `Command Status`() throws {
    let status = try hex("0c 01 0d 20").captured { try CommandStatus(parsing: $0) }
    #expect(status.status.rawValue == 0x0C && status.status.name == "Command Disallowed")
    #expect(status.opcode == .leCreateConnection)
  }

  @Test(arguments: 0..<7) func `events that are not all there are errors`(length: Int) {
    let octets = Array(hex("01 05 14 00 40 00 c4").prefix(length))
    if length < 3 {
      #expect(throws: ParsingError.self) { try octets.captured { _ = try CommandComplete(parsing: $0).opcode } }
    }
    if length < 4 { #expect(throws: ParsingError.self) { try octets.captured { try CommandStatus(parsing: $0) } } }
    #expect(throws: ParsingError.self) {
      try octets.captured { try ReadRSSIReturn(parsing: $0.dropping(3)) }
    }
  }

  private static let peer = "01 01 11 22 33 44 c5"

  @Test(
    arguments: [
      (HCIOpcode.createConnection, "01 11 22 33 44 c5 18 cc 02 00 00 00 01", "C5:44:33:22:11:01 public"),
      (
        .leCreateConnection, "60 00 30 00 00 01 01 11 22 33 44 c5 00 18 00 18 00 03 00 48 00 00 00 00 00",
        "C5:44:33:22:11:01 random"
      ),
      (.leCreateConnection, "60 00 30 00 01 00 00 00 00 00 00 00 00 18 00 18 00 03 00 48 00 00 00 00 00", "anyone"),
      (.leExtendedCreateConnection, "00 00 01 01 11 22 33 44 c5 01", "C5:44:33:22:11:01 random"),
      (.leExtendedCreateConnection, "01 01 00 00 00 00 00 00 00 01", "anyone"),
      (.leExtendedCreateConnectionV2, "ff ff 00 00 01 01 11 22 33 44 c5 01", "C5:44:33:22:11:01 random"),
      (.reset, "", nil), (.disconnect, "40 00 13", nil),
    ] as [(HCIOpcode, String, String?)])
  func `commands that ask for a connection`(opcode: HCIOpcode, octets: String, peer: String?) throws {
    let create = try hex(octets).captured { try CreateConnection(opcode, parsing: $0) }
    #expect(create.map { $0.peer.map { "\($0) \($0.kind)" } ?? "anyone" } == peer)
  }

  /// Where the parameters end, the error names the field that is missing.
  @Test(arguments: [
    (HCIOpcode.leCreateConnection, 1, "LE_Scan_Interval"), (.leCreateConnection, 3, "LE_Scan_Window"),
    (.leExtendedCreateConnectionV2, 0, "Advertising_Handle"), (.leExtendedCreateConnectionV2, 1, "Subevent"),
    (.leExtendedCreateConnectionV2, 2, "Initiator_Filter_Policy"),
  ])
  func `the field that is missing is named`(opcode: HCIOpcode, length: Int, field: String) {
    let error = #expect(throws: ParsingError.self) {
      try [UInt8](repeating: 0, count: length).captured { try CreateConnection(opcode, parsing: $0) }
    }
    #expect(error?.field == field && error?.layer.hasPrefix("HCI LE ") == true)
  }

  @Test func `Hardware Error`() throws {
    #expect(try hex("0c").captured { try HardwareError(parsing: $0).code } == 0x0C)
    #expect(try hex("0c").captured(keeping: 0) { try HardwareError(parsing: $0).code } == nil)
    #expect(throws: ParsingError.self) { try hex("").captured { try HardwareError(parsing: $0) } }
  }

  @Test(arguments: [
    (HCIOpcode.createConnection, 6), (.leCreateConnection, 12), (.leExtendedCreateConnection, 9),
    (.leExtendedCreateConnectionV2, 11),
  ])
  func `those that are not all there are errors`(opcode: HCIOpcode, least: Int) {
    for length in 0..<least {
      #expect(throws: ParsingError.self) {
        try [UInt8](repeating: 0, count: length).captured { try CreateConnection(opcode, parsing: $0) }
      }
    }
  }
}
