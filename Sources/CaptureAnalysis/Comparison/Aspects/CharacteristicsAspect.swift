import GATTKit

/// Which characteristics its services have, and which descriptors those have that were discovered.
enum CharacteristicsAspect: ComparisonAspect {
  static let name = "characteristics"
  static let title = "characteristics"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    // A host that asked for no descriptors says nothing of them.
    let tellDescriptors = sides.allSatisfy { side in
      side.services?.contains { $0.characteristics.contains { !$0.descriptors.isEmpty } } ?? true
    }
    var order: [String] = []
    let values = sides.map { side -> [String: String]? in
      guard let services = side.services, services.contains(where: { !$0.characteristics.isEmpty }) else { return nil }
      var parts: [String: String] = [:]
      for service in services {
        for characteristic in service.characteristics {
          let part = Self.words(characteristic.uuid)
          if !order.contains(part) { order.append(part) }
          let descriptors = tellDescriptors ? characteristic.descriptors.map { Self.words($0) } : []
          let words = descriptors.isEmpty ? "" : "with \(descriptors.joined(separator: ", "))"
          parts[part] = parts[part].map { $0.isEmpty ? words : $0 } ?? words
        }
      }
      return parts
    }
    return AspectComparison(parts: values, order: order)
  }

  /// What a characteristic is called.
  static func words(_ uuid: BluetoothUUID?) -> String {
    guard let uuid else { return "one of unknown type" }
    return AssignedNumbers.characteristicName(uuid) ?? uuid.description
  }

  private static func words(_ descriptor: GATTDescriptor) -> String {
    descriptor.uuid == .clientCharacteristicConfiguration ? "CCCD" : descriptor.uuid.description
  }
}

extension AspectComparison {
  /// What the characteristics are like that all sides have.
  /// - Parameter words: What one of them is like; nil where it is not known.
  init(ofCommonCharacteristics sides: [SensorBehaviour], _ words: (GATTCharacteristic) -> String?) {
    var order: [String] = []
    let known = sides.map { side in
      side.services.map { services in
        services.flatMap(\.characteristics).reduce(into: [String: String]()) { parts, characteristic in
          guard characteristic.uuid != nil, let words = words(characteristic) else { return }
          let part = CharacteristicsAspect.words(characteristic.uuid)
          if !order.contains(part) { order.append(part) }
          // A server may have several of a type.
          parts[part] = parts[part].map { "\($0) and \(words)" } ?? words
        }
      }
    }
    let common = order.filter { part in known.allSatisfy { $0?.keys.contains(part) ?? true } }
    self.init(parts: known.map { side in side?.filter { common.contains($0.key) } }, order: common)
  }
}
