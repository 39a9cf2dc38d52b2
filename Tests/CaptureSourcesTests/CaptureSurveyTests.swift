import CaptureFiles
import CaptureSources
import Octets
import Testing
import TestSupport

/// A small capture, and one that is longer.
private func capture(_ minute: Int64 = 0) -> [UInt8] {
  BTSnoopBuilder.header()
    + BTSnoopBuilder.record([4, 0x0F, 0], time: CapturedPacket.start + minute * 60_000_000)
}

/// What is found in a file, and what can be read of it.
private struct Found {
  var names: [String?] = []
  var octets: [[UInt8]] = []
  var troubles: [String] = []

  init(_ file: [UInt8], _ limits: UnpackingLimits = UnpackingLimits()) throws {
    try temporaryFile(file) { path in
      let survey = try CaptureSurvey(path: FilePath(path), limits: limits)
      troubles = survey.troubles.map { trouble in
        let reason =
          switch trouble.reason {
          case .source(let error): error.description
          case .content(let error): error.description
          }
        return [trouble.name, reason].compactMap { $0 }.joined(separator: ": ")
      }
      for member in survey.members {
        names.append(member.name)
        var opened = try member.open()
        while try opened.fill() {}
        octets.append(Array(ContiguousArray(opened.octets)))
      }
    }
  }
}

@Suite struct `Captures in archives` {
  @Test func `a file that is one is found as it is`() throws {
    let found = try Found(capture())
    #expect(found.names == [nil] && found.octets == [capture()])
  }

  @Test(arguments: ArchiveBuilder.Compression.allCases)
  func `in a tar, however it is compressed`(compression: ArchiveBuilder.Compression) throws {
    var builder = ArchiveBuilder(.tar, compression)
    builder.add("notes.txt", Array("notes".utf8))
    builder.add("logs/btsnoop_hci.log", capture())
    builder.add("empty", [])
    builder.add("other.cfa", capture(1))
    let found = try Found(builder.octets)
    #expect(found.names == ["logs/btsnoop_hci.log", "other.cfa"] && found.octets == [capture(), capture(1)])
    #expect(found.troubles == [])
  }

  /// Where a phone has written nothing, or its file system has lost what it wrote: a tar may leave that out.
  @Test func `in a tar, with holes`() throws {
    let whole = capture() + Array(repeating: 0, count: 8000) + capture() + Array(repeating: 0, count: 100_000)
    var builder = ArchiveBuilder(.tar)
    builder.add("btsnoop_hci.log", whole, pieces: [0..<512, 7680..<8192])
    builder.add("lastlog", Array(repeating: 0, count: 100_000), pieces: [0..<1])
    builder.add("other.cfa", capture(1))
    #expect(builder.octets.count < 30_000)
    let found = try Found(builder.octets)
    #expect(found.names == ["btsnoop_hci.log", "other.cfa"] && found.octets == [whole, capture(1)])
  }

  @Test(arguments: [.gzip, .bzip2, .xz, .zstd] as [ArchiveBuilder.Compression])
  func `a compressed one has no name`(compression: ArchiveBuilder.Compression) throws {
    let found = try Found(ArchiveBuilder.compressed(capture(), compression))
    #expect(found.names == [nil] && found.octets == [capture()])
  }

  @Test func `two levels deep, and no deeper`() throws {
    let inner = ArchiveBuilder.zip(["a.log": capture(), "b.log.gz": ArchiveBuilder.compressed(capture(1))])
    let two = ArchiveBuilder.zip(["first.log": capture(2), "in.zip": inner, "last.log": capture(3)])
    let found = try Found(two)
    #expect(found.names == ["first.log", "in.zip/a.log", "last.log"])
    #expect(found.octets == [capture(2), capture(), capture(3)])
    #expect(found.troubles.count == 1 && found.troubles.first?.contains("--max-depth") == true)
    let deeper = try Found(two, UnpackingLimits(depth: 3))
    #expect(deeper.names == ["first.log", "in.zip/a.log", "in.zip/b.log.gz", "last.log"])
    #expect(deeper.octets == [capture(2), capture(), capture(1), capture(3)] && deeper.troubles == [])
  }

