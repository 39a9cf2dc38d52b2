import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part A, 4.
@Suite struct `Signalling commands` {
  static let examples: [(String, String)] = [
    ("01 07 02 00 00 00", "reject 7 reason 0"),
    ("02 01 04 00 1f 00 40 00", "connect 1 psm 001f source 0040"),
    ("03 01 08 00 41 00 40 00 00 00 00 00", "connected 1 destination 0041 source 0040 result 0"),
    ("03 01 08 00 00 00 40 00 01 00 02 00", "connected 1 destination 0000 source 0040 result 1"),
    ("04 02 04 00 41 00 00 00", "configure 2 destination 0041 mtu -"),
    ("04 02 08 00 41 00 00 00 01 02 b9 00", "configure 2 destination 0041 mtu 185"),
    // A hint of two octets before it, a flush timeout; then an option cut off.
    ("04 02 0c 00 41 00 00 00 82 02 ff ff 01 02 b9 00", "configure 2 destination 0041 mtu 185"),
    (
      "04 02 13 00 41 00 00 00 04 09 03 08 03 d0 07 e0 2e c8 00 01 02 b9 00",
      "configure 2 destination 0041 mtu 185 numbered"
    ),
    ("04 02 0b 00 41 00 00 00 04 01 03 01 02 b9 00", "configure 2 destination 0041 mtu 185 numbered"),
    ("04 02 0f 00 41 00 00 00 04 09 00 00 00 00 00 00 00 00 00", "configure 2 destination 0041 mtu - basic"),
    ("04 02 08 00 41 00 01 00 01 02 b9 00", "configure 2 destination 0041 mtu 185 and more"),
    ("05 02 06 00 40 00 00 00 01 00", "configured 2 result 1"),
    ("04 02 07 00 41 00 00 00 01 02 b9", "configure 2 destination 0041 mtu -"),
    ("06 03 04 00 41 00 40 00", "disconnect 3 destination 0041 source 0040"),
    ("07 03 04 00 41 00 40 00", "disconnected 3 destination 0041 source 0040"),
    ("0a 04 02 00 02 00", "other 000a 4"),
    ("12 05 08 00 fa 00 90 01 04 00 58 02", "parameters 5 250-400 4 600"),
    ("13 05 02 00 00 00", "parameters answered 5 result 0"),
    ("13 05 02 00 01 00", "parameters answered 5 result 1"),
    ("14 06 0a 00 27 00 40 00 b9 00 40 00 0a 00", "LE connect 6 psm 0027 source 0040 mtu 185"),
    ("15 06 0a 00 41 00 b9 00 40 00 0a 00 00 00", "LE connected 6 destination 0041 mtu 185 result 0"),
    ("16 09 04 00 40 00 01 00", "other 0016 9"),
    ("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00", "credit connect 7 psm 0027 mtu 185 0040 0041"),
    ("18 07 0c 00 b9 00 40 00 0a 00 00 00 50 00 00 00", "credit connected 7 mtu 185 result 0 0050 0000"),
    ("19 08 06 00 f7 00 40 00 50 00", "reconfigure 8 mtu 247 0050"),
    ("1a 08 02 00 00 00", "reconfigured 8 result 0"),
    ("1a 08 02 00 01 00", "reconfigured 8 result 1"),
    ("ff 00 00 00", "other 00ff 0"),
  ]

  private func read(_ octets: [UInt8], keeping kept: Int? = nil) throws(ParsingError) -> [String] {
    try octets.captured(keeping: kept) { (payload) throws(ParsingError) in
      var commands = SignallingCommands(parsing: payload)
      var all: [String] = []
      while let command = try commands.next() { all.append(text(command)) }
      return all
    }
  }

  private func text(_ command: SignallingCommand) -> String {
    func list(_ channels: [ChannelID]) -> String { channels.map { " \($0.rawValue.digits)" }.joined() }
    let identifier = command.identifier
    return switch command.content {
    case .commandReject(let reason): "reject \(identifier) reason \(reason)"
    case .connectionRequest(let psm, let source):
      "connect \(identifier) psm \(psm.rawValue.digits) source \(source.rawValue.digits)"
    case .connectionResponse(let destination, let source, let result):
      "connected \(identifier) destination \(destination.rawValue.digits) source \(source.rawValue.digits) result \(result)"
    case .configurationRequest(let destination, let options):
      "configure \(identifier) destination \(destination.rawValue.digits) mtu \(options.mtu.map { "\($0)" } ?? "-")"
        + (options.isBasic.map { $0 ? " basic" : " numbered" } ?? "") + (options.goOn ? " and more" : "")
    case .configurationResponse(let result): "configured \(identifier) result \(result)"
    case .disconnectionRequest(let destination, let source):
      "disconnect \(identifier) destination \(destination.rawValue.digits) source \(source.rawValue.digits)"
    case .disconnectionResponse(let destination, let source):
      "disconnected \(identifier) destination \(destination.rawValue.digits) source \(source.rawValue.digits)"
    case .connectionParameterUpdateRequest(let asked):
      "parameters \(identifier) \(asked.intervalMinimum)-\(asked.intervalMaximum) \(asked.latency) \(asked.supervisionTimeout)"
    case .connectionParameterUpdateResponse(let result):
      "parameters answered \(identifier) result \(result)"
    case .leCreditBasedConnectionRequest(let psm, let source, let mtu):
      "LE connect \(identifier) psm \(psm.rawValue.digits) source \(source.rawValue.digits) mtu \(mtu)"
    case .leCreditBasedConnectionResponse(let destination, let mtu, let result):
      "LE connected \(identifier) destination \(destination.rawValue.digits) mtu \(mtu) result \(result)"
    case .creditBasedConnectionRequest(let psm, let mtu, let sources):
      "credit connect \(identifier) psm \(psm.rawValue.digits) mtu \(mtu)" + list(sources)
    case .creditBasedConnectionResponse(let mtu, let result, let destinations):
      "credit connected \(identifier) mtu \(mtu) result \(result)" + list(destinations)
    case .creditBasedReconfigureRequest(let mtu, let destinations):
      "reconfigure \(identifier) mtu \(mtu)" + list(destinations)
    case .creditBasedReconfigureResponse(let result): "reconfigured \(identifier) result \(result)"
    case .cut(let code): "cut \(code.rawValue.digits) \(identifier)"
    case .other(let code): "other \(code.rawValue.digits) \(identifier)"
    }
  }

