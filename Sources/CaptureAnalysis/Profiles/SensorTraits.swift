public import GATTKit

/// What a sensor was seen to do and to have on a connection, as far as the capture tells.
public struct SensorTraits: Sendable {
  /// Its name.
  public let name: String?
  /// Its model number.
  public let model: String?
  /// The company identifier of its manufacturer data.
  public let company: UInt16?
  /// The types of its services; nil if they are not known.
  public let services: Set<BluetoothUUID>?
  /// The types of its characteristics; nil if they are not known.
  public let characteristics: Set<BluetoothUUID>?
  /// Whether it tells skin contact.
  public let tellsContact: Bool?
  /// Whether it sends RR-Intervals.
  public let sendsRRIntervals: Bool?
  /// Whether it sends Energy Expended.
  public let sendsEnergy: Bool?
  /// Where it says that it is worn.
  public let location: BodySensorLocation?
  /// How far apart its measurements come, in seconds.
  public let period: Double?

  /// A few measurements may be without what a sensor sends.
  private static let leastMeasurements = 10
  /// Energy Expended need not be in every measurement.
  private static let leastForEnergy = 60

  /// The traits of the sensor of a connection.
  /// - Parameter facts: What it has told of itself.
  init(_ connection: ConnectionSummary, of facts: DeviceFacts, advertisement: AdvertisementEvent?) {
    (name, model, location) = (facts.name, facts.model, facts.location)
    company = advertisement?.company
    let known = connection.services(connection.server)
    // Every server has the GAP service: a host that did not find it has looked for some services only.
    let isWhole = known.contains { $0.uuid == .gapService } && known.allSatisfy { $0.uuid != nil }
    services = isWhole ? Set(known.compactMap(\.uuid)) : nil
    characteristics = isWhole ? Set(known.flatMap(\.characteristics).compactMap(\.uuid)) : nil

    let statistics = connection.heartRate?.statistics ?? HeartRateStatistics()
    let sound = statistics.measurements - statistics.malformed
    let tells = statistics.withContact + statistics.withoutContact > 0
    tellsContact = sound >= Self.leastMeasurements || tells ? tells : nil
    let sends = statistics.intervals.count > 0
    // Without contact, or without a rate, there are no beats to be sent.
    let beating = sound - statistics.withoutContact - statistics.withoutRate
    sendsRRIntervals = beating >= Self.leastMeasurements || sends ? sends : nil
    sendsEnergy = sound >= Self.leastForEnergy || statistics.withEnergy > 0 ? statistics.withEnergy > 0 : nil
    period = sound >= Self.leastMeasurements ? statistics.measuringPeriod : nil
  }
}
