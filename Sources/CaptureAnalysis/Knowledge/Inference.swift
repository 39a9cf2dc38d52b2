/// Why an attribute whose discovery is not in the capture is taken for a heart rate measurement, and how sure that is.
public struct Inference: Hashable, Sendable {
  /// The attribute.
  public let handle: UInt16
  /// Whose it is.
  public let server: ServerSide
  /// The handle of its configuration, as far as that was written.
  public internal(set) var configurationHandle: UInt16?
  /// Whether that is not known, and may be among the attributes that were written as configurations are.
  public internal(set) var mayBeConfigured = false
  /// The handle of what looks like the sensor's location.
  public internal(set) var locationHandle: UInt16?
  /// How sure it is that these are heart rates: 0 to 1.
  public internal(set) var confidence: Double
  /// What speaks for it, and against it, in sentences.
  public internal(set) var evidence: [String]
  /// The logarithm of the odds that the confidence was made of.
  var logOdds: Double
  /// How many values it rests on.
  let values: Int
  /// What their RR-Intervals show.
  let intervalProof: IntervalProof
  /// Whether their RR-Intervals fit their rates, as nothing else's do.
  var intervalsFit: Bool { intervalProof == .fitted }
  /// Whether the table that was known before the connection has nothing there that notifies: if this is sure, that table is
  /// of another time.
  var deniesTable = false
  /// Whether it is sure enough, but what was discovered says otherwise.
  public internal(set) var isDenied = false
  /// Whether it is sure enough that values of the attribute are told as heart rates.
  public internal(set) var isTaken = false
  /// How often the server had changed its table on the connection when this held last; nil if it holds to the end.
  var lastPeriod: Int?

  /// Whether it shows that a table which has nothing there is of another time: one value or two may be damaged alike.
  func outweighsTable(_ minConfidence: Double) -> Bool { confidence >= minConfidence && values >= 3 }

  /// Whether another one is of the same attribute.
  func isOfAttribute(of other: Inference) -> Bool { handle == other.handle && server == other.server }
}
