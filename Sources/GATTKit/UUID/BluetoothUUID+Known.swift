// The UUIDs that this package itself speaks of, by the names of the Assigned Numbers; all others have their names in
// `AssignedNumbers`.

extension BluetoothUUID {
  // MARK: Declarations

  /// Primary Service.
  @inlinable public static var primaryService: Self { Self(0x2800 as UInt16) }
  /// Secondary Service.
  @inlinable public static var secondaryService: Self { Self(0x2801 as UInt16) }
  /// Include.
  @inlinable public static var include: Self { Self(0x2802 as UInt16) }
  /// Characteristic.
  @inlinable public static var characteristic: Self { Self(0x2803 as UInt16) }

  // MARK: Descriptors

  /// Characteristic Extended Properties.
  @inlinable public static var characteristicExtendedProperties: Self { Self(0x2900 as UInt16) }
  /// Characteristic User Description.
  @inlinable public static var characteristicUserDescription: Self { Self(0x2901 as UInt16) }
  /// Client Characteristic Configuration.
  @inlinable public static var clientCharacteristicConfiguration: Self { Self(0x2902 as UInt16) }
  /// Server Characteristic Configuration.
  @inlinable public static var serverCharacteristicConfiguration: Self { Self(0x2903 as UInt16) }
  /// Characteristic Presentation Format.
  @inlinable public static var characteristicPresentationFormat: Self { Self(0x2904 as UInt16) }
  /// Characteristic Aggregate Format.
  @inlinable public static var characteristicAggregateFormat: Self { Self(0x2905 as UInt16) }

  // MARK: Services

  /// GAP.
  @inlinable public static var gapService: Self { Self(0x1800 as UInt16) }
  /// GATT.
  @inlinable public static var gattService: Self { Self(0x1801 as UInt16) }
  /// Device Information.
  @inlinable public static var deviceInformationService: Self { Self(0x180A as UInt16) }
  /// Heart Rate.
  @inlinable public static var heartRateService: Self { Self(0x180D as UInt16) }
  /// Battery.
  @inlinable public static var batteryService: Self { Self(0x180F as UInt16) }

  // MARK: Characteristics

  /// Device Name.
  @inlinable public static var deviceName: Self { Self(0x2A00 as UInt16) }
  /// Appearance.
  @inlinable public static var appearance: Self { Self(0x2A01 as UInt16) }
  /// Peripheral Preferred Connection Parameters.
  @inlinable public static var peripheralPreferredConnectionParameters: Self { Self(0x2A04 as UInt16) }
  /// Service Changed.
  @inlinable public static var serviceChanged: Self { Self(0x2A05 as UInt16) }
  /// Battery Level.
  @inlinable public static var batteryLevel: Self { Self(0x2A19 as UInt16) }
  /// System ID.
  @inlinable public static var systemID: Self { Self(0x2A23 as UInt16) }
  /// Model Number String.
  @inlinable public static var modelNumberString: Self { Self(0x2A24 as UInt16) }
  /// Serial Number String.
  @inlinable public static var serialNumberString: Self { Self(0x2A25 as UInt16) }
  /// Firmware Revision String.
  @inlinable public static var firmwareRevisionString: Self { Self(0x2A26 as UInt16) }
  /// Hardware Revision String.
  @inlinable public static var hardwareRevisionString: Self { Self(0x2A27 as UInt16) }
  /// Software Revision String.
  @inlinable public static var softwareRevisionString: Self { Self(0x2A28 as UInt16) }
  /// Manufacturer Name String.
  @inlinable public static var manufacturerNameString: Self { Self(0x2A29 as UInt16) }
  /// Heart Rate Measurement.
  @inlinable public static var heartRateMeasurement: Self { Self(0x2A37 as UInt16) }
  /// Body Sensor Location.
  @inlinable public static var bodySensorLocation: Self { Self(0x2A38 as UInt16) }
  /// Heart Rate Control Point.
  @inlinable public static var heartRateControlPoint: Self { Self(0x2A39 as UInt16) }
  /// PnP ID.
  @inlinable public static var pnpID: Self { Self(0x2A50 as UInt16) }
  /// Central Address Resolution.
  @inlinable public static var centralAddressResolution: Self { Self(0x2AA6 as UInt16) }
  /// Resolvable Private Address Only.
  @inlinable public static var resolvablePrivateAddressOnly: Self { Self(0x2AC9 as UInt16) }
  /// Client Supported Features.
  @inlinable public static var clientSupportedFeatures: Self { Self(0x2B29 as UInt16) }
  /// Database Hash.
  @inlinable public static var databaseHash: Self { Self(0x2B2A as UInt16) }
  /// Server Supported Features.
  @inlinable public static var serverSupportedFeatures: Self { Self(0x2B3A as UInt16) }
}
