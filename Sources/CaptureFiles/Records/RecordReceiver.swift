/// Takes the records of a capture in order, as they are found.
public protocol RecordReceiver {
  /// Takes a record.
  /// - Parameter octets: The packet's octets as far as they were kept. They are borrowed: what is to stay is copied.
  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>)
}
