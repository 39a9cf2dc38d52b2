import BluetoothHost
import GATTKit
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part F, 3.4.
@Suite struct `Attribute PDUs` {
  static let examples: [(String, String)] = [
    ("01 0a 10 00 02", "error response 000a 0010 0002"),
    ("02 f7 00", "MTU request 247"),
    ("03 17 00", "MTU response 23"),
    ("04 01 00 ff ff", "find information 0001-ffff"),
    ("05 01 03 00 00 2a 04 00 02 29", "information 0003=2A00 0004=2902"),
    (
      "05 02 10 00 fb 34 9b 5f 80 00 00 80 00 10 00 00 37 2a 00 00", "information 0010=2A37"
    ),
    (
      "05 02 10 00 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f",
      "information 0010=1F1E1D1C-1B1A-1918-1716-151413121110"
    ),
    ("06 01 00 ff ff 00 28 0d 18", "find 0001-ffff 2800 value 0d18"),
    ("07 0e 00 13 00 20 00 ff ff", "found 000e-0013 0020-ffff"),
    ("08 0e 00 13 00 03 28", "read 000e-0013 type 2803"),
    (
      "08 01 00 ff ff 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f",
      "read 0001-ffff type 1F1E1D1C-1B1A-1918-1716-151413121110"
    ),
    ("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a", "values 0f00101000372a 1200021300382a"),
    ("09 03 13 00 01", "values 130001"),
    ("0a 10 00", "read 0010"),
    ("0b", "value "),
    ("0b 01 02 03", "value 010203"),
    ("0c 10 00 16 00", "read 0010 from 22"),
    ("0d", "part "),
    ("0d aa", "part aa"),
    ("0e 10 00 12 00 13 00", "read multiple 0010 0012 0013"),
    ("0f 01 02", "multiple values 0102"),
    ("10 01 00 ff ff 00 28", "read groups 0001-ffff type 2800"),
    ("11 06 01 00 07 00 00 18 0e 00 13 00 0d 18", "groups 010007000018 0e0013000d18"),
    ("12 11 00 01 00", "write 0011 value 0100"),
    ("12 11 00", "write 0011 value "),
    ("13", "written"),
    ("16 10 00 12 00 aa bb", "prepare 0010 at 18 value aabb"),
    ("17 10 00 12 00 aa bb", "prepared 0010 at 18 value aabb"),
    ("18 01", "execute 1"),
    ("18 00", "execute 0"),
    ("19", "executed"),
    ("1b 10 00 16 48 e8 03", "notification 0010 value 1648e803"),
    ("1b 10 00", "notification 0010 value "),
    ("1d 0c 00 01 00 ff ff", "indication 000c value 0100ffff"),
    ("1e", "confirmation"),
    ("20 10 00 12 00", "read multiple variable 0010 0012"),
    ("21 02 00 16 48 00 00", "multiple variable values 020016480000"),
    ("23 10 00 02 00 16 48 18 00 01 00 64", "notifications 0010=1648 0018=64"),
    ("23 10 00 00 00", "notifications 0010="),
    ("52 11 00 01 00", "write command 0011 value 0100"),
    ("d2 11 00 01 00 00 01 02 03 04 05 06 07 08 09 0a 0b", "signed write 0011 value 0100"),
  ]

  private func read(_ octets: [UInt8], keeping kept: Int? = nil) throws(ParsingError) -> String {
    try octets.captured(keeping: kept) { (pdu) throws(ParsingError) in
      try text(ATTPDU(parsing: pdu))
    }
  }

  @Test(arguments: examples)
  func `octets and what they mean`(octets: String, meaning: String) throws {
    #expect(try read(hex(octets)) == meaning)
  }

  @Test func `every opcode that the specification defines is in the table`() {
    let opcodes = Set(Self.examples.map { hex($0.0)[0] })
    #expect(opcodes == Set((0...255).filter { ATTOpcode(rawValue: $0).name != nil }))
  }

  /// As sent, not as captured: the length ends here. What is left is an error, or what a shorter PDU means, in which
  /// case whatever was read of it is no longer than the octets.
  @Test(arguments: examples)
  func `shorter by any number of octets`(octets: String, meaning: String) {
    let octets = hex(octets)
    for length in 0..<octets.count {
      let pdu = Array(octets.prefix(length))
      do {
        let text = try read(pdu)
        #expect(length > 0)
        #expect(!text.contains("…"), "\(length) octets")
      } catch {
        #expect(error.layer == "ATT" && error.offset <= length, "\(length) octets")
        #expect(!error.description.isEmpty)
      }
    }
  }

  /// The fields that a PDU cannot be without.
  @Test(
    arguments: [
      (0x01, 5), (0x02, 3), (0x03, 3), (0x04, 5), (0x05, 2), (0x06, 7), (0x08, 7), (0x09, 2), (0x0A, 3), (0x0C, 5),
      (0x10, 7), (0x11, 2), (0x12, 3), (0x16, 5), (0x17, 5), (0x18, 2), (0x1B, 3), (0x1D, 3), (0x52, 3), (0xD2, 15),
    ] as [(UInt8, Int)])
  func `without a fixed field it is an error`(opcode: UInt8, least: Int) throws {
    // 07 is a length and a format that suits none; the handles and types are arbitrary.
    for length in 1..<least {
      #expect(throws: ParsingError.self) { try read([opcode] + Array(repeating: 0x07, count: length - 1)) }
    }
    _ = try read([opcode] + Array(repeating: opcode == 0x05 ? 0x01 : 0x07, count: least - 1))
  }

