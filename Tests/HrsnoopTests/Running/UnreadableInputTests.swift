import Foundation
import Testing
import TestSupport

/// Something that cannot be read.
struct BadInput: CustomTestStringConvertible, Sendable {
  let name: String
  /// A word that the sentence must say.
  let says: String
  /// Puts it into a folder, under its name.
  let make: @Sendable (URL) throws -> Void

  var testDescription: String { name }

  private static func file(_ name: String, says: String, _ octets: [UInt8]) -> BadInput {
    BadInput(name: name, says: says) { try $0.file(name, octets) }
  }

  private static func savedAsText(_ sample: String) -> BadInput {
    BadInput(name: sample, says: "saved as text") { folder in
      try folder.file(sample, InputOctets.savedAsText(Sample.named(sample).octets))
    }
  }

  static let all = [
    file("nonsense.bin", says: "not a Bluetooth capture", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 37 + 11) }),
    file("bare.log", says: "saved as text", InputOctets.savedAsBareText(InputOctets.measurements(3))),
    file("wide.log", says: "each octet above 7F became two", InputOctets.savedAsLatin1(InputOctets.measurements(3))),
    file(
      "wide.pcap", says: "each octet above 7F became two", InputOctets.savedAsLatin1(InputOctets.pcap(linkType: 187))),
    file("text.txt", says: "not a Bluetooth capture", Array("Dear diary\n".utf8)),
    file("report.txt", says: "an Android bug report whose Bluetooth log is empty", InputOctets.emptyBugReport),
    file(
      "report.zip", says: "report.txt: an Android bug report whose",
      ArchiveBuilder.zip(["report.txt": InputOctets.emptyBugReport])),
    BadInput(name: "reports", says: "b.txt: an Android bug report whose Bluetooth log is empty") { folder in
      try folder.file("reports/a.txt", Array("notes".utf8))
      try folder.file("reports/b.txt", InputOctets.emptyBugReport)
    },
    file("nothing", says: "empty", []),
    file("one-octet", says: "not a Bluetooth capture", [0x62]),
    file("three-octets", says: "a btsnoop file cut off in its header, after 3 of 16 octets", Array("bts".utf8)),
    file("ethernet.pcap", says: "Ethernet", InputOctets.pcap(linkType: 1)),
    file("ethernet.pcapng", says: "Ethernet", InputOctets.pcapng(linkType: 1)),
    file("sniffer.pcap", says: "sniffer", InputOctets.pcap(linkType: 251)),
    file("sniffer-phdr.pcap", says: "sniffer", InputOctets.pcap(linkType: 256)),
    file("nordic.pcap", says: "sniffer", InputOctets.pcap(linkType: 272)),
    file("nordic.pcapng", says: "sniffer", InputOctets.pcapng(linkType: 272)),
    file("usb.pcap", says: "USB", InputOctets.pcap(linkType: 189)),
    file(
      "cut.btsnoop", says: "a btsnoop file cut off in its header, after 10 of 16 octets",
      Array(BTSnoopBuilder.header().prefix(10))),
    file(
      "cut.pcap", says: "a pcap file cut off in its header, after 10 of 24 octets",
      Array(PCAPBuilder().header.prefix(10))
    ),
    file(
      "cut.pcapng", says: "a pcapng file cut off in its section header, after 20 of 28 octets",
      Array(PCAPNGBuilder().section.prefix(20))),
    file(
      "cut.pklg", says: "an Apple PacketLogger file cut off in its first record, after 20 of 24 octets",
      Array(PacketLoggerBuilder().record(type: 3, hex("40 20 07 00 03 00 04 00 01 02 03")).prefix(20))),
    file("datalink.btsnoop", says: "9999", BTSnoopBuilder.header(dataLink: 9999)),
    file("trace.etl", says: "btetlparse", InputOctets.eventTraceLog),
    savedAsText("polar-h7.btsnoop"), savedAsText("polar-h7.pcap"), savedAsText("scosche-rhythm-plus.be.pklg"),
    savedAsText("wahoo-tickr.two-sections.pcapng"),
    file("air.cfa", says: "export it from Frontline's program as btsnoop", InputOctets.frontline),
    file("wide.txt", says: "text in UTF-16", [0xFF, 0xFE] + "-- report".utf8.flatMap { [$0, 0] }),
    file("wide-big.txt", says: "save it as UTF-8", [0xFE, 0xFF] + "-- report".utf8.flatMap { [0, $0] }),
    file("about-frontline.txt", says: "not a Bluetooth capture", Array("Frontline and ComProbe\n".utf8)),
    BadInput(name: "missing", says: "no such file") { _ in },
    BadInput(name: "folder", says: "no capture") { try $0.file("folder/notes.txt", Array("notes".utf8)) },
    BadInput(name: "empty-folder", says: "no capture") { folder in
      try FileManager.default.createDirectory(
        at: folder.appending(path: "empty-folder"), withIntermediateDirectories: false)
    },
    BadInput(name: "loop", says: "cannot be opened") { folder in
      let path = folder.appending(path: "loop").path
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    },
  ]
}

