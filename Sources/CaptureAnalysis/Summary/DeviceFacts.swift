import BluetoothHost
public import GATTKit

/// What a device says of itself: its name, its maker, its battery, and where it is worn.
public struct DeviceFacts: Sendable {
  /// Its name, as it came: it may hold anything.
  public internal(set) var name: String?
  /// Whether the name was read from the device rather than advertised.
  var isNameRead = false
  /// Its maker.
  public internal(set) var manufacturer: String?
  /// Its model number.
  public internal(set) var model: String?
  /// Its firmware revision.
  public internal(set) var firmware: String?
  /// The last battery level, in percent.
  public internal(set) var battery: UInt8?
  /// Where the sensor is worn.
  private(set) var locations = LocationsRead()
  /// Where the sensor is worn: of several heart rate services, the one tells that was asked first.
  public var location: BodySensorLocation? { locations.first?.location }

  /// Takes over what a value says.
  mutating func note(_ value: CapturedValue, _ moment: Moment) {
    guard let uuid = value.uuid, !value.octets.isCut else { return }
    switch uuid {
    case .deviceName:
      guard let text = text(value) else { return }
      if !text.seemsCut(from: name) { name = text }
      isNameRead = true
    case .manufacturerNameString: manufacturer = text(value) ?? manufacturer
    case .modelNumberString: model = text(value) ?? model
    case .firmwareRevisionString: firmware = text(value) ?? firmware
    case .batteryLevel: battery = (try? BatteryLevel(value.octets.octets))?.percent ?? battery
    case .bodySensorLocation:
      guard let location = try? BodySensorLocation(value.octets.octets) else { return }
      locations.note(LocationRead(location: location, moment: moment, handle: value.handle))
    default: break
    }
  }

  /// Facts that are not known.
  init() {}

  /// What a device has told on several connections: of what it told more than once, the last word.
  init(of connections: some Sequence<DeviceFacts>) {
    for facts in connections {
      takeOver(facts)
      if !isNameRead { name = facts.name ?? name }
    }
  }

  /// Takes over everything that other facts know.
  mutating func takeOver(_ other: DeviceFacts) {
    if other.isNameRead { (name, isNameRead) = (other.name, true) }
    manufacturer = other.manufacturer ?? manufacturer
    model = other.model ?? model
    firmware = other.firmware ?? firmware
    battery = other.battery ?? battery
    if other.location != nil { locations = other.locations }
  }

  /// Takes over what is known from later connections of what hardly ever changes, as far as nothing was said of it before:
  /// what the device is called, and what it is.
  mutating func fillIn(from later: DeviceFacts) {
    if !isNameRead, let told = later.isNameRead ? later.name : name ?? later.name { name = told }
    manufacturer = manufacturer ?? later.manufacturer
    model = model ?? later.model
    firmware = firmware ?? later.firmware
  }

  /// What was said on an earlier connection holds until something else is said.
  var ofEarlierConnection: DeviceFacts {
    var facts = self
    facts.locations.becomeEarlier()
    return facts
  }

  private func text(_ value: CapturedValue) -> String? {
    (try? DeviceInformationString(value.octets.octets))?.text.unlessBlank
  }
}

/// What devices have said of themselves on connections of a capture: it holds on later ones, and of most at the end on all.
struct KnownDevices {
  private var devices: [ConnectedDevice: DeviceFacts] = [:]

  /// What is known of the two ends of a new connection.
  func known(_ event: ConnectedEvent) -> (peer: DeviceFacts?, local: DeviceFacts?) {
    (known(ConnectedDevice(.peer, of: event)), known(ConnectedDevice(.local, of: event)))
  }

  /// What the peer of a connection has said of itself, up to the end of the capture.
  func known(peerOf connection: ConnectionSummary) -> DeviceFacts? {
    known(ConnectedDevice(.peer, of: connection))
  }

  private func known(_ device: ConnectedDevice?) -> DeviceFacts? { device.flatMap { devices[$0] } }

  /// More devices than any capture has.
  static let most = 1 << 14

  mutating func note(_ connection: ConnectionSummary) {
    note(connection.peer, ConnectedDevice(.peer, of: connection))
    note(connection.local, ConnectedDevice(.local, of: connection))
  }

  /// Where there is no room for more devices, those that are known still tell what is new.
  private mutating func note(_ facts: DeviceFacts, _ device: ConnectedDevice?) {
    guard let device, devices.count < Self.most || devices[device] != nil else { return }
    devices[device] = facts
  }
}