  /// Names are told, and nothing else is done with them.
  @Test func `with names that lead elsewhere`() throws {
    var builder = ArchiveBuilder(.tar)
    builder.add("../../etc/passwd", capture())
    builder.add("/absolute", capture(1))
    #expect(try Found(builder.octets).names == ["../../etc/passwd", "/absolute"])
  }

  /// As Python and Java write them: bit 11 of the flags says that the name is UTF-8. APPNOTE.TXT, 4.4.4.
  @Test func `with names of UTF-8`() throws {
    var zip = ArchiveBuilder.zip(["Ger__t/__.log": capture()])
    let (ascii, name) = (Array("Ger__t/__.log".utf8), Array("Gerät/ß.log".utf8))
    for place in zip.indices.dropLast(ascii.count) where Array(zip[place..<place + ascii.count]) == ascii {
      zip.replaceSubrange(place..<place + name.count, with: name)
    }
    for place in zip.indices.dropLast(4) {
      let header = Array(zip[place..<place + 4])
      if header == [0x50, 0x4B, 3, 4] { zip[place + 7] |= 0x08 }
      if header == [0x50, 0x4B, 1, 2] { zip[place + 9] |= 0x08 }
    }
    #expect(try Found(zip).names == ["Gerät/ß.log"])
  }

  @Test func `behind a password`() throws {
    var builder = ArchiveBuilder(password: "secret")
    builder.add("a.log", capture())
    let found = try Found(builder.octets)
    #expect(found.names == [] && found.troubles.count == 1)
    #expect(found.troubles.first?.hasPrefix("a.log: it is protected by a password") == true)
  }

  /// libarchive opens no more than some two dozen compressions, one around the other.
  @Test func `compressed again and again`() throws {
    let nested = (0..<30).reduce(capture()) { octets, _ in ArchiveBuilder.compressed(octets) }
    let found = try Found(nested)
    #expect(found.names == [] && found.troubles.count == 1)
    #expect(found.troubles.first?.contains("more often than is looked into") == true)
  }

  /// Three letters do not make a compressed file.
  @Test(arguments: ["BZhello", "BZh", "BZh9", "BZh5 and so on, for a while"])
  func `in a text that begins like bzip2`(text: String) throws {
    let found = try Found(Array(text.utf8))
    #expect(found.names == [] && found.troubles.count == 1)
    #expect(found.troubles.first?.contains("not a Bluetooth capture (starts with 42 5A 68") == true)
  }

  @Test func `in an archive that is not all there`() throws {
    let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
    let whole = ArchiveBuilder.zip(["a.log": capture(), "noise": noise])
    let found = try Found(Array(whole.prefix(whole.count / 2)))
    #expect(found.names == ["a.log"] && found.octets == [capture()])
    #expect(found.troubles.isEmpty == false)
    let gzip = ArchiveBuilder.compressed(noise)
    #expect(try Found(Array(gzip.prefix(100))).troubles.first?.contains("not all there") == true)
  }

