package import CaptureFiles
package import Octets

/// How the octets of an input arrive.
package enum Delivery: Sendable, Hashable {
  /// All at once, and it is known that they are all.
  case whole
  /// In pieces of so many octets; only behind the last piece it is known that it was the last.
  case pieces(Int)
}

/// Shows octets to a reader that says each time how many it need not see again.
package func deliver<Failure: Error>(
  _ octets: [UInt8], _ delivery: Delivery, to read: (Span<UInt8>, _ isLast: Bool) throws(Failure) -> Int
) throws(Failure) {
  guard case .pieces(let size) = delivery else {
    _ = try octets.withOctets { (span) throws(Failure) in try read(span, true) }
    return
  }
  var rest = ContiguousArray<UInt8>()
  for start in stride(from: 0, to: octets.count, by: size) {
    rest += octets[start..<min(start + size, octets.count)]
    rest.removeFirst(try read(rest.span, false))
  }
  _ = try read(rest.span, true)
}

/// A record, kept.
package struct KeptRecord: Hashable, Sendable {
  package var number: Int
  package var followsDamage: Bool
  package var followsOneDrop: Bool
  package var droppedRecords: UInt64
  package var followsHeader: Bool
  package var time: Int64
  package var linkType: LinkType
  package var content: RecordContent
  package var direction: Direction?
  package var adapter: UInt16
  package var octets: [UInt8]
  package var originalLength: Int
  package var offset: Int

  fileprivate init(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    number = record.number
    followsDamage = record.followsDamage
    followsOneDrop = record.followsOneDrop
    droppedRecords = record.droppedRecords
    followsHeader = record.followsHeader
    time = record.time.microseconds
    linkType = record.linkType
    content = record.content
    direction = record.direction
    adapter = record.adapter
    self.octets = Array(ContiguousArray(octets))
    originalLength = record.originalLength
    offset = record.offset
  }
}

/// Keeps records.
package struct RecordList: RecordReceiver {
  /// The records, in order.
  package private(set) var records: [KeptRecord] = []

  /// An empty list.
  package init() {}

  package mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    records.append(KeptRecord(record, octets))
  }
}

/// What a `CaptureReader` makes of an input.
package struct ReadCapture {
  /// The records, in order.
  package var records: [KeptRecord] = []
  /// How it was read.
  package var progress = CaptureProgress()
  package var formatName: String?
  package var clock = CaptureClock.unknown
  package var droppedRecords: UInt64 = 0

  /// Reads a capture.
  /// - Parameter isPausing: Whether there is a pause behind each piece.
  package init(
    _ octets: [UInt8], _ delivery: Delivery = .whole, isLive: Bool = false, isPausing: Bool = false
  ) throws(ParsingError) {
    var reader = CaptureReader(isLive: isLive)
    reader.isPausing = isPausing
    var list = RecordList()
    try deliver(octets, delivery) { (span, isLast) throws(ParsingError) in
      try reader.read(span, isLast: isLast, into: &list)
    }
    records = list.records
    progress = reader.progress
    formatName = reader.formatName
    clock = reader.clock
    droppedRecords = reader.droppedRecords
  }

  /// The octets of the records' packets.
  package var packets: [[UInt8]] { records.map(\.octets) }
}
