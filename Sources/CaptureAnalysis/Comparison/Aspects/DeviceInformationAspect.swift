import GATTKit

/// What the Device Information service says, serial numbers apart.
enum DeviceInformationAspect: ComparisonAspect {
  static let name = "device-information"
  static let title = "device information"

  private static let words: [BluetoothUUID: String] = [
    .manufacturerNameString: "manufacturer", .modelNumberString: "model", .hardwareRevisionString: "hardware",
    .firmwareRevisionString: "firmware", .softwareRevisionString: "software", .pnpID: "PnP ID",
  ]

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    // Of a sensor that has told several things, their order is no trait of it.
    let all = sides.map { side in
      side.connections.reduce(into: [BluetoothUUID: Set<String>]()) { texts, connection in
        for (uuid, text) in connection.asked.information { texts[uuid, default: []].insert(text) }
      }.mapValues { $0.sorted().joined(separator: " / ") }
    }
    let order = ConnectionBehaviour.informationTypes
    // What one host read and another did not says nothing of the sensors.
    let common = order.filter { uuid in
      zip(sides, all).allSatisfy { side, information in
        information[uuid] != nil || information.isEmpty || side.lacks(uuid, of: .deviceInformationService)
      }
    }
    let values = zip(sides, all).map { side, information -> [String: String]? in
      guard !information.isEmpty || side.tellsAllServices && !side.hasService(.deviceInformationService) else {
        return nil
      }
      return common.reduce(into: [:]) { parts, uuid in
        if let words = words[uuid], let text = information[uuid] { parts[words] = text }
      }
    }
    return AspectComparison(parts: values, order: common.compactMap { words[$0] })
  }
}
