public import CaptureFiles
public import Octets

// A capture of several files, and what happens around its octets.

extension Analyzer {
  /// Goes on to the next file of a capture of several, or to the first: connections and databases are carried over.
  /// - Parameters:
  ///   - member: Its place among the files, from 0.
  ///   - count: How many files there are.
  ///   - nextBegins: The time of the first record in the file behind it, if that is known.
  public mutating func beginMember(_ member: Int, of count: Int, nextBegins: Timestamp?) {
    reader = CaptureReader(followsAnother: member > 0)
    membersToCome = count - 1 - member
    stage.packets.member = member
    stage.packets.facts.beginMember(member)
    stage.isOneOfSeveral = true
    stage.overlap.beginMember(nextBegins: nextBegins)
  }

  /// The source of a live capture was replaced by another: what comes next begins with a file header. Connections and
  /// databases are carried over, and records are counted on.
  /// - Parameter isGap: Whether records may be missing before it.
  public mutating func beginAgain(isGap: Bool) { reader.beginAgain(isGap: isGap) }

  /// Reads on where no more octets have come so far: a whole record is not kept waiting for the one behind it.
  /// - Returns: How many octets need not be shown again.
  /// - Throws: `ParsingError` if this is no capture of HCI traffic.
  public mutating func readBeforePause(_ octets: Span<UInt8>) throws(ParsingError) -> Int {
    reader.isPausing = true
    defer { reader.isPausing = false }
    return try read(octets, isLast: false)
  }

  /// Takes note that a file cannot be read to its end: what has been read stands.
  /// - Parameter reason: Why, in a sentence.
  public mutating func noteInterruption(_ reason: String) { stage.packets.facts.noteInterruption(reason) }

  /// Takes note that a file, though it was read, is not what it was: the checksum of what it was packed in is wrong.
  /// - Parameter reason: How that is known, in a sentence.
  public mutating func noteDoubt(_ reason: String) { stage.packets.facts.noteDoubt(reason) }

  /// Takes note of whether a file was copied through a terminal; it is read as it was before.
  /// - Parameter count: How many carriage returns stood before each line feed that were not there; 0 where none were.
  public mutating func noteInsertedReturns(_ count: Int) { stage.packets.facts.noteInsertedReturns(count) }

  /// Takes note of what could not be looked into where the capture lies.
  /// - Parameters:
  ///   - sentences: What, and why.
  ///   - untold: How much more of it there is.
  public mutating func noteUnreadNeighbours(_ sentences: [String], untold: Int) {
    stage.packets.facts.noteUnreadNeighbours(sentences, untold: untold)
  }
}