  /// Zips are often stored in a zip as they are: where its own list of members is cut away, that of the last one in it is
  /// the last there is.
  @Test func `in an archive of archives that is not all there`() throws {
    let inner = ArchiveBuilder.zip(["a.log": capture(), "b": [0]])
    var builder = ArchiveBuilder()
    builder.isStored = true
    for name in ["1.zip", "2.zip"] { builder.add(name, inner) }
    builder.add("c.log", capture())
    let whole = builder.octets
    let names = ["1.zip/a.log", "2.zip/a.log", "c.log"]
    #expect(try Found(whole).names == names)
    let listed = try #require(whole.indices.last { whole[$0...].starts(with: capture()) }) + capture().count
    // Behind a member stand its length and its checksum.
    for length in stride(from: listed + 24, to: whole.count, by: 7) {
      let found = try Found(Array(whole.prefix(length)))
      #expect(found.names == names && !found.troubles.isEmpty, "\(length) of \(whole.count)")
    }
    // Cut within the list of the second one.
    let found = try Found(Array(whole.prefix(try #require(whole.firstRange(of: Array("c.log".utf8))).lowerBound - 60)))
    #expect(found.names.starts(with: ["1.zip/a.log", "2.zip/a.log"]) && !found.troubles.isEmpty)
  }

  /// Nothing is wrong with it, and another program can unpack it.
  @Test func `in a zip that is packed in another way`() throws {
    var file = ArchiveBuilder.zip(["a.log": capture(), "b.log": capture(1)])
    let listed = try #require(file.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
    // Deflate64. PKWARE, .ZIP File Format Specification 6.3.10, 4.4.5.
    (file[8], file[listed + 10]) = (9, 9)
    let found = try Found(file)
    #expect(found.names == ["b.log"] && found.troubles.count == 1)
    #expect(found.troubles[0].hasPrefix("a.log: it is packed in a way that is not read here"))
  }

  /// One octet is another, in the list of members or in a member's own header: the others are where they were.
  @Test func `in a zip whose list of members is damaged`() throws {
    let whole = ArchiveBuilder.zip(["a.log": capture(), "b.log": capture(1), "c.log": capture(2)])
    let listed = try #require(whole.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
    for place in [0, 3, 28, 42] {
      var file = whole
      file[listed + place] ^= 0x10
      let found = try Found(file)
      #expect(found.names == ["a.log", "b.log", "c.log"], "octet \(place) of the list")
      #expect(found.octets == [capture(), capture(1), capture(2)])
      #expect(found.troubles.count == 1 && found.troubles[0].contains("list of what is in it is damaged"))
    }
    let second = try #require(whole[4...].firstRange(of: [0x50, 0x4B, 3, 4])).lowerBound
    var file = whole
    file[second] ^= 0x10
    let found = try Found(file)
    #expect(found.names == ["a.log", "c.log"] && found.troubles.count == 1)
  }

  @Test(arguments: [[0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]] as [[UInt8]])
  func `in archives that are not opened`(start: [UInt8]) throws {
    let found = try Found(start + Array(repeating: 0, count: 100))
    #expect(found.names == [] && found.troubles.first?.contains("unpack it") == true)
  }
}

@Suite struct `Limits of unpacking` {
  private let zeros = [UInt8](repeating: 0, count: 80 << 20)

  private func message(_ file: [UInt8], _ limits: UnpackingLimits = UnpackingLimits()) throws -> String {
    try Found(file, limits).troubles.joined(separator: "\n")
  }

  @Test func `how many times its size`() throws {
    var builder = ArchiveBuilder(.tar, .gzip)
    builder.add("zeros", zeros)
    let octets = builder.octets
    #expect(try message(octets).contains("--max-ratio"))
    #expect(try message(octets, UnpackingLimits(ratio: 2000)) == "")
  }

  /// Of a zip each member lies by itself: one that is a trap hides none beside it, whether it begins as a capture or is
  /// looked through for one.
  @Test func `how many times its size one member unpacks to`() throws {
    let members: KeyValuePairs = [
      "first.log": capture(), "trap.log": capture() + zeros, "x.log": capture(1),
      "trap.txt": [UInt8](repeating: 0x58, count: 80 << 20), "last.log": capture(2),
    ]
    try temporaryFile(ArchiveBuilder.zip(members)) { path in
      let survey = try CaptureSurvey(path: FilePath(path))
      #expect(survey.members.map(\.name) == ["first.log", "trap.log", "x.log", "last.log"])
      #expect(survey.troubles.map(\.name) == ["trap.txt"])
      var read: [[UInt8]?] = []
      for member in survey.members {
        var opened = try member.open()
        do throws(SourceError) {
          while try opened.fill() { if opened.octets.count > 1000 { opened.consume(opened.octets.count) } }
          read.append(Array(ContiguousArray(opened.octets)))
        } catch {
          #expect(error.isLimit && error.description.contains("--max-ratio"))
          read.append(nil)
        }
      }
      #expect(read == [capture(), nil, capture(1), capture(2)])
    }
  }

  @Test func `how many octets`() throws {
    var builder = ArchiveBuilder(.tar, .none)
    builder.add("zeros", Array(zeros.prefix(100_000)))
    #expect(try message(builder.octets, UnpackingLimits(octets: 50_000)).contains("--max-unpacked"))
    #expect(try message(builder.octets, UnpackingLimits(octets: 200_000)) == "")
  }

  /// What one is asked for is told, and counts each time anew.
  @Test func `how many octets of a capture that is read several times`() throws {
    let log = (0..<10_000).reduce(into: BTSnoopBuilder.header()) { log, number in
      log += BTSnoopBuilder.record([4] + [UInt8](repeating: UInt8(number & 0xFF), count: 99))
    }
    try temporaryFile(ArchiveBuilder.zip(["hci.log": log])) { path in
      for (most, isEnough) in [(600_000, false), (2_000_000, true)] {
        let members = try CaptureSurvey(path: FilePath(path), limits: UnpackingLimits(octets: most)).members
        let member = try #require(members.first)
        for _ in 0..<3 {
          var opened = try member.open()
          do throws(SourceError) {
            while try opened.fill() { opened.consume(opened.octets.count) }
            #expect(isEnough)
          } catch {
            #expect(!isEnough && error.description.contains("more than 600000 octets"))
          }
        }
      }
    }
  }

  @Test func `how many members`() throws {
    var builder = ArchiveBuilder(.tar)
    for index in 0..<20 { builder.add("\(index)", []) }
    #expect(try message(builder.octets, UnpackingLimits(entries: 19)).contains("--max-entries"))
    #expect(try message(builder.octets, UnpackingLimits(entries: 20)) == "")
  }

  @Test func `how many captures`() throws {
    var builder = ArchiveBuilder(.tar)
    for number in 1...1000 { builder.add("\(number).log", capture()) }
    #expect(try message(builder.octets) == "")
    builder.add("1001.log", capture())
    let found = try Found(builder.octets)
    #expect(found.names.count == 1000 && found.names.last == "1000.log")
    #expect(found.troubles == ["it holds more than 1000 captures"])
  }

  /// As many logs as one likes stand in a text.
  @Test func `how many logs`() throws {
    let packed = BTSnoozBuilder.packed([CapturedPacket(.event, .received, [0x0F, 0], time: CapturedPacket.start)])
    let log = BTSnoozBuilder.bugReport(packed)
    let found = try Found(Array((0..<1001).map { _ in log }.joined()))
    #expect(found.names.count == 1000 && found.troubles == ["it holds more than 1000 captures"])
  }

  /// Each is read more than once, and counts once.
  @Test func `how much comes out of logs together`() throws {
    let packets = [CapturedPacket(.event, .received, [0x0F, 0], time: CapturedPacket.start)]
    let log = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets))
    let length = BTSnoozBuilder.records(packets).count
    #expect(try Found(log + log, UnpackingLimits(octets: 2 * length)).octets.count == 2)
    #expect(throws: SourceError.self) { try Found(log + log, UnpackingLimits(octets: 2 * length - 1)) }
  }

  /// What is found before a limit is reached is there.
  @Test func `leave what was found`() throws {
    var builder = ArchiveBuilder(.tar)
    for index in 0..<20 { builder.add("\(index)", index == 3 ? capture() : []) }
    #expect(try Found(builder.octets, UnpackingLimits(entries: 19)).names == ["3"])
  }
}

@Suite struct `Logs in bug reports` {
  private let packets = (0..<50).map { index in
    CapturedPacket(
      .event, .received, [0x0F, 4, 0, 1, UInt8(index), 0x20], time: CapturedPacket.start + Int64(index) * 1_500_000)
  }