  @Test(arguments: examples)
  func `octets and what they mean`(octets: String, meaning: String) throws {
    #expect(try read(hex(octets)) == [meaning])
  }

  /// Core 6.0, Vol 3, Part A, 4: those that answer repeat the identifier of what they answer.
  @Test func `who has an identifier of its own`() throws {
    let answers: Set<UInt8> = [0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A]
    for code in UInt8(0x01)...0x1A {
      let octets = [code, 1, 20, 0] + Array(repeating: 0, count: 20)
      let isRequest = try octets.captured { (payload) throws(ParsingError) in
        var commands = SignallingCommands(parsing: payload)
        return try commands.next()?.isRequest
      }
      #expect(isRequest == !answers.contains(code), "\(code.digits)")
    }
  }

  /// An even number stands for nothing, nor one whose upper octet is odd, nor what nobody was given. Core 6.0, Vol 3, Part A,
  /// 4.2.
  @Test func `which protocols there are`() {
    func isGivenOut(_ psm: UInt16, isCreditBased: Bool) -> Bool {
      ProtocolServiceMultiplexer(rawValue: psm).isGivenOut(isCreditBased: isCreditBased)
    }
    let either = [0x01, 0x03, 0x17, 0x19, 0x1F, 0x23, 0x25, 0x27] as [UInt16]
    let neither = [0x00, 0x1E, 0x2F, 0x3F, 0x5F, 0x011F, 0x021F, 0x0801, 0x1000, 0x1101, 0xFFFF] as [UInt16]
    for isCreditBased in [false, true] {
      #expect(either.allSatisfy { isGivenOut($0, isCreditBased: isCreditBased) })
      #expect(!neither.contains { isGivenOut($0, isCreditBased: isCreditBased) })
      for psm in [0x80, 0x95, 0xFE, 0xFF] as [UInt16] {
        #expect(isGivenOut(psm, isCreditBased: isCreditBased) == isCreditBased, "\(psm.digits)")
      }
      for psm in [0x1001, 0x1027, 0x10FF, 0xFEFF] as [UInt16] {
        #expect(isGivenOut(psm, isCreditBased: isCreditBased) != isCreditBased, "\(psm.digits)")
      }
    }
  }

  @Test func `one behind another`() throws {
    #expect(try read(Self.examples.flatMap { hex($0.0) }) == Self.examples.map(\.1))
    #expect(try read([]) == [])
  }

  /// Wherever the data of a command to open a channel end, the error names the field that is missing.
  @Test(arguments: [
    ("15 06 04 00 41 00 b9 00", "MPS"), ("15 06 06 00 41 00 b9 00 40 00", "Initial Credits"),
    ("15 06 08 00 41 00 b9 00 40 00 0a 00", "Result"), ("17 07 04 00 27 00 b9 00", "MPS"),
    ("17 07 07 00 27 00 b9 00 40 00 0a", "Initial Credits"), ("18 07 05 00 b9 00 40 00 0a", "Initial Credits"),
    ("19 08 03 00 f7 00 40", "MPS"),
  ])
  func `which field is missing`(octets: String, field: String) {
    let error = #expect(throws: ParsingError.self) { try read(hex(octets)) }
    #expect(error?.field == field)
  }

  @Test(arguments: examples)
  func `shorter by any number of octets is an error`(octets: String, meaning: String) {
    let octets = hex(octets)
    for length in 1..<octets.count {
      #expect(throws: ParsingError.self, "\(length) octets") { try read(Array(octets.prefix(length))) }
    }
  }

  /// Cut by the capture, it still says what it was; of the answer to a request for parameters one octet is enough.
  @Test(arguments: examples)
  func `cut by the capture it is no error`(octets: String, meaning: String) throws {
    let octets = hex(octets)
    for length in 4..<octets.count {
      let found = try read(octets, keeping: length)
      let isAnswer = octets[0] == 0x13 && length > 4
      #expect(found == [isAnswer ? meaning : "cut \(octets[0].digits) \(octets[1])"], "\(length) octets")
    }
  }

  /// The command's own length is too small for its fields: an error, or a meaning without them, never a trap.
  @Test(arguments: examples)
  func `a length that is too small does not reach into the next command`(octets: String, meaning: String) throws {
    let octets = hex(octets)
    for length in 0..<octets.count - 4 {
      var short = Array(octets.prefix(4 + length))
      short[2] = UInt8(length)
      do {
        let all = try read(short + hex("13 05 02 00 00 00"))
        #expect(all.count == 2 && all.last == "parameters answered 5 result 0", "\(length) octets")
      } catch {
        #expect(error.layer == "L2CAP signalling" && error.offset <= 4 + length, "\(length) octets")
      }
    }
  }

  @Test func `five channels at most`() throws {
    let sources = (0..<9).flatMap { UInt16(0x40 + $0).little }
    #expect(
      try read(hex("17 07 1a 00 27 00 b9 00 40 00 0a 00") + sources)
        == ["credit connect 7 psm 0027 mtu 185 0040 0041 0042 0043 0044"])
  }
}
