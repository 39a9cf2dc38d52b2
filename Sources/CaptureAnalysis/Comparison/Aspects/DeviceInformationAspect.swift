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
    let all = sides.map { side in
      side.connections.reduce(into: [BluetoothUUID: String]()) {
        $0.merge($1.asked.information) { $0 == $1 || $0.hasSuffix(" / \($1)") ? $0 : "\($0) / \($1)" }
      }
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
