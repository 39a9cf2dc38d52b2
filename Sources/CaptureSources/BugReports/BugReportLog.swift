import CaptureFiles
import Octets

/// The Bluetooth log that Android prints into the text of a bug report, packed as it stands there.
///
///     --- BEGIN:BTSNOOP_LOG_SUMMARY (N bytes in) ---
///     base64 of                version 1 or 2, 1 octet
///                              time of the last record, u64, little-endian, µs since 1970
///                              a zlib stream of records (see `BTSnooz`)
///     --- END:BTSNOOP_LOG_SUMMARY ---
final class BugReportLog {
  /// The decoded octets, as far as they can be read.
  let packed: ContiguousArray<UInt8>
  /// Whether the line that ends it follows, or something is known to be wrong before its end: if octets are missing, then
  /// not those at its end.
  private let isDamaged: Bool
  /// Whether what stands before the stream is not what it was: its version, or when its last record was made.
  private let hasDoubtfulHeader: Bool
  /// All logs of the input.
  private let all: UnpackedLogs
  /// How many octets have come out of it at the most.
  private var longestUnpacked = 0

  /// - Parameters:
  ///   - decoder: What has decoded it.
  ///   - isEnded: Whether the line that ends it follows.
  private init(_ decoder: Base64Decoder, isEnded: Bool, among all: UnpackedLogs) {
    let restored = Self.restored(decoder.octets, lost: decoder.lost, among: all)
    packed = restored ?? decoder.octets
    isDamaged = isEnded || restored == nil && !decoder.lost.isEmpty
    // The first stands for 0 in every log.
    let isLost = decoder.lost.contains { (1..<Self.headerCharacters).contains($0) }
    hasDoubtfulHeader = isLost || !(1...3).contains(packed[0]) && Self.hasStream(packed)
    self.all = all
  }

  static let headerLength = 9
  /// The header in base64, which ends where a character does.
  static let headerCharacters = 12

  /// Why it is not to be trusted, in a sentence; nil if nothing says so before it is unpacked.
  var doubt: String? {
    hasDoubtfulHeader
      ? "the beginning of the Bluetooth log in the bug report is damaged, so that its times of day are not known" : nil
  }

  /// The time of its last record.
  func lastTime() throws(SourceError) -> Timestamp {
    var time: UInt64 = 0
    guard packed.count >= Self.headerLength else {
      throw SourceError("the Bluetooth log in its text is not all there")
    }
    for octet in packed[1..<Self.headerLength].reversed() { time = time << 8 | UInt64(octet) }
    return Timestamp(microseconds: Int64(bitPattern: time))
  }

