/// What sensors are compared in, in the order it is told: what they are, what they send, how the connection went.
public enum ComparisonAspects {
  static let all: [any ComparisonAspect.Type] = [
    DeviceInformationAspect.self,
    BatteryAspect.self,
    AdvertisingAspect.self,
    ServicesAspect.self,
    CharacteristicsAspect.self,
    PropertiesAspect.self,
    HandlesAspect.self,
    LocationAspect.self,
    ValueFormatAspect.self,
    ContactAspect.self,
    EnergyExpendedAspect.self,
    RRPresenceAspect.self,
    RRStatisticsAspect.self,
    HeartRateRangeAspect.self,
    CadenceAspect.self,
    ConnectionParametersAspect.self,
    ParameterRequestsAspect.self,
    MTUAspect.self,
    DiscoveryAspect.self,
    SubscriptionAspect.self,
    TimeToFirstMeasurementAspect.self,
    DisconnectsAspect.self,
    FindingsAspect.self,
  ]

  /// Their names.
  public static var names: [String] { all.map { $0.name } }

  /// What reports call them, in the order of their names.
  public static var titles: [String] { all.map { $0.title } }
}
