import CaptureFiles
import Octets
import Testing
import TestSupport

@testable import CaptureSources

/// A capture with names that hold what follows the carriage return, and others.
private func capture(_ payloads: [[UInt8]]) -> [UInt8] {
  payloads.enumerated().reduce(BTSnoopBuilder.header()) { octets, payload in
    let packet = [4, 0xFF, UInt8(payload.element.count)] + payload.element
    return octets + BTSnoopBuilder.record(packet, time: CapturedPacket.start + Int64(payload.offset) * 1_000_000)
  }
}

@Suite struct `Captures copied through a terminal` {
  private func isCopy(_ octets: ContiguousArray<UInt8>) -> Bool { TerminalCopy(octets.span) != nil }

  /// Of each, what is read is what was copied, octet for octet.
  @Test(arguments: Sample.all, [1, 2])
  func `are read as they were`(sample: Sample, returns: Int) throws {
    let octets = try sample.octets
    let copy = octets.copiedThroughTerminal(returns: returns)
    // Few samples have no line feed in them.
    try #require(copy != octets)
    try temporaryFile(copy) { path in
      let survey = try CaptureSurvey(path: FilePath(path))
      let member = try #require(survey.members.first)
      #expect(member.insertedReturns == returns && survey.troubleCount == 0)
      var opened = try member.open()
      var read: [UInt8] = []
      while try opened.fill() {
        read += ContiguousArray(opened.octets)
        opened.consume(opened.octets.count)
      }
      #expect(read == octets)
    }
  }

  @Test(arguments: [1, 2, 3, 5, 1000])
  func `in pieces of any length`(piece: Int) throws {
    let octets = capture([[0x0A], [0x0D], [0x0D, 0x0A], [0x0D, 0x0D, 0x0A, 0x0A], [0x0D, 0x0D], [0x0D]])
    for returns in 1...2 {
      let copy = ContiguousArray(octets.copiedThroughTerminal(returns: returns))
      let found = TerminalCopy(copy.span)
      let terminal = try #require(found)
      let restored = terminal.restored(copy.span)
      #expect(terminal.returns == returns && Array(restored) == octets)
      let dribble = Dribble(copy, piece: piece)
      var source = terminal.restored(dribble)
      #expect(try readAll(&source, piece: piece) == octets)
    }
  }

  @Test func `in an archive`() throws {
    let octets = try Sample.named("polar-h7.btsnoop").octets
    try temporaryFile(ArchiveBuilder.zip(["x.log": octets.copiedThroughTerminal()])) { path in
      let member = try #require(try CaptureSurvey(path: FilePath(path)).members.first)
      var opened = try member.open()
      while try opened.fill() {}
      #expect(member.insertedReturns == 1 && Array(ContiguousArray(opened.octets)) == octets)
    }
  }

  /// What the shell said comes with it.
  @Test(arguments: Sample.all) func `behind a line of the shell's`(sample: Sample) throws {
    let octets = Array("* daemon started successfully\n".utf8) + (try sample.octets)
    try temporaryFile(octets.copiedThroughTerminal()) { path in
      let member = try #require(try CaptureSurvey(path: FilePath(path)).members.first)
      #expect(member.insertedReturns == 1)
    }
  }

  /// A sensor may well send lines as a terminal would.
  @Test func `are not those that are whole as they are`() throws {
    let lines = ContiguousArray(capture(Array(repeating: Array("$GPRMC,A\r\n".utf8), count: 20)))
    #expect(!isCopy(lines))
    let copy = ContiguousArray(Array(lines).copiedThroughTerminal())
    let restored = TerminalCopy(copy.span)?.restored(copy.span)
    #expect(restored == lines)
  }

  @Test func `are not those with another damage`() throws {
    var octets = ContiguousArray(try Sample.named("polar-h7.btsnoop").octets)
    octets.insert(0x0D, at: 1000)
    #expect(!isCopy(octets) && !isCopy(ContiguousArray(Array("no capture\n".utf8).copiedThroughTerminal())))
  }
}

/// Octets that come in small pieces.
private struct Dribble: OctetSource {
  private var octets: ContiguousArray<UInt8>
  private let piece: Int

  init(_ octets: ContiguousArray<UInt8>, piece: Int) {
    self.octets = octets
    self.piece = piece
  }

  mutating func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let count = min(piece, space.count, octets.count)
    for index in 0..<count { unsafe space[index] = octets[index] }
    octets.removeFirst(count)
    return count
  }
}
