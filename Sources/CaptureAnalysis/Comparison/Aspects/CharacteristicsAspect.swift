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
    let untold = Set(
      sides.flatMap(\.toldTables).joined().flatMap(\.characteristics).filter(\.lacksDescriptors).map(\.uuid))
    var order: [String] = []
    var homes: [String: Set<BluetoothUUID?>] = [:]
    let values = sides.map { side -> [String: String]? in
      guard side.services?.contains(where: { !$0.characteristics.isEmpty }) ?? false else { return nil }
      var parts: [String: String] = [:]
      for service in side.toldTables.joined() {
        for characteristic in service.characteristics {
          let part = Self.words(characteristic.uuid)
          if !order.contains(part) { order.append(part) }
          homes[part, default: []].insert(service.uuid)
          let isTold = tellDescriptors && !untold.contains(characteristic.uuid)
          let descriptors = isTold ? characteristic.descriptors.map { Self.words($0) } : []
          let words = descriptors.isEmpty ? "" : "with \(descriptors.joined(separator: ", "))"
          parts[part] = parts[part].map { $0.isEmpty ? words : $0 } ?? words
        }
      }
      return parts
    }
    return AspectComparison(parts: values, order: order) { side, part in
      homes[part, default: []].allSatisfy { sides[side].tellsCharacteristics(of: $0) }
    }
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

extension GATTCharacteristic {
  /// Whether it can notify or indicate, and no descriptor of it is known, of which it must have one: nobody has looked for
  /// them. Core 6.0, Vol 3, Part G, 3.3.3.3.
  fileprivate var lacksDescriptors: Bool { properties?.canNotifyOrIndicate == true && descriptors.isEmpty }
}

extension AspectComparison {
  /// What the characteristics are like that all sides have.
  /// - Parameter words: What one of them is like; nil where it is not known.
  init(ofCommonCharacteristics sides: [SensorBehaviour], _ words: (GATTCharacteristic) -> String?) {
    var order: [String] = []
    func parts(of table: [GATTService]) -> [String: String] {
      table.flatMap(\.characteristics).reduce(into: [:]) { parts, characteristic in
        guard characteristic.uuid != nil, let words = words(characteristic) else { return }
        let part = CharacteristicsAspect.words(characteristic.uuid)
        if !order.contains(part) { order.append(part) }
        // A server may have several of a type.
        parts[part] = parts[part].map { "\($0) and \(words)" } ?? words
      }
    }
    let known = sides.map { side -> [String: String]? in
      guard side.services?.contains(where: { !$0.characteristics.isEmpty }) ?? false else { return nil }
      let all = side.toldTables.reduce(into: [String: [String]]()) { all, table in
        for (part, words) in parts(of: table) where all[part]?.contains(words) != true {
          all[part, default: []].append(words)
        }
      }
      return all.mapValues { $0.joined(separator: " / ") }
    }
    let common = order.filter { part in known.allSatisfy { $0?.keys.contains(part) ?? true } }
    self.init(parts: known.map { side in side?.filter { common.contains($0.key) } }, order: common)
  }
}
