import Octets

/// Where a capture begins whose first octets are not those of its format: a shell or a server has said something before
/// it, or its beginning was cut away.
struct DisplacedStart {
  let format: any CaptureFormat
  /// How many octets stand before it.
  let place: Int
  /// What is wrong, in a clause; nil where it is found as any other damage is.
  let problem: String?

  /// Of more headers, none is looked at: each takes a while.
  private static let mostHeaders = 8

  /// Looks for a file header behind other octets.
  /// - Parameter isAll: Whether `start` is the whole input.
  /// - Returns: nil if there is none with records behind it.
  static func header(in start: Span<UInt8>, isAll: Bool) -> DisplacedStart? {
    var formats: [[any CaptureFormat.Type]] = Array(repeating: [], count: 0x100)
    for format in CaptureFormats.all {
      for octet in format.firstOctets { formats[Int(octet)].append(format) }
    }
    var (place, headers) = (1, 0)
    while place < min(start.count, CaptureReader.longestPreface), headers < mostHeaders {
      for format in formats[Int(start[place])] {
        let rest = start.extracting(place...)
        let found = Result { () throws(ParsingError) in try format.recognise(rest, isAll: isAll) }
        // One that is damaged has taken as long.
        if case .success(nil) = found { continue }
        headers += 1
        guard let format = try? found.get() else { continue }
        let records = FirstRecords(in: rest, to: format, isAll: isAll)
        if records.count == FirstRecords.enough, records.skippedOctets == 0 {
          return DisplacedStart(
            format: format, place: place, problem: "what stands before the header is not of the file")
        }
      }
      place += 1
    }
    return nil
  }

  /// Looks for records of PacketLogger, which has no header, behind what is none.
  /// - Returns: nil if there are none.
  static func packetLogger(in start: Span<UInt8>, isAll: Bool) -> DisplacedStart? {
    PacketLogger.amid(start, within: CaptureReader.longestPreface, isAll: isAll)
      .map { DisplacedStart(format: $0, place: 0, problem: nil) }
  }

  /// Looks for records of a phone's btsnoop whose file header is missing: of all formats, that is the one of long logs, of
  /// which people copy the end.
  /// - Returns: nil if there are none.
  static func records(in start: Span<UInt8>, isAll: Bool, isLive: Bool) -> DisplacedStart? {
    var place = 0
    for _ in 0..<mostHeaders {
      let records = FirstRecords(
        in: start.extracting(place...), to: BTSnoop.withoutHeader, isAll: isAll, isLive: isLive)
      guard records.count == FirstRecords.enough else { return nil }
      place += records.skippedOctets
      if records.areOfOneLog {
        return DisplacedStart(
          format: BTSnoop.withoutHeader, place: place,
          problem: "the file's header is missing, and taken to be that of a phone's btsnoop (H4)")
      }
      // What is left of the record that was cut through looks like one by chance.
      place += 1
    }
    return nil
  }
}

/// The first records of octets, to a format.
private struct FirstRecords: RecordReceiver {
  /// How many there are, up to those that are enough.
  private(set) var count = 0
  /// Whether they hold packets, within a day: what chance makes look like a record has any time.
  private(set) var areOfOneLog = true
  private var time: Timestamp?
  /// How many octets stand before them.
  private(set) var skippedOctets = 0

  /// One could be chance.
  static let enough = 2

  init(in octets: Span<UInt8>, to format: any CaptureFormat, isAll: Bool, isLive: Bool = false) {
    var reader = CaptureReader(isLive: isLive)
    reader.format = format
    _ = try? reader.read(octets, isLast: isAll, into: &self)
    if let damage = reader.progress.damages.first, damage.record == 1 { skippedOctets = damage.skippedOctets }
  }

  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    guard count < Self.enough else { return }
    count += 1
    let seconds = record.time.seconds(since: time ?? record.time)
    areOfOneLog = areOfOneLog && record.content.isPacket && abs(seconds) <= 86_400
    time = record.time
  }
}
