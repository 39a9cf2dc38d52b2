/// Why an attribute whose discovery is not in the capture is taken for a heart rate measurement, and how sure that is.
public struct Inference: Hashable, Sendable {
  /// The attribute.
  public let handle: UInt16
  /// Whose it is.
  public let server: ServerSide
  /// The handle of its configuration, as far as that was written.
  public internal(set) var configurationHandle: UInt16?
  /// The handle of what looks like the sensor's location.
  public internal(set) var locationHandle: UInt16?
  /// How sure it is that these are heart rates: 0 to 1.
  public internal(set) var confidence: Double
  /// What speaks for it, and against it, in sentences.
  public internal(set) var evidence: [String]
  /// Whether it is sure enough that values of the attribute are told as heart rates.
  public internal(set) var isTaken = false
  /// How often the server had changed its table on the connection when this held last; nil if it holds to the end.
  var lastPeriod: Int?

  /// Whether another one is of the same attribute.
  func isOfAttribute(of other: Inference) -> Bool { handle == other.handle && server == other.server }
}
