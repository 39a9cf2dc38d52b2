import CaptureFiles
import Foundation
import Testing
import TestSupport

/// Captures as people send them: packed, and in two files.
@Suite struct `Packed inputs` {
  private let sample = Sample.named("polar-h7.btsnoop")

  /// The sample in two files, which share some records.
  private func pair() throws -> (last: [UInt8], current: [UInt8]) {
    let octets = try sample.octets
    let offsets = try ReadCapture(octets).records.map { $0.offset - 25 }
    return (Array(octets[..<offsets[170]]), Array(octets[..<16] + octets[offsets[150]...]))
  }

  private let bare: Set<String> = ["path", "members", "frame", "last_frame", "member", "last_member", "format"]

  /// Everything but where it lies is as in the whole file.
  @Test func `give what is in them`() async throws {
    let whole = try await Reports.json(of: sample).without(bare)
    let (last, current) = try pair()
    try await TemporaryFolder.with { folder in
      let zip = try folder.file("one.zip", ArchiveBuilder.zip(["x.log": try sample.octets]))
      let gzip = try folder.file("x.log.gz", ArchiveBuilder.compressed(try sample.octets))
      let pair = try folder.file("pair.zip", ArchiveBuilder.zip(["a/x.log": current, "a/x.log.last": last]))
      let files = [
        try folder.file("d/x.log.last", last), try folder.file("d/x.log", current),
      ]
      let directory = folder.appending(path: "d").path
      for paths in [[zip], [gzip], [pair], files, files.reversed(), [directory]] {
        let outcome = try await Program.run(["--format", "json"] + paths)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.json().without(bare) == whole, "\(paths)")
      }
      for path in [zip, pair] {
        let piped = try await Program.shell(#"cat "$1" | "$0" --format json -"#, [path])
        let redirected = try await Program.run(["--format", "json", "-"], input: path)
        #expect(try piped.json().without(bare) == whole && redirected.json().without(bare) == whole)
      }
    }
  }

  /// Of an archive that breaks off, what is there is read: of a capture, too, that takes many octets to be recognised.
  @Test func `break off in a capture without a header`() async throws {
    let octets = try sample.octets
    let headerless = Array(octets.dropFirst(16))
    let preface = Array("* daemon started successfully\n".utf8)
    try await TemporaryFolder.with { folder in
      for (name, content) in [("headerless", headerless), ("preface", preface + octets)] {
        let gzip = ArchiveBuilder.compressed(content)
        let path = try folder.file("\(name).gz", Array(gzip.prefix(gzip.count * 2 / 3)))
        let outcome = try await Program.run(["--format", "json", path])
        #expect(outcome.status == 0)
        let capture = try #require(try outcome.json()["captures"]?.array?.first)
        #expect(try #require(capture["records"]?.int) > 20)
        #expect(outcome.output.contains("not all there"))
      }
    }
  }

