public import Octets

/// The values this library can put into words, by their UUIDs.
///
/// Adding one is a file in `Values` and a line here, in the order of the UUIDs.
public enum AttributeValues {
  private typealias Kind = AttributeValueKind

  /// All of them, in the order of their UUIDs.
  public static let all: [AttributeValueKind] = [
    Kind(.characteristic, CharacteristicDeclaration.self),
    Kind(.characteristicExtendedProperties, CharacteristicExtendedProperties.self),
    Kind(.characteristicUserDescription, CharacteristicUserDescription.self),
    Kind(.clientCharacteristicConfiguration, ClientCharacteristicConfiguration.self),
    Kind(.serverCharacteristicConfiguration, ServerCharacteristicConfiguration.self),
    Kind(.characteristicPresentationFormat, CharacteristicPresentationFormat.self),
    Kind(.characteristicAggregateFormat, CharacteristicAggregateFormat.self),
    Kind(.deviceName, DeviceName.self),
    Kind(.appearance, Appearance.self),
    Kind(.peripheralPreferredConnectionParameters, PeripheralPreferredConnectionParameters.self),
    Kind(.serviceChanged, ServiceChanged.self),
    Kind(.batteryLevel, BatteryLevel.self),
    Kind(.systemID, SystemID.self),
    Kind(.modelNumberString, DeviceInformationString.self),
    Kind(.serialNumberString, DeviceInformationString.self),
    Kind(.firmwareRevisionString, DeviceInformationString.self),
    Kind(.hardwareRevisionString, DeviceInformationString.self),
    Kind(.softwareRevisionString, DeviceInformationString.self),
    Kind(.manufacturerNameString, DeviceInformationString.self),
    Kind(.heartRateMeasurement, HeartRateMeasurement.self),
    Kind(.bodySensorLocation, BodySensorLocation.self),
    Kind(.heartRateControlPoint, HeartRateControlPoint.self),
    Kind(.pnpID, PnPID.self),
    Kind(.centralAddressResolution, CentralAddressResolution.self),
    Kind(.resolvablePrivateAddressOnly, ResolvablePrivateAddressOnly.self),
    Kind(.clientSupportedFeatures, ClientSupportedFeatures.self),
    Kind(.databaseHash, DatabaseHash.self),
    Kind(.serverSupportedFeatures, ServerSupportedFeatures.self),
  ]

  /// The kind of a UUID; nil if this library has no decoder for it.
  public static func kind(of uuid: BluetoothUUID) -> AttributeValueKind? {
    all.first { $0.uuid == uuid }
  }
}

/// A kind of value: its UUID, its name, and how its octets are put into words.
public struct AttributeValueKind: Sendable {
  /// The UUID under which the value is found.
  public let uuid: BluetoothUUID
  /// Its name in the Assigned Numbers.
  public var name: String { AssignedNumbers.attributeName(uuid) ?? "\(type.name)" }
  /// The type that holds it.
  public let type: any AttributeValue.Type

  init<Value: AttributeValue>(_ uuid: BluetoothUUID, _ type: Value.Type) {
    self.uuid = uuid
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