  private static let begin = ContiguousArray("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
  static let end = Array("--- END:BTSNOOP_LOG_SUMMARY".utf8)
  /// A phone keeps less than a mebioctet of them.
  private static let longest = 16 << 20

  /// What there is of logs in a text.
  struct Findings {
    /// Those that have anything in them, the last as far as it is there.
    fileprivate(set) var logs: [BugReportLog] = []
    /// What the text is, if it is that of a bug report, and there are none.
    fileprivate(set) var barren: BarrenReport?
    /// Why it could not be read to its end.
    fileprivate(set) var failure: SourceError?
  }

  /// All logs in a text.
  /// - Parameters:
  ///   - buffer: What has been read of the text already.
  ///   - all: All logs of the input.
  ///   - most: How many there may be, at the most.
  static func logs(
    in buffer: inout OctetBuffer, _ source: inout any OctetSource, among all: UnpackedLogs, atMost most: Int
  ) -> Findings {
    var found = Findings()
    if BarrenReport.begins(buffer.octets) { found.barren = .without }
    do throws(SourceError) {
      while try goBehindBegin(&buffer, &source) {
        found.barren = .cutOff
        guard try passOverLine(&buffer, &source) else { break }
        var decoder = Base64Decoder()
        let (isEnded, isFollowed, failure) = decode(&buffer, &source, &decoder)
        try all.notePacked(decoder.octets.count)
        if decoder.octets.count > headerLength, isEnded || mayBegin(decoder.octets) {
          guard found.logs.count < most else { throw .tooManyCaptures }
          found.logs.append(BugReportLog(decoder, isEnded: isEnded, among: all))
        } else if isFollowed || decoder.octets.count > headerLength {
          found.barren = .empty
        }
        if let failure { throw failure }
      }
    } catch {
      found.failure = error
    }
    if !found.logs.isEmpty { found.barren = nil }
    return found
  }

  /// Whether a log may begin with these octets: where the line that ends it does not stand, they may be those of any text.
  private static func mayBegin(_ octets: ContiguousArray<UInt8>) -> Bool {
    (1...2).contains(octets[0]) || hasStream(octets)
  }

  /// Whether a zlib stream begins behind the header. RFC 1950, 2.2.
  private static func hasStream(_ octets: ContiguousArray<UInt8>) -> Bool {
    guard octets.count > headerLength + 1, octets[headerLength] == 0x78 else { return false }
    return (0x7800 + Int(octets[headerLength + 1])) % 31 == 0
  }

  /// Passes over the text up to the line that begins a log, and what tells it.
  /// - Returns: Whether there is one.
  private static func goBehindBegin(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) throws(SourceError) -> Bool {
    while true {
      if let place = placeOfBegin(in: buffer.octets) {
        buffer.consume(place + begin.count)
        return true
      }
      // The end may be the marker's beginning.
      buffer.consume(max(0, buffer.octets.count - (begin.count - 1)))
      guard try buffer.fill(from: &source) else { return false }
    }
  }

  /// Passes over what is left of a line.
  /// - Returns: Whether it has an end.
  private static func passOverLine(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) throws(SourceError) -> Bool {
    while true {
      if let length = lineLength(buffer.octets) {
        buffer.consume(length)
        return true
      }
      buffer.clear()
      guard try buffer.fill(from: &source) else { return false }
    }
  }

  /// How long the first line is, its end and all; nil if it goes on.
  static func lineLength(_ text: Span<UInt8>) -> Int? {
    for index in text.indices where Base64Decoder.endsLine(text[index]) { return index + 1 }
    return nil
  }

  /// Where the marker first stands: looked for from its end, most of the text need not be looked at.
  private static func placeOfBegin(in text: Span<UInt8>) -> Int? {
    let last = begin.count - 1
    var place = 0
    while place + last < text.count {
      var index = last
      while text[place + index] == begin[index] {
        if index == 0 { return place }
        index -= 1
      }
      place += steps[Int(text[place + last])]
    }
    return nil
  }

  /// How far to go on, by the octet that stands where the marker's last would.
  private static let steps: [Int] = {
    var steps = Array(repeating: begin.count, count: 256)
    for index in 0..<begin.count - 1 { steps[Int(begin[index])] = begin.count - 1 - index }
    return steps
  }()

  /// Decodes base64 up to the line that ends a log. What other programs have written between its lines is passed over
  /// if that line stands behind it; if not, the log ends there.
  /// - Returns: Whether the line that ends a log stands there, whether anything stands behind the log, and why it could not
  ///   be decoded so far.
  private static func decode(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource, _ decoder: inout Base64Decoder
  ) -> (isEnded: Bool, isFollowed: Bool, failure: SourceError?) {
    var uninterrupted: Base64Decoder?
    var failure: SourceError?
    do throws(SourceError) {
      while true {
        let count = decoder.decode(buffer.octets)
        let isBehind = count < buffer.octets.count
        buffer.consume(count)
        guard decoder.octets.count <= longest else {
          // Behind a line that is none, anything may have been decoded.
          if uninterrupted != nil { break }
          throw SourceError("a Bluetooth log in its text has no end")
        }
        if isBehind {
          if try isAtEnd(&buffer, &source) { return (true, true, nil) }
          if let length = try lengthOfLostCharacter(&buffer, &source, behind: decoder) {
            buffer.consume(length)
            decoder.takeLost()
            continue
          }
          uninterrupted = uninterrupted ?? decoder
          // Another log, or whatever else a bug report holds, begins so.
          if buffer.octets.starts(with: Array("---".utf8)) { break }
          decoder.forgetLine()
          guard try passOverLine(&buffer, &source) else { break }
        } else if try !buffer.fill(from: &source) {
          break
        }
      }
    } catch {
      failure = error
    }
    decoder = uninterrupted ?? decoder
    return (false, uninterrupted != nil, failure)
  }

  private static func isAtEnd(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) throws(SourceError) -> Bool {
    while buffer.octets.count < end.count {
      guard try buffer.fill(from: &source) else { return false }
    }
    return buffer.octets.starts(with: end)
  }
}

extension BugReportLog {
  /// The log, unpacked, behind the header that makes it a capture.
  ///
  /// Only the last record's time is told: all are unpacked once to learn how long before that the first one was. Where that
  /// cannot be learned, since any octet may be wrong, times tell only what passed from one record to the next.
  func unpacked() throws(SourceError) -> any OctetSource {
    guard (1...3).contains(packed[0]) || Self.hasStream(packed) else {
      throw SourceError(
        "the beginning of the Bluetooth log in the bug report is missing or damaged, so that the rest cannot be unpacked"
      )
    }
    guard !hasDoubtfulHeader else { return try unpacked(startsAt: Self.noTimeOfDay, isDamaged: true) }
    let last = try lastTime()
    var fromZero = try unpacked(startsAt: Timestamp(microseconds: 0), isDamaged: isDamaged)
    let course = RecordTimes.read(&fromZero)
    guard !course.isDamaged else { return try unpacked(startsAt: Self.noTimeOfDay, isDamaged: true) }
    let start = last.advanced(byMicroseconds: -course.last.microseconds)
    return try unpacked(startsAt: start, isDamaged: false)
  }