  @Test(arguments: [1, 2], [(76, "\n"), (60, "\r\n"), (100_000, "\n")])
  func `are unpacked`(version: Int, lines: (length: Int, end: String)) throws {
    let text = BTSnoozBuilder.bugReport(
      BTSnoozBuilder.packed(packets, version: version), lineLength: lines.length, lineEnd: lines.end)
    for file in [text, ArchiveBuilder.zip(["bugreport.txt": text]), ArchiveBuilder.compressed(text)] {
      let found = try Found(file)
      let read = try ReadCapture(try #require(found.octets.first))
      #expect(found.octets.count == 1 && read.formatName == "btsnooz" && read.progress.isComplete)
      #expect(read.packets == packets.map(\.octets) && read.records.map(\.time) == packets.map(\.time))
    }
  }

  @Test func `two of them`() throws {
    let text = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets))
    #expect(try Found(ArchiveBuilder.zip(["b.txt": text + text])).names == ["b.txt", "b.txt/log 2"])
    #expect(try Found(text + text).names == [nil, "log 2"])
  }

  /// What a log in a text is read as, and what is said at its end.
  private func read(_ text: [UInt8]) throws -> (capture: ReadCapture, failure: SourceError?) {
    try temporaryFile(text) { path in
      var opened = try #require(try CaptureSurvey(path: FilePath(path)).members.first).open()
      var failure: SourceError?
      do { while try opened.fill() {} } catch { failure = error as? SourceError }
      return (try ReadCapture(Array(ContiguousArray(opened.octets))), failure)
    }
  }

