public import Octets

/// The values this library can put into words, by their UUIDs.
///
/// Adding one is a file in `Values` and a line here, in the order of the UUIDs.
public enum CharacteristicValues {
  /// All of them, in the order of their UUIDs.
  public static let all: [CharacteristicValueKind] = [
    CharacteristicValueKind(.characteristic, "Characteristic", CharacteristicDeclaration.self),
    CharacteristicValueKind(
      .characteristicExtendedProperties, "Characteristic Extended Properties", CharacteristicExtendedProperties.self),
    CharacteristicValueKind(
      .characteristicUserDescription, "Characteristic User Description", CharacteristicUserDescription.self),
    CharacteristicValueKind(
      .clientCharacteristicConfiguration, "Client Characteristic Configuration", ClientCharacteristicConfiguration.self),
    CharacteristicValueKind(
      .serverCharacteristicConfiguration, "Server Characteristic Configuration", ServerCharacteristicConfiguration.self),
    CharacteristicValueKind(
      .characteristicPresentationFormat, "Characteristic Presentation Format", CharacteristicPresentationFormat.self),
    CharacteristicValueKind(
      .characteristicAggregateFormat, "Characteristic Aggregate Format", CharacteristicAggregateFormat.self),
    CharacteristicValueKind(.deviceName, "Device Name", DeviceName.self),
    CharacteristicValueKind(.appearance, "Appearance", Appearance.self),
    CharacteristicValueKind(
      .peripheralPreferredConnectionParameters, "Peripheral Preferred Connection Parameters",
      PeripheralPreferredConnectionParameters.self),
    CharacteristicValueKind(.serviceChanged, "Service Changed", ServiceChanged.self),
    CharacteristicValueKind(.batteryLevel, "Battery Level", BatteryLevel.self),
    CharacteristicValueKind(.systemID, "System ID", SystemID.self),
    CharacteristicValueKind(.modelNumberString, "Model Number String", DeviceInformationString.self),
    CharacteristicValueKind(.serialNumberString, "Serial Number String", DeviceInformationString.self),
    CharacteristicValueKind(.firmwareRevisionString, "Firmware Revision String", DeviceInformationString.self),
    CharacteristicValueKind(.hardwareRevisionString, "Hardware Revision String", DeviceInformationString.self),
    CharacteristicValueKind(.softwareRevisionString, "Software Revision String", DeviceInformationString.self),
    CharacteristicValueKind(.manufacturerNameString, "Manufacturer Name String", DeviceInformationString.self),
    CharacteristicValueKind(.heartRateMeasurement, "Heart Rate Measurement", HeartRateMeasurement.self),
    CharacteristicValueKind(.bodySensorLocation, "Body Sensor Location", BodySensorLocation.self),
    CharacteristicValueKind(.heartRateControlPoint, "Heart Rate Control Point", HeartRateControlPoint.self),
    CharacteristicValueKind(.pnpID, "PnP ID", PnPID.self),
    CharacteristicValueKind(.centralAddressResolution, "Central Address Resolution", CentralAddressResolution.self),
    CharacteristicValueKind(
      .resolvablePrivateAddressOnly, "Resolvable Private Address Only", ResolvablePrivateAddressOnly.self),
    CharacteristicValueKind(.clientSupportedFeatures, "Client Supported Features", ClientSupportedFeatures.self),
    CharacteristicValueKind(.databaseHash, "Database Hash", DatabaseHash.self),
    CharacteristicValueKind(.serverSupportedFeatures, "Server Supported Features", ServerSupportedFeatures.self),
  ]

  /// The kind of a UUID; nil if this library has no decoder for it.
  public static func kind(of uuid: BluetoothUUID) -> CharacteristicValueKind? {
    all.first { $0.uuid == uuid }
  }
}

/// A kind of value: its UUID, its name, and how its octets are put into words.
public struct CharacteristicValueKind: Sendable {
  /// The UUID under which the value is found.
  public let uuid: BluetoothUUID
  /// Its name in the Assigned Numbers.
  public let name: String
  /// The type that holds it.
  public let type: any AttributeValue.Type

  init<Value: AttributeValue>(_ uuid: BluetoothUUID, _ name: String, _ type: Value.Type) {
    self.uuid = uuid
    self.name = name
    self.type = type
  }

  // No stored closure: a function type with a typed error exists from iOS 18 and macOS 15 on.
  /// Puts a whole value into words, a field each.
  /// - Throws: `ParsingError` if the octets contradict the value's definition.
  public func fields(of octets: Span<UInt8>) throws(ParsingError) -> [ValueField] { try type.init(octets).fields }

  /// Puts a whole value into words, a field each.
  /// - Throws: `ParsingError` if the octets contradict the value's definition.
  public func fields(of octets: some Collection<UInt8>) throws(ParsingError) -> [ValueField] {
    try octets.withOctets { (octets) throws(ParsingError) in try fields(of: octets) }
  }
}