@Suite struct `Inputs that cannot be read` {
  private func expectSentence(_ line: String, _ input: BadInput) {
    #expect(line.hasPrefix("hrsnoop: \(input.name): ") && line.contains(input.says))
  }

  /// One sentence that names the path, on standard error; nothing on standard output.
  @Test(arguments: BadInput.all)
  func `are told in one sentence`(input: BadInput) async throws {
    try await TemporaryFolder.with { folder in
      try input.make(folder)
      let outcome = try await Program.run([input.name], in: folder)
      #expect(outcome.status == 2 && outcome.octets.isEmpty)
      #expect(outcome.errors.hasSuffix("\n") && outcome.errorLines.count == 1)
      expectSentence(outcome.errors, input)
    }
  }

  @Test(arguments: [
    ["analyze", "--summary"], ["gatt"], ["timeline", "--format", "ndjson", "--events", "heart-rate"],
    ["timeline", "--format", "ndjson"], ["analyze", "--quiet"],
  ])
  func `are told by every command`(command: [String]) async throws {
    try await TemporaryFolder.with { folder in
      for input in BadInput.all { try input.make(folder) }
      let outcome = try await Program.run(command + BadInput.all.map(\.name), in: folder)
      #expect(outcome.status == 2 && outcome.octets.isEmpty)
      #expect(outcome.errorLines.count == BadInput.all.count)
      for (line, input) in zip(outcome.errorLines, BadInput.all) { expectSentence(line, input) }
    }
  }

  @Test(arguments: ["analyze", "gatt"])
  func `give valid JSON`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      for input in BadInput.all { try input.make(folder) }
      try folder.file("good", InputOctets.measurements(3))
      let names = BadInput.all.map(\.name)
      let outcome = try await Program.run([command, "--format", "json"] + names + ["good"], in: folder)
      #expect(outcome.status == 2 && outcome.errorLines.count == names.count)
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.map { $0["path"]?.string } == names + ["good"])
      for (capture, input) in zip(captures, BadInput.all) {
        #expect(capture.keys == ["path", "error"])
        #expect(capture["error"]?.string?.contains(input.says) == true)
      }
      #expect(captures.last?["error"] == nil)
    }
  }

  /// Nothing but a failed input: still a document.
  @Test(arguments: ["analyze", "gatt"])
  func `alone give valid JSON`(command: String) async throws {
    let outcome = try await Program.run([command, "--format", "json", "/no/such/capture"])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    let captures = try outcome.json()["captures"]
    let failure = ["path": JSON.string("/no/such/capture"), "error": .string("there is no such file")]
    #expect(captures == .array([.object(failure)]))
  }

  /// Nothing is shown of an input that gives nothing, not even its heading.
  @Test func `leave no heading in a timeline`() async throws {
    let outcome = try await Program.run(["timeline", "/no/such/capture"])
    #expect(outcome.status == 2 && outcome.output == "")
    let json = try await Program.run(["timeline", "--format", "ndjson", "/no/such/capture"])
    #expect(json.status == 2 && json.output == "")
  }

  /// The superuser may read anything: nothing to see then.
  @Test(.enabled(if: getuid() != 0, "the superuser may read every file"))
  func `no permission`() async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("locked", InputOctets.measurements(3))
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      let outcome = try await Program.run([path])
      #expect(outcome.status == 2 && outcome.octets.isEmpty)
      #expect(
        outcome.errorLines == ["hrsnoop: \(path): permission denied: it may not be read by this user"])
    }
  }
}

/// What cannot be read in a directory is named, and costs nothing of what can.
@Suite struct `Directories that can be read in part` {
  private let denied = "permission denied: it may not be read by this user"