  /// As captured: what is missing was sent. Nothing that is there may be misread.
  @Test(arguments: examples)
  func `cut by the capture anywhere`(octets: String, meaning: String) {
    let octets = hex(octets)
    for kept in 0..<octets.count {
      do {
        let text = try read(octets, keeping: kept)
        let words = text.split(separator: " ")
        let wholeWords = meaning.split(separator: " ")
        // Word by word as far as there are whole ones; one that is cut begins alike.
        for (word, whole) in zip(words, wholeWords) where word != whole {
          let isCutValue = word.contains("…") && whole.hasPrefix(word.prefix { $0 != "…" })
          #expect(isCutValue || word.hasPrefix("…"), "\(kept) octets: \(text) instead of \(meaning)")
        }
      } catch {
        #expect(error.offset <= kept)
      }
    }
  }

  @Test func `a notification cut to 14 octets of ACL keeps handle, flags and rate, and its length`() throws {
    #expect(
      try read(hex("1b 10 00 16 48 e8 03 10 04"), keeping: 6) == "notification 0010 value 1648e8…6")
  }

  @Test(arguments: 0...255)
  func `opcodes that are not defined are kept as they are`(opcode: UInt8) throws {
    guard ATTOpcode(rawValue: opcode).name == nil else { return }
    #expect(try read([opcode, 1, 2]) == "unknown \(opcode.digits) 0102")
  }

  @Test func `servers respond, notify and indicate`() {
    for opcode in (0...255).map(ATTOpcode.init(rawValue:)) {
      let isSentByServer = opcode.name.map { name in
        ["Response", "Notification", "Indication"].contains { name.hasSuffix($0) }
      }
      #expect(opcode.isSentByServer == isSentByServer)
    }
  }

  @Test func `opcodes are of the kinds that their names say`() {
    for opcode in (0...255).map(ATTOpcode.init(rawValue:)) {
      let name = opcode.name ?? ""
      #expect(opcode.isRequest == name.hasSuffix("Request"))
      #expect(opcode.isResponse == (name.hasSuffix("Response") && opcode != .errorResponse))
      #expect(opcode.isNotification == name.hasSuffix("Notification"))
      if opcode.name != nil { #expect(opcode.isCommand == name.hasSuffix("Command")) }
      let role = opcode.role.map { "\($0)" } ?? ""
      #expect(role == (name.split(separator: " ").last?.lowercased() ?? (opcode.isCommand ? "command" : "")))
    }
  }

  @Test func `responses follow their requests' opcodes`() {
    for (request, response) in [
      (0x02, 0x03), (0x04, 0x05), (0x06, 0x07), (0x08, 0x09), (0x0A, 0x0B), (0x0C, 0x0D), (0x0E, 0x0F), (0x10, 0x11),
      (0x12, 0x13), (0x16, 0x17), (0x18, 0x19), (0x20, 0x21),
    ] as [(UInt8, UInt8)] {
      #expect(ATTOpcode(rawValue: request).response.rawValue == response)
    }
  }

  @Test(arguments: [
    ("05 00 03 00 00 2a", "Format: 0, neither 1 nor 2"), ("05 03 03 00 00 2a", "Format: 3, neither 1 nor 2"),
    ("08 01 00 ff ff 00", "Attribute Type: 1 octet, but here it has 2 or 16"),
    ("10 01 00 ff ff 00 28 00 00", "Attribute Type: 4 octets, but here it has 2 or 16"),
    ("09 01 0f 00", "Length: 1, less than 2"), ("11 03 0f 00 10 00", "Length: 3, less than 4"),
    ("09 00", "Length: 0, less than 2"),
    ("1b 10", "Attribute Handle needs 2 octets, 1 left"), ("", "Opcode needs 1 octet, none left"),
    ("23 10 00 05 00 16 48", "Attribute Value needs 5 octets, 2 left"),
    ("23 10 00 02", "Value Length needs 2 octets, 1 left"),
    ("23 10 00 02 00 16 48 10", "Attribute Handle needs 2 octets, 1 left"),
  ])
  func `what contradicts the definition says what`(octets: String, message: String) {
    #expect { try read(hex(octets)) } throws: { "\($0)" == message }
  }

  /// Core 6.0, Vol 3, Part F, 3.4.1.1.
  @Test(
    arguments: [
      (0x01, "Invalid Handle"), (0x02, "Read Not Permitted"), (0x05, "Insufficient Authentication"),
      (0x0A, "Attribute Not Found"), (0x0D, "Invalid Attribute Value Length"), (0x0F, "Insufficient Encryption"),
      (0x12, "Database Out Of Sync"), (0x13, "Value Not Allowed"), (0x80, "Application Error"),
      (0x9F, "Application Error"), (0xFC, "Write Request Rejected"),
      (0xFD, "Client Characteristic Configuration Descriptor Improperly Configured"),
      (0xFE, "Procedure Already in Progress"), (0xFF, "Out of Range"), (0x00, nil), (0x14, nil), (0xA0, nil),
      (0xFB, nil),
    ] as [(UInt8, String?)])
  func `error codes have their names`(code: UInt8, name: String?) {
    #expect(ATTErrorCode(rawValue: code).name == name)
  }
}
