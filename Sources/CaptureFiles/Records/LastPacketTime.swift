/// Takes records, and keeps the time of the last packet among them.
package struct LastPacketTime: RecordReceiver {
  /// The time; nil before one has come that tells its own.
  package private(set) var time: Timestamp?

  /// Before the first record.
  package init() {}

  /// Takes a record.
  package mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>) {
    if record.content.isPacket, record.time != .unknown { time = record.time }
  }
}
