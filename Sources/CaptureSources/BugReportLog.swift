import CaptureFiles
import Octets

/// The Bluetooth log that Android prints into the text of a bug report, packed as it stands there.
///
///     --- BEGIN:BTSNOOP_LOG_SUMMARY (N bytes in) ---
///     base64 of                version 1 or 2, 1 octet
///                              time of the last record, u64, little-endian, µs since 1970
///                              a zlib stream of records (see `BTSnooz`)
///     --- END:BTSNOOP_LOG_SUMMARY ---
struct BugReportLog {
  /// The decoded octets, as far as they can be read.
  let packed: ContiguousArray<UInt8>

  private init(_ packed: ContiguousArray<UInt8>) { self.packed = packed }

  static let headerLength = 9

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
  /// A phone keeps less than a mebioctet of them.
  private static let longest = 16 << 20
  /// More are not kept of one input, all logs together.
  private static let most = 32 << 20

  /// All logs in a text that have anything in them.
  /// - Parameter buffer: What has been read of the text already.
  /// - Returns: The logs, the last as far as it is there, and why the text could not be read to its end.
  static func logs(
    in buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) -> (logs: [BugReportLog], failure: SourceError?) {
    var logs: [BugReportLog] = []
    do throws(SourceError) {
      var sum = 0
      while try goBehindBegin(&buffer, &source) {
        var decoder = Base64Decoder()
        let failure = decode(&buffer, &source, &decoder)
        let log = BugReportLog(decoder.octets)
        sum += log.packed.count
        guard sum <= most else { throw SourceError("its text holds more than \(most >> 20) MiB of Bluetooth logs") }
        if log.packed.count > headerLength { logs.append(log) }
        if let failure { throw failure }
      }
      return (logs, nil)
    } catch {
      return (logs, error)
    }
  }

  /// Passes over the text up to the line that begins a log, and that line.
  /// - Returns: Whether there is one.
  private static func goBehindBegin(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource
  ) throws(SourceError) -> Bool {
    while true {
      if let place = placeOfBegin(in: buffer.octets) {
        buffer.consume(place + begin.count)
        break
      }
      // The end may be the marker's beginning.
      buffer.consume(max(0, buffer.octets.count - (begin.count - 1)))
      guard try buffer.fill(from: &source) else { return false }
    }
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
  private static func lineLength(_ text: Span<UInt8>) -> Int? {
    for index in text.indices where text[index] == UInt8(ascii: "\n") { return index + 1 }
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

  /// Decodes base64 up to its end, which is whatever is neither base64 nor space.
  /// - Returns: Why it could not be decoded to its end.
  private static func decode(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource, _ decoder: inout Base64Decoder
  ) -> SourceError? {
    do throws(SourceError) {
      while true {
        let count = decoder.decode(buffer.octets)
        let isEnd = count < buffer.octets.count
        buffer.consume(count)
        guard decoder.octets.count <= longest else { throw SourceError("a Bluetooth log in its text has no end") }
        guard !isEnd, try buffer.fill(from: &source) else { return nil }
      }
    } catch {
      return error
    }
  }
}

/// Base64, as RFC 4648 has it, in lines of any length.
struct Base64Decoder {
  /// What has been decoded.
  private(set) var octets = ContiguousArray<UInt8>()
  private var bits: UInt32 = 0
  private var count = 0

  /// Decodes on.
  /// - Returns: How many characters were taken; fewer than there are if one is neither base64 nor space.
  mutating func decode(_ text: Span<UInt8>) -> Int {
    for index in text.indices {
      let value: UInt8
      switch text[index] {
      case let octet where (0x41...0x5A).contains(octet): value = octet - 0x41
      case let octet where (0x61...0x7A).contains(octet): value = octet - 0x61 + 26
      case let octet where (0x30...0x39).contains(octet): value = octet - 0x30 + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="), 0x09...0x0D, 0x20: continue
      default: return index
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return text.count
  }
}

extension BugReportLog {
  /// The log, unpacked, behind the header that makes it a capture.
  ///
  /// Only the last record's time is told: all are unpacked once to learn how long before that the first one was.
  func unpacked(_ limits: UnpackingLimits) throws(SourceError) -> any OctetSource {
    let last = try lastTime()
    var fromZero = try unpacked(startsAt: Timestamp(microseconds: 0), limits)
    let duration = LastTime.read(&fromZero).microseconds
    return try unpacked(startsAt: last.advanced(byMicroseconds: -duration), limits)
  }

  private func unpacked(startsAt start: Timestamp, _ limits: UnpackingLimits) throws(SourceError) -> any OctetSource {
    let header = BTSnoozHeader.octets(version: packed.first ?? 0, start: start)
    return RejoinedSource(header.span, then: try UnpackedRecords(of: self, limits))
  }
}

/// The records of a bug report's log.
private final class UnpackedRecords: OctetSource {
  private let records: InflatedSource
  private let budget: UnpackingBudget

  init(of log: BugReportLog, _ limits: UnpackingLimits) throws(SourceError) {
    records = try InflatedSource(StoredSource(log.packed, from: BugReportLog.headerLength), .zlib)
    budget = UnpackingBudget(limits)
  }

  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    do throws(SourceError) {
      let count = try unsafe records.read(into: space)
      try budget.noteUnpacked(count)
      return count
    } catch {
      if error.isLimit { throw error }
      throw SourceError(
        "the Bluetooth log in the bug report ends too early, so that its times are too late: its packed octets are "
          + (error == .cutOff ? "not all there" : "damaged"))
    }
  }
}

/// The time of a capture's last record.
private struct LastTime: RecordReceiver {
  private var time = Timestamp(microseconds: 0)

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) { time = record.captured(orAt: time).time }

  /// Reads a capture as far as it goes.
  static func read(_ source: inout any OctetSource) -> Timestamp {
    var last = LastTime()
    var reader = CaptureReader()
    var buffer = OctetBuffer(longest: CaptureReader.longestRecord)
    while true {
      // What is wrong is told when it is read for good.
      let more = (try? buffer.fill(from: &source)) ?? false
      guard let count = try? reader.read(buffer.octets, isLast: !more, into: &last) else { return last.time }
      buffer.consume(count)
      if !more { return last.time }
    }
  }
}