  /// What can be read before the end is read, and then there is an error. Those times are too late, but of that day.
  @Test func `cut off`() throws {
    let packed = BTSnoozBuilder.packed(packets)
    let text = BTSnoozBuilder.bugReport(Array(packed.dropLast(packed.count / 3)), isEnded: false)
    let (read, failure) = try read(text)
    #expect(failure?.description.contains("ends too early") == true && failure?.isDamage == false)
    #expect(!read.records.isEmpty && read.records.count < packets.count)
    #expect(read.records.allSatisfy { $0.time >= CapturedPacket.start })
  }

  /// Where the text goes on behind it, octets are missing anywhere: nobody knows what was made of those behind them.
  @Test func `with octets missing`() throws {
    let packed = BTSnoozBuilder.packed(packets)
    let place = packed.count * 2 / 3
    let (read, failure) = try read(BTSnoozBuilder.bugReport(Array(packed[..<place] + packed[(place + 30)...])))
    #expect(failure?.isDamage == true && failure?.description.contains("times of day are not known") == true)
    let times = read.records.prefix(20).map(\.time)
    #expect(times.map { $0 - times[0] } == (0..<20).map { $0 * 1_500_000 } && times[0] < HostSide.neverSet)
  }

  /// A block of records as they are, and behind it one of type 3, which RFC 1951 has reserved.
  @Test(arguments: [false, true]) func `with an impossible block`(isEnded: Bool) throws {
    let records = BTSnoozBuilder.records(packets)
    let count = UInt16(records.count)
    let block = [0] + count.little + (~count).little + records
    let packed = Array(BTSnoozBuilder.packed(packets)[..<11]) + block + [0x07]
    let (read, failure) = try read(BTSnoozBuilder.bugReport(packed, isEnded: isEnded))
    #expect(failure?.isDamage == true && read.packets == packets.map(\.octets))
    let times = read.records.map(\.time)
    #expect(times.map { $0 - times[0] } == packets.map { $0.time - CapturedPacket.start })
    #expect(times[0] < HostSide.neverSet)
  }

  /// All of it is there, and any of it may be wrong.
  @Test func `with another checksum`() throws {
    var packed = BTSnoozBuilder.packed(packets)
    packed[packed.count - 1] ^= 0x40
    let (read, failure) = try read(BTSnoozBuilder.bugReport(packed))
    #expect(failure?.isDoubt == true && failure?.description.contains("its checksum is another") == true)
    #expect(read.packets == packets.map(\.octets) && read.records.map(\.time) == packets.map(\.time))
  }

  @Test func `with nothing in them`() throws {
    let found = try Found(BTSnoozBuilder.bugReport([]))
    #expect(found.names == [] && found.troubles.count == 1)
  }
}

@Suite struct `Rotated pairs` {
  private func inputs(_ files: KeyValuePairs<String, [UInt8]>) throws -> [CaptureInput] {
    try temporaryFile(ArchiveBuilder.zip(files)) { CaptureInput.inputs(in: [try CaptureSurvey(path: FilePath($0))]) }
  }