  private func lock(_ path: String, _ isLocked: Bool = true) throws {
    try FileManager.default.setAttributes([.posixPermissions: isLocked ? 0 : 0o700], ofItemAtPath: path)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read every file"))
  func `for want of a permission`() async throws {
    try await TemporaryFolder.with { folder in
      let good = try folder.file("good", InputOctets.measurements(3))
      let file = try folder.file("locked", InputOctets.measurements(3))
      try folder.file("sub/inner", InputOctets.measurements(3))
      let sub = folder.appending(path: "sub").path
      try lock(file)
      try lock(sub)
      defer { try? lock(sub, false) }
      let outcome = try await Program.run(["--format", "json", "--summary", folder.path])
      #expect(outcome.status == 2)
      #expect(outcome.errorLines == [sub, file].map { "hrsnoop: \($0): \(denied)" })
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.map { $0["path"]?.string } == [good, sub, file])
      #expect(captures.map { $0["error"]?.string } == [nil, denied, denied])
      let comparison = try await Program.run(["diff", folder.path, good])
      #expect(comparison.status == 2 && comparison.errorLines == outcome.errorLines)
      try lock(good)
      let nothing = try await Program.run([folder.path])
      #expect(nothing.status == 2 && nothing.octets.isEmpty && nothing.errorLines.count == 3)
    }
  }

  /// What may hide a capture is named; what holds none need not.
  @Test func `for want of a password, or of what is left of an archive`() async throws {
    let capture = InputOctets.measurements(3)
    let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
    var locked = ArchiveBuilder(password: "secret")
    locked.add("a.log", capture)
    let bad: [(name: String, octets: [UInt8], says: String)] = [
      ("a-locked.zip", locked.octets, "no capture in this archive can be read: a.log: it is protected by a password"),
      ("b-cut.gz", Array(ArchiveBuilder.compressed(noise).prefix(100)), "the archive is not all there"),
      ("c-inner.zip", ArchiveBuilder.zip(["in.zip": locked.octets]), "read: in.zip: it is protected by"),
      ("d.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "a 7-Zip archive"),
    ]
    try await TemporaryFolder.with { folder in
      for file in bad { try folder.file(file.name, file.octets) }
      let good = try folder.file("good", capture)
      try folder.file("none.zip", ArchiveBuilder.zip(["a.txt": Array("text".utf8)]))
      try folder.file("text", Array("BZhello".utf8))
      let outcome = try await Program.run(["--format", "json", "--summary", folder.path])
      #expect(outcome.status == 2 && outcome.errorLines.count == bad.count)
      for (line, file) in zip(outcome.errorLines, bad) {
        #expect(line.hasPrefix("hrsnoop: \(folder.path)/\(file.name): ") && line.contains(file.says))
      }
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.map { $0["path"]?.string } == [good] + bad.map { "\(folder.path)/\($0.name)" })
      #expect(captures.map { $0["error"] == nil } == [true] + bad.map { _ in false })
    }
  }

  @Test(arguments: [(1, ""), (2, " (and 1 more that cannot be read)"), (4, " (and 3 more that cannot be read)")])
  func `for want of passwords`(count: Int, more: String) async throws {
    var locked = ArchiveBuilder(password: "secret")
    for number in 1...count { locked.add("\(number).log", InputOctets.measurements(3)) }
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run([try folder.file("locked.zip", locked.octets)])
      #expect(outcome.status == 2 && outcome.errorLines.count == 1)
      #expect(
        outcome.errors.contains(": 1.log: it is protected by a password") && outcome.errors.hasSuffix(more + "\n"))
    }
  }

  #if os(Linux)
    /// The memory of a process begins with nothing that could be read, whoever reads it.
    @Test func `for want of what is in a file`() async throws {
      try await TemporaryFolder.with { folder in
        let good = try folder.file("good", InputOctets.measurements(3))
        let bad = folder.appending(path: "bad").path
        try FileManager.default.createSymbolicLink(atPath: bad, withDestinationPath: "/proc/self/mem")
        let outcome = try await Program.run([folder.path])
        #expect(outcome.status == 2 && outcome.output.contains("3 measurements"))
        #expect(outcome.errorLines.count == 1 && outcome.errors.hasPrefix("hrsnoop: \(bad): cannot be read: "))
        let comparison = try await Program.run(["diff", folder.path, good])
        #expect(comparison.status == 2 && !comparison.octets.isEmpty && comparison.errorLines == outcome.errorLines)
      }
    }
  #endif
}

