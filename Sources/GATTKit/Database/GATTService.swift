/// A service in a GATT database: a range of handles, and what is in it.
///
/// Core 6.0, Vol 3, Part G, 3.1.
public struct GATTService: Hashable, Codable, Sendable {
  /// The handle of its declaration, and the last one that belongs to it.
  public var handles: ClosedRange<UInt16>
  /// Its type; nil where it is not known.
  public var uuid: BluetoothUUID?
  /// Whether it is a primary service rather than one that others include; nil where it is not known.
  public var isPrimary: Bool?
  /// The services that it includes.
  public var includes: [GATTInclude]
  /// Its characteristics, in the order of their handles.
  public var characteristics: [GATTCharacteristic]

  /// A service from its parts.
  public init(
    handles: ClosedRange<UInt16>, uuid: BluetoothUUID?, isPrimary: Bool? = nil, includes: [GATTInclude] = [],
    characteristics: [GATTCharacteristic] = []
  ) {
    self.handles = handles
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.includes = includes
    self.characteristics = characteristics
  }
}

/// That one service includes another.
///
/// Core 6.0, Vol 3, Part G, 3.2.
public struct GATTInclude: Hashable, Codable, Sendable {
  /// The handle of the declaration.
  public var handle: UInt16
  /// The included service's handles.
  public var service: ClosedRange<UInt16>
  /// The included service's type; nil where the declaration leaves it out, as it does for a 128-bit one, and nothing else
  /// tells it.
  public var uuid: BluetoothUUID?

  /// An include from its parts.
  public init(handle: UInt16, service: ClosedRange<UInt16>, uuid: BluetoothUUID?) {
    self.handle = handle
    self.service = service
    self.uuid = uuid
  }
}

/// A characteristic in a GATT database.
///
/// Core 6.0, Vol 3, Part G, 3.3.
public struct GATTCharacteristic: Hashable, Codable, Sendable {
  /// The handle of its declaration; nil where only its value is known, as when it was read by its type.
  public var declaration: UInt16?
  /// The handle of its value.
  public var valueHandle: UInt16
  /// What can be done with it; nil where the declaration is not known.
  public var properties: CharacteristicProperties?
  /// Its type; nil where it is not known.
  public var uuid: BluetoothUUID?
  /// Its descriptors, in the order of their handles.
  public var descriptors: [GATTDescriptor]

  /// A characteristic from its parts.
  public init(
    declaration: UInt16?, valueHandle: UInt16, properties: CharacteristicProperties?, uuid: BluetoothUUID?,
    descriptors: [GATTDescriptor] = []
  ) {
    self.declaration = declaration
    self.valueHandle = valueHandle
    self.properties = properties
    self.uuid = uuid
    self.descriptors = descriptors
  }

  /// Whether its value stands right behind its declaration, where it has to, or that is not known.
  ///
  /// Core 6.0, Vol 3, Part G, 3.3.
  public var followsDeclaration: Bool { declaration.map { valueHandle > 0 && $0 == valueHandle - 1 } ?? true }

  /// The first handle that belongs to it.
  public var firstHandle: UInt16 { min(declaration ?? valueHandle, valueHandle) }
}

/// A descriptor in a GATT database.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.
public struct GATTDescriptor: Hashable, Codable, Sendable {
  /// Its handle.
  public var handle: UInt16
  /// Its type.
  public var uuid: BluetoothUUID

  /// A descriptor from its parts.
  public init(handle: UInt16, uuid: BluetoothUUID) {
    self.handle = handle
    self.uuid = uuid
  }
}

extension GATTInclude: Handled {}
extension GATTDescriptor: Handled {}
