public import Octets

/// Takes the records of a capture in order, as they are found.
public protocol RecordReceiver {
  /// Takes a record.
  /// - Parameter octets: The packet's octets as far as they were kept. They are borrowed: what is to stay is copied.
  mutating func receive(_ record: CaptureRecord, _ octets: Span<UInt8>)

  /// Takes a packet without its record, if nothing about it is odd: the short way for almost all there are.
  /// - Parameter octets: The packet's octets, borrowed.
  /// - Returns: Whether it was taken. Otherwise it is handed on as a record.
  mutating func take(_ packet: UsualPacket, _ octets: OctetWindow) -> Bool
}

extension RecordReceiver {
  /// Takes nothing: all packets are handed on as records.
  @inlinable @inline(__always) public mutating func take(_ packet: UsualPacket, _ octets: OctetWindow) -> Bool { false }
}