  /// A log of each kind as phones keep it, whole or cut, with its discovery or a remembered one: as a rotated pair in an
  /// archive, in a bug report's text, and in one that is packed.
  @Test(
    arguments: [
      "polar-h7.btsnoop", "reconnection-without-discovery.btsnoop", "three-sensors-crossed-handles.btsnoop",
      "scosche-rhythm-plus.btsnoop",
    ], [nil, 14])
  func `give the same, however they are packed`(name: String, kept: Int?) async throws {
    let packets = try ReadCapture(Sample.named(name).octets).records.filter(\.content.isPacket).map { record in
      CapturedPacket(
        record.content, record.direction ?? .received, record.octets,
        kept: record.content == .aclData ? kept.map { min($0, record.octets.count) } : nil, time: record.time)
    }
    let (first, second) = (packets.prefix(packets.count * 2 / 3), packets.dropFirst(packets.count / 2))
    let pair = ArchiveBuilder.zip([
      "FS/btsnoop_hci.log": Container.btsnoopH4.file(Array(second)),
      "FS/btsnoop_hci.log.last": Container.btsnoopH4.file(Array(first)),
    ])
    let text = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets, version: 2), lineEnd: "\n")
    try await TemporaryFolder.with { folder in
      let plain = try folder.file("plain", Container.btsnoopH4.file(packets))
      let whole = try await Program.run(["--format", "json", plain]).json().without(bare)
      let inputs = [
        try folder.file("pair.zip", pair), try folder.file("bugreport.txt", text),
        try folder.file("bugreport.zip", ArchiveBuilder.zip(["bugreport.txt": text])),
      ]
      for input in inputs {
        let outcome = try await Program.run(["--format", "json", input])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.json().without(bare) == whole, "\(input)")
      }
      // Not the same nothing.
      let connections = whole["captures"]?.array?.first?["connections"]?.array ?? []
      #expect(connections.contains { $0["heart_rate"]?["measurements"]?.array?.isEmpty == false })
    }
  }

  /// Two paths may lead to one directory in different ways.
  @Test func `give what is in both files, however their paths are spelled`() async throws {
    let whole = try await Reports.json(of: sample).without(bare)
    let (last, current) = try pair()
    try await TemporaryFolder.with { folder in
      let older = try folder.file("d/x.log.last", last)
      try folder.file("d/x.log", current)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "link").path, withDestinationPath: folder.appending(path: "d").path)
      for newer in ["d/x.log", "./d/x.log", "d//x.log", "link/x.log"] {
        let outcome = try await Program.run(["--format", "json", newer, older], in: folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let json = try outcome.json()
        #expect(json.without(bare) == whole, "\(newer)")
        #expect(json["captures"]?.array?.first?["path"] == .string(newer))
      }
    }
  }

  @Test func `tell members and their frames`() async throws {
    let (last, current) = try pair()
    try await TemporaryFolder.with { folder in
      let path = try folder.file("pair.zip", ArchiveBuilder.zip(["a/x.log": current, "a/x.log.last": last]))
      let capture = try #require(
        try await Program.run(["--format", "json", path]).json()["captures"]?.array?.first)
      #expect(capture["members"] == .array([.string("a/x.log.last"), .string("a/x.log")]))
      #expect(capture["records"] == .number(273) && capture["path"] == .string(path))
      let connection = try #require(capture["connections"]?.array?.first)
      #expect(connection["opened"]?["member"] == .number(0) && connection["closed"]?["member"] == .number(1))
      // Record 273 of the whole file is record 123 of the second.
      #expect(connection["closed"]?["frame"] == .number(123))
      let measurements = try #require(connection["heart_rate"]?["measurements"]?.array)
      #expect(measurements.count == 120 && measurements.allSatisfy { $0["member"] != nil })
      let text = try await Program.run([path])
      #expect(text.output.hasPrefix("\(path) › x.log.last + x.log") && text.output.contains("#2:123"))
      let events = try await Program.run(["timeline", "--format", "ndjson", path]).jsonLines()
      #expect(events.first?["members"] == capture["members"])
      #expect(events.dropFirst().allSatisfy { $0["member"] != nil })
      let lines = try await Program.run(["timeline", path]).lines
      #expect(lines.last?.contains(#/ 2:123 +end +273 records$/#) == true, "\(lines.last ?? "")")
    }
  }

  /// What was open when the first ended goes on in the second, up to its end.
  @Test func `show a connection that no record closes in a part of the second`() async throws {
    let (last, current) = try pair()
    let offsets = try ReadCapture(current).records.map { $0.offset - 25 }
    try await TemporaryFolder.with { folder in
      let paths = [
        try folder.file("x.log.last", last), try folder.file("x.log", Array(current[..<offsets[60]])),
      ]
      let outcome = try await Program.run(["--format", "json", "--frames", "2:30-2:40"] + paths)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["connections"]?.array?.count == 1 && capture["hidden_connections"]?.int ?? 0 == 0)
    }
  }

  /// One member is no reason to say which.
  @Test func `tell no member where there is one`() async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("one.zip", ArchiveBuilder.zip(["x.log": try sample.octets]))
      let outcome = try await Program.run(["--format", "json", path])
      #expect(outcome.output.contains(#""members": ["x.log"]"#) && !outcome.output.contains(#""member":"#))
    }
  }

  @Test func `a bug report's log`() async throws {
    var host = HostSide()
    host.subscribe()
    for index in 0..<30 as Range<UInt8> {
      host.notified([0x16, 60 + index, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    let packets = host.packets
    try await TemporaryFolder.with { folder in
      let plain = try folder.file("plain", Container.btsnoopH4.file(packets))
      let whole = try await Program.run(["--format", "json", plain]).json().without(bare)
      for version in [1, 2] {
        let text = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets, version: version), lineEnd: "\r\n")
        let path = try folder.file("bugreport.txt", text)
        let json = try await Program.run(["--format", "json", path]).json()
        #expect(json.without(bare) == whole)
        #expect(json["captures"]?.array?.first?["format"] == .string("btsnooz"))
        let cut = try folder.file("cut.txt", Array(text.dropLast(140)))
        let outcome = try await Program.run(["--format", "json", cut])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let capture = try #require(try outcome.json()["captures"]?.array?.first)
        #expect(capture["complete"] == .bool(false))
        #expect(capture["findings"]?.array?.first?["rule"] == .string("capture-cut-off"))
      }
    }
  }

  /// What is said where there is no other.
  @Test func `a full log beside a bug report's empty one`() async throws {
    try await TemporaryFolder.with { folder in
      let report = InputOctets.emptyBugReport
      let zip = try folder.file(
        "report.zip", ArchiveBuilder.zip(["report.txt": report, "FS/btsnoop_hci.log": try sample.octets]))
      try folder.file("unpacked/report.txt", report)
      try folder.file("unpacked/FS/btsnoop_hci.log", try sample.octets)
      for path in [zip, folder.appending(path: "unpacked").path] {
        let outcome = try await Program.run([path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.contains("120 measurements"))
        #expect(!outcome.output.contains("bug report"))
      }
    }
  }

  /// One sentence, and the other inputs are reported.
  @Test func `that cannot be read`() async throws {
    var locked = ArchiveBuilder(password: "secret")
    locked.add("a.log", try sample.octets)
    let three = ArchiveBuilder.zip([
      "2.zip": ArchiveBuilder.zip(["3.zip": ArchiveBuilder.zip(["a.log": try sample.octets])])
    ])
    var zeros = ArchiveBuilder(.tar, .gzip)
    zeros.add("zeros", [UInt8](repeating: 0, count: 80 << 20))
    let bad: [(name: String, octets: [UInt8], says: String)] = [
      ("locked.zip", locked.octets, "password"), ("three.zip", three, "--max-depth"),
      ("zeros.tar.gz", zeros.octets, "--max-ratio"),
      ("none.zip", ArchiveBuilder.zip(["a.txt": Array("text".utf8)]), "no capture"),
      ("empty.zip", ArchiveBuilder.zip([:]), "no capture"),
      ("cut.gz", Array(ArchiveBuilder.compressed(try sample.octets).prefix(18)), "not all there"),
      ("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "7-Zip"),
    ]
    try await TemporaryFolder.with { folder in
      for file in bad { try folder.file(file.name, file.octets) }
      try folder.file("good", try sample.octets)
      let outcome = try await Program.run(["--format", "json"] + bad.map(\.name) + ["good"], in: folder)
      #expect(outcome.status == 2 && outcome.errorLines.count == bad.count)
      for (line, file) in zip(outcome.errorLines, bad) {
        #expect(line.hasPrefix("hrsnoop: \(file.name): ") && line.contains(file.says))
      }
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.count == bad.count + 1 && captures.last?["error"] == nil)
      for capture in captures.dropLast() { #expect(capture.keys == ["path", "error"]) }
      let raised = try await Program.run(["--max-depth", "3", "three.zip"], in: folder)
      #expect(raised.status == 0 && raised.output.contains("120 measurements"))
      let most = try await Program.run(["--max-depth", "16", "three.zip"], in: folder)
      #expect(most.octets == raised.octets)
      let more = try await Program.run(["--max-ratio", "5000", "zeros.tar.gz"], in: folder)
      #expect(more.status == 2 && more.errors.contains("there is no capture in this archive"))
      let less = try await Program.run(["--max-depth", "3", "--max-unpacked", "10K", "three.zip"], in: folder)
      #expect(less.status == 2 && less.errors.contains("--max-unpacked"))
    }
  }

  /// Downloads and copies end early: whatever comes out of what is there is read, and it is said that more is missing.
  @Test(arguments: [1, 8, 9, 60])
  func `that are not all there`(missing: Int) async throws {
    let octets = try sample.octets
    let whole = try await Reports.json(of: sample).without(bare)
    try await TemporaryFolder.with { folder in
      let path = try folder.file("x.gz", Array(ArchiveBuilder.compressed(octets).dropLast(missing)))
      let outcome = try await Program.run(["--format", "json", path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["complete"] == .bool(false))
      let finding = try #require(capture["findings"]?.array?.first)
      #expect(finding["rule"] == .string("capture-cut-off"))
      #expect(finding["message"]?.string?.contains("the archive is not all there") == true)
      // The trailer has 8 octets: without them, nothing of the capture is missing.
      guard missing <= 8 else { return }
      #expect(capture["records"] == .number(273))
      #expect(capture["connections"]?.without(bare) == whole["captures"]?.array?.first?["connections"])
    }
  }

  /// A checksum that is wrong makes doubtful what was read, and takes nothing away.
  @Test func `whose checksum is wrong`() async throws {
    let octets = try sample.octets
    var zip = ArchiveBuilder.zip(["x.log": octets])
    // Its checksum as the list at the zip's end has it.
    for place in zip.indices.dropLast(4) where zip[place..<place + 4] == [0x50, 0x4B, 1, 2] { zip[place + 16] ^= 1 }
    var gzip = ArchiveBuilder.compressed(octets)
    gzip[gzip.count - 8] ^= 1
    var length = ArchiveBuilder.compressed(octets)
    length[length.count - 1] ^= 1
    var tar = ArchiveBuilder(.tar, .gzip)
    tar.add("x.log", octets)
    var packed = tar.octets
    packed[packed.count - 8] ^= 1
    let whole = try await Reports.json(of: sample).without(bare)["captures"]?.array?.first?["connections"]
    try await TemporaryFolder.with { folder in
      for (name, file) in [("zip", zip), ("gz", gzip), ("length.gz", length), ("tar.gz", packed)] {
        let outcome = try await Program.run(["--format", "json", try folder.file("x.\(name)", file)])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let capture = try #require(try outcome.json()["captures"]?.array?.first)
        #expect(capture["complete"] == .bool(false) && capture["connections"]?.without(bare) == whole, "\(name)")
        let finding = try #require(capture["findings"]?.array?.first)
        #expect(finding["rule"] == .string("octets-skipped") && finding["severity"] == .string("warning"))
        #expect(finding["message"]?.string?.hasPrefix("what was unpacked is not what was packed (") == true)
      }
    }
  }

  /// What lies beside captures and cannot be looked into is named by the first of them: some of it, and how much more.
  @Test func `beside what cannot be`() async throws {
    var locked = ArchiveBuilder(password: "secret")
    locked.add("a.log", try sample.octets)
    var report = ArchiveBuilder(.tar)
    report.add("good.log", try sample.octets)
    for index in 0..<13 { report.add("\(index).zip", locked.octets) }
    report.add("other.log", try sample.octets)
    let octets = report.octets
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run(["--format", "json", try folder.file("report.tar", octets)])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.map { $0["connections"]?.array?.count } == [1, 1])
      let told = captures.map { $0["findings"]?.array?.filter { $0["rule"] == .string("neighbours-unread") } ?? [] }
      let findings = told[0]
      #expect(told[1].isEmpty && findings.count == 1 && findings.first?["count"]?.int == 13)
      let message = findings.first?["message"]?.string ?? ""
      #expect(message.hasPrefix("not everything could be looked into: 0.zip: it is protected"))
      #expect(message.contains("; 2.zip: ") && message.hasSuffix("; 10 more of what lies there"))
    }
  }

  @Test(arguments: [["--max-unpacked", "0"], ["--max-unpacked", "4Q"], ["--max-ratio", "0"], ["--max-depth", "99"]])
  func `limits that are none`(arguments: [String]) async throws {
    #expect(try await Program.run(arguments + [sample.path]).status == 64)
  }

  /// Names come from strangers.
  @Test func `names that want to be more`() async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("x.zip", ArchiveBuilder.zip(["\u{1B}[2J\u{202E}a": try sample.octets]))
      for arguments in [[path], ["timeline", path], ["gatt", path], ["--format", "json", path]] {
        let outcome = try await Program.run(arguments)
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 0 && !lines.contains { $0.unicodeScalars.contains(where: Hostile.isForbidden) })
      }
    }
  }

  /// One archive or one directory may hold several, whose connections are all numbered from 1.
  @Test func `several captures behind one path are told apart`() async throws {
    let names = ["polar-h7", "wahoo-tickr"]
    let logs = try names.map { try Sample.named("\($0).btsnoop").octets }
    try await TemporaryFolder.with { folder in
      let zip = try folder.file("two.zip", ArchiveBuilder.zip(["x/log": logs[0], "y/log": logs[1]]))
      let table = try await Program.run(["timeline", "--format", "csv", zip])
      #expect(table.lines.first == "time,elapsed_s,capture,frame,member,connection,peer,bpm,contact,energy_kj,rr_ms")
      #expect(Set(table.lines.dropFirst().map { $0.split(separator: ",")[2] }) == ["0", "1"])
      let lines = try await Program.run(["timeline", zip]).lines
      #expect(lines.filter { $0.hasPrefix(zip) } == ["\(zip) › x/log", "\(zip) › y/log"])
      let sides = try await Program.run(["diff", zip]).output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(sides.contains("1 Polar H7 2C5A1D17, connection 1 in \(zip) › x/log"))
      #expect(sides.contains("2 TICKR 5F3A, connection 1 in \(zip) › y/log"))
      let question = try await Program.run(["diff", zip, Sample.named("polar-h7.btsnoop").path])
      #expect(question.status == 2 && question.errors.contains("TICKR 5F3A (C7:31:4E:90:5F:3A)"))
      #expect(!question.errors.contains("connection 1"))
      let chosen = try await Program.run(["diff", "\(zip):C7:31:4E:90:5F:3A", zip + ":polar"])
      #expect(chosen.status == 0)
    }
  }

  /// It is one capture.
  @Test func `a rotated pair needs no number`() async throws {
    let (last, current) = try pair()
    try await TemporaryFolder.with { folder in
      let paths = [try folder.file("x.log.last", last), try folder.file("x.log", current)]
      let table = try await Program.run(["timeline", "--format", "csv"] + paths)
      #expect(table.lines.first == "time,elapsed_s,frame,member,connection,peer,bpm,contact,energy_kj,rr_ms")
      // Whichever of several has members.
      let several = try await Program.run(["timeline", "--format", "csv", sample.path] + paths)
      #expect(several.lines.first == "time,elapsed_s,capture,frame,member,connection,peer,bpm,contact,energy_kj,rr_ms")
      #expect(Set(several.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [11])
      #expect(several.lines.count { $0.hasPrefix("time") } == 1)
    }
  }
}
