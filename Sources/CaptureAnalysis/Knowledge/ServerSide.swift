import CaptureFiles

/// Whose GATT server something is about, seen from the host whose capture it is.
public enum ServerSide: CaseIterable, Sendable, BitwiseCopyable {
  /// The peer's, as in a phone's capture of a sensor.
  case peer
  /// The local host's, as in a capture taken on the sensor.
  case local
}

extension Direction {
  /// Whose server sends a notification or a response that goes this way.
  var server: ServerSide { self == .received ? .peer : .local }

  /// Whose server a request that goes this way is for.
  var askedServer: ServerSide { self == .sent ? .peer : .local }
}
