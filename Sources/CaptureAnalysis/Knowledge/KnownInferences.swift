import BluetoothHost

/// Which attributes of peers were taken for heart rate measurements in captures that do not tell it, and how surely: in
/// another capture the same attribute is the same, though its values there may not suffice to show it.
struct KnownInferences: Sendable {
  private var confidences: [Attribute: Double] = [:]

  private struct Attribute: Hashable {
    let peer: DeviceAddress
    let handle: UInt16
  }

  /// No sensor has many, and no phone many sensors.
  private static let most = 10_000

  /// None.
  init() {}

  /// Those that are sure.
  init(_ inferences: [ConnectionInference]) {
    let sure = CaptureKnowledge.usualMinConfidence
    for found in inferences where found.inference.confidence >= sure {
      guard found.inference.server == .peer, let peer = found.peer?.address,
        !found.inference.deniesTable || found.inference.outweighsTable(sure)
      else { continue }
      insert(Attribute(peer: peer, handle: found.inference.handle), found.inference.confidence)
    }
  }

  /// Adds others: of what several tell, the surest.
  mutating func add(_ other: KnownInferences) {
    for (attribute, confidence) in other.confidences { insert(attribute, confidence) }
  }

  private mutating func insert(_ attribute: Attribute, _ confidence: Double) {
    guard let known = confidences[attribute] else {
      if confidences.count < Self.most { confidences[attribute] = confidence }
      return
    }
    confidences[attribute] = max(known, confidence)
  }

  /// How sure it is elsewhere that an attribute is one; nil if nothing is known of it.
  /// - Parameter address: Under which its device may be known.
  func confidence(of found: ConnectionInference, under address: DeviceAddress?) -> Double? {
    guard found.inference.server == .peer, let address else { return nil }
    return confidences[Attribute(peer: address, handle: found.inference.handle)]
  }
}