@Suite struct `Broken captures` {
  /// Whoever looks at a capture of which not all could be read learns that, once; of a whole one there is nothing to say.
  private func expect(_ sentence: String, inAllThatIsToldOf path: String) async throws {
    let other = Sample.named("wahoo-tickr.btsnoop").path
    let commands = [["gatt"], ["diff", other], ["diff", "--format", "markdown", other]]
    for command in commands {
      let outcome = try await Program.run(command + [path])
      let words = outcome.output.split { $0.isWhitespace || $0 == "\\" }.joined(separator: " ")
      #expect(outcome.status == 0 && outcome.errors.isEmpty && words.count(of: sentence) == 1, "\(command)")
      let whole = try await Program.run(command + [Sample.named("polar-h7.btsnoop").path])
      #expect(whole.status == 0 && !whole.output.contains("damaged at") && !whole.output.contains("ends inside"))
    }
  }

  @Test func `a file that ends inside a record`() async throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    try await TemporaryFolder.with { folder in
      let path = try folder.file("cut.btsnoop", Array(octets.dropLast(5)))
      let outcome = try await Program.run(["--format", "json", path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["complete"] == .bool(false) && capture["skipped_octets"] == .number(0))
      #expect(capture["records"] == .number(272))
      #expect(capture["findings"]?.array?.map { $0["rule"]?.string } == ["capture-cut-off"])
      #expect(capture["findings"]?.array?.first?["severity"] == .string("info"))
      let connection = try #require(capture["connections"]?.array?.first)
      #expect(connection["closed"] == .null)
      #expect(connection["heart_rate"]?["measurements"]?.array?.count == 120)
      let text = try await Program.run([path])
      #expect(text.status == 0 && text.errors.isEmpty)
      #expect(text.output.contains("capture-cut-off") && text.output.contains("ends inside record 273"))
      try await expect("the file ends inside record 273", inAllThatIsToldOf: path)
    }
  }

  /// What stands before the damage and what stands behind it is reported.
  @Test func `damage in the middle`() async throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    let records = try ReadCapture(octets).records
    // The lengths of one measurement's record: 24 octets of header and one of type stand before the packet.
    let start = records[199].offset - 25
    var damaged = octets
    for place in start..<start + 8 { damaged[place] = 0xFF }
    let broken = damaged
    try await TemporaryFolder.with { folder in
      let path = try folder.file("damaged.btsnoop", broken)
      let outcome = try await Program.run(["--format", "json", path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["complete"] == .bool(false))
      #expect(capture["skipped_octets"]?.int.map { $0 > 0 } == true)
      let finding = try #require(capture["findings"]?.array?.first)
      #expect(finding["rule"] == .string("octets-skipped") && finding["severity"] == .string("warning"))
      #expect(finding["frame"] == .number(200) && finding["count"] == .number(1))
      let measurements = capture["connections"]?.array?.first?["heart_rate"]?["measurements"]?.array
      #expect(measurements?.count == 119)
      let text = try await Program.run([path])
      let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.status == 0 && words.contains("damaged at record 200 (octet \(start)"))
      let timeline = try await Program.run(["timeline", "--events", "finding", path, path])
      #expect(timeline.output.count(of: "damaged.btsnoop") == 2)
      #expect(timeline.output.count(of: "octets-skipped: damaged at record 200 (octet \(start))") == 2)
      try await expect("damaged at record 200 (octet \(start))", inAllThatIsToldOf: path)
    }
  }

  /// The packet of a record whose time cannot be is read: it came when the record before did.
  @Test func `is told where a header cannot be right`() async throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    let records = try ReadCapture(octets).records
    let time = records[199].offset - 25 + 16
    var odd = octets
    for place in time..<time + 8 { odd[place] = 0 }
    let file = odd
    try await TemporaryFolder.with { folder in
      let path = try folder.file("odd.btsnoop", file)
      let outcome = try await Program.run(["--format", "json", path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["complete"] == .bool(true) && capture["records"]?.int == records.count)
      let finding = try #require(capture["findings"]?.array?.first)
      #expect(finding["rule"] == .string("octets-skipped") && finding["frame"] == .number(200))
      #expect(finding["message"]?.string?.hasSuffix("read all the same, as if it had come with the one before") == true)
      let measurements = capture["connections"]?.array?.first?["heart_rate"]?["measurements"]?.array
      #expect(measurements?.count == 120)
      let measurement = try #require(measurements?.first { $0["frame"] == .number(200) })
      let before = Date(timeIntervalSince1970: Double(records[198].time) / 1_000_000)
      #expect(measurement["time"]?.string?.prefix(19) == before.formatted(.iso8601).prefix(19))
    }
  }
}
