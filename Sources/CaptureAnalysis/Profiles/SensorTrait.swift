public import GATTKit

/// One thing that a model of sensors does or has, so that it can be checked.
public enum SensorTrait: Hashable, Sendable {
  /// Whether it tells skin contact.
  case contact(Bool)
  /// Whether it sends RR-Intervals.
  case rrIntervals(Bool)
  /// Whether it sends Energy Expended.
  case energyExpended(Bool)
  /// Where it says that it is worn.
  case location(BodySensorLocation)
  /// Whether it has a service.
  case service(BluetoothUUID, Bool)
  /// Whether it has a characteristic.
  case characteristic(BluetoothUUID, Bool)
  /// How far apart its measurements come, in seconds.
  case period(ClosedRange<Double>)

  /// What is usual, in words.
  public var words: String {
    switch self {
    case .contact(let usual): usual ? "tells skin contact" : "does not tell skin contact"
    case .rrIntervals(let usual): usual ? "sends RR-Intervals" : "sends no RR-Intervals"
    case .energyExpended(let usual): usual ? "sends Energy Expended" : "sends no Energy Expended"
    case .location(let usual): "says that it is worn at \(usual)"
    case .service(let uuid, let usual):
      "\(usual ? "has" : "lacks") the service \(AssignedNumbers.serviceName(uuid) ?? uuid.description)"
    case .characteristic(let uuid, let usual):
      "\(usual ? "has" : "lacks") the characteristic \(AssignedNumbers.characteristicName(uuid) ?? uuid.description)"
    case .period(let usual):
      "measures every \(number(usual.lowerBound, decimals: 2)) to \(number(usual.upperBound, decimals: 2)) s"
    }
  }

  /// What a sensor does instead, in words; nil if it does as usual, or that cannot be told.
  func contradiction(in sensor: SensorTraits) -> String? {
    switch self {
    case .contact(let usual):
      guard sensor.tellsContact == !usual else { return nil }
      return usual ? "sends no contact bit" : Self.contact(true).words
    case .rrIntervals(let usual):
      return sensor.sendsRRIntervals == !usual ? Self.rrIntervals(!usual).words : nil
    case .energyExpended(let usual):
      return sensor.sendsEnergy == !usual ? Self.energyExpended(!usual).words : nil
    case .location(let usual):
      guard let location = sensor.location, location != usual else { return nil }
      return "says that it is worn at \(location), not at \(usual)"
    case .service(let uuid, let usual):
      return sensor.services?.contains(uuid) == !usual ? Self.service(uuid, !usual).words : nil
    case .characteristic(let uuid, let usual):
      return sensor.characteristics?.contains(uuid) == !usual ? Self.characteristic(uuid, !usual).words : nil
    case .period(let usual):
      guard let period = sensor.period, !usual.contains(period) else { return nil }
      return "measures every \(number(period, decimals: 2)) s"
    }
  }
}
