import Foundation
import Testing
import TestSupport

/// Names that want to be more than names.
struct Hostile: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let octets: [UInt8]

  private init(_ description: String, _ octets: [UInt8]) {
    testDescription = description
    self.octets = octets
  }

  private init(_ description: String, _ text: String) {
    self.init(description, Array(text.utf8))
  }

  static let names = [
    Hostile("window title", "\u{1B}]0;owned\u{7}"), Hostile("clear the screen", "\u{1B}[2J\u{1B}[H"),
    Hostile("C1 as UTF-8", "\u{9B}31mred\u{85}"), Hostile("C1 as an octet", [0x41, 0x9B, 0x33, 0x31, 0x6D]),
    Hostile("direction of writing", "\u{202E}lope\u{2066}\u{200F}\u{061C}"),
    Hostile("a line of its own", "A\nINJECTED\r\nB"),
    Hostile("deleting", "abc\u{8}\u{8}\u{7F}"), Hostile("nothing in the middle", "a\u{0}b"),
    Hostile("Unicode's line ends", "a\u{2028}INJECTED\u{2029}"), Hostile("invisible", "a\u{FEFF}\u{200B}\u{E0041}"),
    Hostile("JSON", "\",\"x\":[\\u0000\\"), Hostile("half a letter", [0xC3]),
    Hostile("CSI in pieces", [0x1B, 0xC2, 0x9B]),
    Hostile("tabs", "a\tb\u{B}c\u{C}"),
  ]

  /// What must not reach a terminal: controls, and marks that turn text around or hide it.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}

@Suite struct `Hostile names` {
  private static let commands = [
    ["analyze"], ["timeline"], ["gatt"], ["analyze", "--format", "json"], ["gatt", "--format", "json"],
    ["timeline", "--format", "ndjson"],
  ]

  /// A capture for each name, all given to one run.
  private func captures(in folder: URL) throws -> [String] {
    try Hostile.names.enumerated().map { try folder.file("\($0)", InputOctets.sensor(named: $1.octets)) }
  }

  private func forbidden(in text: String) -> String {
    let lines = text.split(separator: "\n").filter { $0.unicodeScalars.contains(where: Hostile.isForbidden) }
    return lines.map { $0.debugDescription }.joined(separator: "\n")
  }

  @Test(arguments: commands)
  func `from the air never reach a terminal`(command: [String]) async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run(command + captures(in: folder))
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(String(validating: outcome.octets, as: UTF8.self) != nil)
      #expect(forbidden(in: outcome.output) == "")
      #expect(!outcome.lines.contains { $0.hasPrefix("INJECTED") })
      #expect(command[0] == "gatt" || outcome.output.contains("72"))
    }
  }

  /// As many lines as with harmless names, and as many colours.
  @Test func `change nothing around them`() async throws {
    try await TemporaryFolder.with { folder in
      let harmless = try folder.file("harmless", InputOctets.sensor(named: Array("Polar".utf8)))
      let command = ["timeline", "--color", "always"]
      let outcome = try await Program.run(command + captures(in: folder))
      let other = try await Program.run(command + Hostile.names.map { _ in harmless })
      #expect(outcome.lines.count == other.lines.count)
      let escapes = { (outcome: Outcome) in outcome.output.unicodeScalars.count { $0 == "\u{1B}" } }
      #expect(escapes(outcome) == escapes(other) && escapes(other) > 0)
    }
  }

  /// What was sent can be had from the JSON.
  @Test func `are whole in JSON`() async throws {
    try await TemporaryFolder.with { folder in
      let json = try await Program.run(["--format", "json"] + captures(in: folder)).json()
      let peers = json["captures"]?.array?.map { $0["connections"]?.array?.first?["peer"] }
      let names = Hostile.names.map { String(decoding: $0.octets, as: UTF8.self) }
      #expect(peers?.map { $0?["name"]?.string } == names)
      #expect(peers?.map { $0?["manufacturer"]?.string } == names)
    }
  }

  private static let fileNames = ["\u{1B}[31mred", "a\nhrsnoop: all is well", "\u{9B}31m", "\u{202E}gpj.erutpac"]

  /// Files have names too: those in an archive from a stranger, for one.
  @Test(arguments: commands)
  func `of files never reach a terminal`(command: [String]) async throws {
    try await TemporaryFolder.with { folder in
      let good = try Self.fileNames.map { try folder.file($0 + " good", InputOctets.measurements(2)) }
      let bad = try Self.fileNames.map { try folder.file($0 + " bad", Array("nonsense".utf8)) }
      let outcome = try await Program.run(command + good + bad)
      #expect(outcome.status == 2)
      #expect(forbidden(in: outcome.output) == "")
      #expect(forbidden(in: outcome.errors) == "")
      #expect(outcome.errorLines.count == bad.count)
    }
  }

  @Test(arguments: fileNames)
  func `of files that cannot be written`(name: String) async throws {
    let sample = Sample.named("polar-h7.btsnoop").path
    let outcome = try await Program.run([sample, "--output", "/no/such/\(name)"])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(forbidden(in: outcome.errors) == "")
  }

  /// Wrong usage is told in the words that were given.
  @Test(arguments: [
    ["explain", "\u{1B}[31mx"], ["--rules", "\u{1B}[31mx", "y"], ["--format", "\u{1B}[31mx", "y"],
    ["decode", "\u{1B}[3", "00"], ["help", "\u{9B}31m"], ["--\u{202E}x", "y"], ["decode", "2A37", "\u{1B}c"],
  ])
  func `of nothing that there is`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64 && outcome.octets.isEmpty)
    #expect(forbidden(in: outcome.errors) == "")
    #expect(outcome.errors.contains(#/\\u\{(1B|9B|202E)\}/#), "\(outcome.errors)")
  }

  @Test func `of files are whole in JSON`() async throws {
    try await TemporaryFolder.with { folder in
      let paths = try Self.fileNames.map { try folder.file($0, InputOctets.measurements(2)) }
      let json = try await Program.run(["--format", "json"] + paths).json()
      #expect(json["captures"]?.array?.map { $0["path"]?.string } == paths)
    }
  }
}
