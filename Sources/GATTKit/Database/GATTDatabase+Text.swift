extension GATTDatabase: CustomStringConvertible {
  /// The tree, an attribute a line, each with its handles, its type and the type's name:
  ///
  ///     0x000E–0x0013 service 180D (Heart Rate)
  ///       0x0010 characteristic 2A37 (Heart Rate Measurement): notify
  ///         0x0011 descriptor 2902 (Client Characteristic Configuration)
  public var description: String { services.map(\.description).joined(separator: "\n") }
}

extension GATTService: CustomStringConvertible {
  /// The service, and a line for each include, characteristic and descriptor in it.
  public var description: String {
    let kind = isPrimary == false ? "secondary service" : "service"
    let lines =
      ["\(words(handles)) \(kind) \(words(uuid))"]
      + includes.map { "  0x\($0.handle.hexadecimal) includes \(words($0.service)) \(words($0.uuid))" }
      + characteristics.map { "  \($0.description.replacing("\n", with: "\n  "))" }
    return lines.joined(separator: "\n")
  }
}

extension GATTCharacteristic: CustomStringConvertible {
  /// The characteristic by the handle of its value, and a line for each descriptor.
  public var description: String {
    let what = "0x\(valueHandle.hexadecimal) characteristic \(words(uuid))\(properties.map { ": \($0)" } ?? "")"
    return ([what] + descriptors.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension GATTDescriptor: CustomStringConvertible {
  /// "0x0011 descriptor 2902 (Client Characteristic Configuration)".
  public var description: String { "0x\(handle.hexadecimal) descriptor \(words(uuid))" }
}

private func words(_ handles: ClosedRange<UInt16>) -> String {
  "0x\(handles.lowerBound.hexadecimal)–0x\(handles.upperBound.hexadecimal)"
}

private func words(_ uuid: BluetoothUUID?) -> String {
  guard let uuid else { return "of unknown type" }
  return AssignedNumbers.attributeName(uuid).map { "\(uuid) (\($0))" } ?? "\(uuid)"
}
