import CaptureFiles
import Octets
import Testing
import TestSupport

@testable import CaptureSources

/// A pipe may give the first octets of an input one by one.
@Suite struct `The kind of an input` {
  /// What is said of the first octets, and not that more are needed, holds for all of them.
  private func expectSteady(_ octets: [UInt8], within longest: Int) throws {
    let octets = ContiguousArray(octets)
    let whole = ContentKind(octets.span, isAll: true)
    let kind = try #require(whole)
    var isTold = false
    for count in 0...min(octets.count, 1500) {
      let told = ContentKind(octets.span.extracting(..<count), isAll: false)
      #expect(told != nil || !isTold, "after \(count) octets")
      if let told { #expect("\(told)" == "\(kind)", "after \(count) octets") }
      isTold = told != nil
      #expect(isTold || count < longest, "after \(count) octets")
    }
  }

  /// A header and a record's tell it, or five records where there is no header.
  @Test(arguments: Sample.all)
  func `a capture`(sample: Sample) throws { try expectSteady(try sample.octets, within: 300) }

  @Test(arguments: ArchiveBuilder.Compression.allCases)
  func `an archive`(compression: ArchiveBuilder.Compression) throws {
    var builder = ArchiveBuilder(.tar, compression)
    builder.add("x.log", try Sample.named("polar-h7.btsnoop").octets)
    try expectSteady(builder.octets, within: 512)
    try expectSteady(ArchiveBuilder.zip(["x.log": builder.octets]), within: 4)
  }

  @Test func `a text`() throws {
    let packet = CapturedPacket(.command, .sent, [3, 12, 0], time: CapturedPacket.start)
    try expectSteady(
      BTSnoozBuilder.bugReport(BTSnoozBuilder.packed([packet])), within: CaptureReader.longestPreface)
    try expectSteady(Array(repeating: 0x42, count: 600), within: CaptureReader.longestPreface)
  }

  /// A shell may have said a lot before it.
  @Test(
    arguments: ["polar-h7.btsnoop", "polar-h7.pcap", "scosche-rhythm-plus.le.pklg"],
    [100, 511, 512, 680, 20_000, 65_000])
  func `a capture behind lines of text`(name: String, length: Int) throws {
    let line = Array("WARNING: linker: app_process has text relocations\n".utf8)
    let preface = Array(repeating: line, count: length / line.count + 1).joined().prefix(length)
    let octets = ContiguousArray(preface + (try Sample.named(name).octets))
    for count in [length, length + 16, octets.count - 1] {
      let early = ContentKind(octets.span.extracting(..<count), isAll: false)
      #expect(early == nil || "\(early!)" == "\(ContentKind.capture)", "after \(count) octets")
    }
    let told = ContentKind(octets.span, isAll: true)
    let kind = try #require(told)
    #expect("\(kind)" == "\(ContentKind.capture)")
  }
}
