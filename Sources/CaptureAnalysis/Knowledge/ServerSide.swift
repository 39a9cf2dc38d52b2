/// Whose GATT server something is about, seen from the host whose capture it is.
public enum ServerSide: CaseIterable, Sendable, BitwiseCopyable {
  /// The peer's, as in a phone's capture of a sensor.
  case peer
  /// The local host's, as in a capture taken on the sensor.
  case local
}