  /// So many octets have come out of it, reading it from its beginning.
  fileprivate func note(unpacked count: Int) throws(SourceError) {
    guard count > longestUnpacked else { return }
    try all.noteUnpacked(count - longestUnpacked)
    longestUnpacked = count
  }

  /// More than a thousand years before the year 0: what counts from there has no date in any report.
  private static let noTimeOfDay = Timestamp(microseconds: -100_000_000_000_000_000)

  private func unpacked(startsAt start: Timestamp, isDamaged: Bool) throws(SourceError) -> any OctetSource {
    // No phone writes another version now.
    let version = hasDoubtfulHeader && !(1...2).contains(packed[0]) ? 2 : packed[0]
    let header = BTSnoozHeader.octets(version: version, start: start)
    return RejoinedSource(header.span, then: try UnpackedRecords(of: self, isDamaged: isDamaged, all.limits))
  }
}

/// The records of a bug report's log.
private final class UnpackedRecords: OctetSource {
  private let log: BugReportLog
  private let records: InflatedSource
  private let isDamaged: Bool
  private let budget: UnpackingBudget
  private var count = 0

  /// - Parameter isDamaged: Whether what is wrong with the log, if something is, is not that its end is missing.
  init(of log: BugReportLog, isDamaged: Bool, _ limits: UnpackingLimits) throws(SourceError) {
    self.log = log
    records = try InflatedSource(StoredSource(log.packed, from: BugReportLog.headerLength), .zlib)
    self.isDamaged = isDamaged
    budget = UnpackingBudget(limits)
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    do throws(SourceError) {
      let more = try unsafe records.read(into: space)
      count += more
      try budget.noteUnpacked(more)
      try log.note(unpacked: count)
      return more
    } catch {
      throw error.isLimit || error.isDoubt ? error : error == .cutOff && !isDamaged ? .cutOffLog : .damagedLog
    }
  }
}

extension SourceError {
  fileprivate static let cutOffLog = SourceError(
    "the Bluetooth log in the bug report ends too early, so that its times are too late: its packed octets are not all "
      + "there")

  fileprivate static let damagedLog = SourceError(
    "the packed octets of the Bluetooth log in the bug report are damaged, so that its times of day are not known",
    .damage)
}

/// What the times of a capture's records go by.
private struct RecordTimes: RecordReceiver {
  /// The time of the last.
  private(set) var last = Timestamp(microseconds: 0)
  /// Whether times before that one may be any: what was unpacked is not what was packed, and that can be seen.
  private(set) var isDamaged = false

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) { last = record.captured(orAt: last).time }

  /// Reads a capture as far as it goes.
  static func read(_ source: inout any OctetSource) -> RecordTimes {
    var times = RecordTimes()
    var reader = CaptureReader()
    var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
    var failure: SourceError?
    while true {
      var more = false
      // What is wrong is told when it is read for good.
      do throws(SourceError) { more = try buffer.fill(from: &source) } catch { failure = error }
      guard let count = try? reader.read(buffer.octets, isLast: !more, into: &times) else { return times }
      buffer.consume(count)
      guard more else { break }
    }
    // Where the last octets are missing and nothing else, those before them are right.
    times.isDamaged = failure.map { $0.isDamage || !$0.isLimit && reader.progress.damageCount > 0 } ?? false
    return times
  }
}