  @Test func `are one capture, in the order of time`() throws {
    let pair = try inputs(["a.log": capture(5), "other": capture(), "a.log.last": capture(1)])
    #expect(pair.map(\.memberNames) == [["a.log.last", "a.log"], ["other"]])
    let swapped = try inputs(["a.log.last": capture(5), "a.log": capture(1)])
    #expect(swapped.map(\.memberNames) == [["a.log", "a.log.last"]])
    let compressed = try inputs([
      "a.log.gz": ArchiveBuilder.compressed(capture(5)), "a.log.last.gz": ArchiveBuilder.compressed(capture(1)),
    ])
    #expect(compressed.map(\.memberNames) == [["a.log.last.gz", "a.log.gz"]])
  }

  /// The phone's clock was set back while the older one was written, or between the two: the newer one begins first,
  /// but it goes on when the other has begun.
  @Test func `are as their names say, where a clock that was set back explains their times`() throws {
    let newer = capture(1) + capture(4).dropFirst(BTSnoopBuilder.header().count)
    let pair = try inputs(["a.log": newer, "a.log.last": capture(3)])
    #expect(pair.map(\.memberNames) == [["a.log.last", "a.log"]])
    let swapped = try inputs(["a.log": newer, "a.log.last": capture(5)])
    #expect(swapped.map(\.memberNames) == [["a.log", "a.log.last"]])
  }

  @Test func `are of one folder`() throws {
    let apart = try inputs(["x/a.log": capture(5), "y/a.log.last": capture(1)])
    #expect(apart.map(\.memberNames) == [["x/a.log"], ["y/a.log.last"]])
  }

  @Test func `need both`() throws {
    #expect(try inputs(["a.log.last": capture()]).map(\.members.count) == [1])
    #expect(
      try inputs(["a.last.last": capture(), "a.last": capture(1), "a": capture(2)]).map(\.members.count) == [1, 2])
  }

  private func names(_ files: KeyValuePairs<String, [UInt8]>) throws -> [String] {
    CaptureInput.inOrderOfTime(try inputs(files)).flatMap(\.memberNames)
  }

  /// Numbers may count on or back; others keep their places.
  @Test func `of a series, the oldest first`() throws {
    #expect(
      try names(["a": capture(9), "x": capture(4), "x.1": capture(3), "x.10": capture(0), "x.2": capture(2)])
        == ["a", "x.10", "x.2", "x.1", "x"])
    #expect(try names(["x.0": capture(1), "y": capture(), "x.1": capture(2)]) == ["x.0", "y", "x.1"])
    #expect(try names(["x.1": capture(2), "y/x.2": capture(1)]) == ["x.1", "y/x.2"])
    #expect(try names(["x": capture(5), "x.1": capture(1), "x.last": capture(4)]) == ["x.1", "x.last", "x"])
    #expect(
      try names(["1": capture(5), "2": capture(4), ".1": capture(3), ".2": capture(2)]) == ["1", "2", ".1", ".2"])
    // Of one without a packet nobody knows when it was.
    #expect(try names(["x": capture(5), "x.1": BTSnoopBuilder.header()]) == ["x", "x.1"])
  }

  /// However many there are, an archive is gone through a few times.
  @Test(arguments: [(32, true), (33, false)]) func `of a long series, as they lie`(count: Int, isTurned: Bool) throws {
    var builder = ArchiveBuilder()
    for number in 0..<count { builder.add("x.\(number)", capture(Int64(count - number))) }
    try temporaryFile(builder.octets) { path in
      let inputs = CaptureInput.inputs(in: [try CaptureSurvey(path: FilePath(path))])
      #expect(CaptureInput.inOrderOfTime(inputs).first?.memberNames == [isTurned ? "x.\(count - 1)" : "x.0"])
    }
  }

  @Test func `are put together from paths`() {
    #expect(CaptureInput.rotatedPaths(["a.log", "b", "a.log.last"]) == [["a.log", "a.log.last"], ["b"]])
    #expect(CaptureInput.rotatedPaths(["a.log", "a.log"]) == [["a.log"], ["a.log"]])
    #expect(CaptureInput.rotatedPaths(["x/a.log", "a.log.last"]).count == 2)
    #expect(CaptureInput.rotatedPaths(["a", "a", "a.last", "a.last"]) == [["a", "a.last"], ["a", "a.last"]])
    #expect(CaptureInput.rotatedPaths(["a.last.last.gz", "a", "a.last"]) == [["a.last.last.gz", "a.last"], ["a"]])
  }
}
