/// Finds out when the first packet of a capture was captured.
package struct FirstPacketTime: RecordReceiver {
  /// The time; nil before one has come that tells its own.
  package private(set) var time: Timestamp?

  /// Before the first record.
  package init() {}

  /// Takes a record.
  package mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    if time == nil, record.content.isPacket, record.time != .unknown { time = record.time }
  }
}
