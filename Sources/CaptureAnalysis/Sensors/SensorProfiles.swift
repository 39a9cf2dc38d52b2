/// The models that are known: those of this program, and those that its user adds.
public struct SensorProfiles: Sendable {
  /// The models of this program, in the order of their names.
  static let builtIn: [SensorProfile] = [
    CooSpo.profile,
    GarminHRM.profile,
    Magene.profile,
    PolarH10.profile,
    PolarH7.profile,
    PolarOH1.profile,
    PolarVeritySense.profile,
    ScoscheRhythm.profile,
    WahooTICKR.profile,
    WahooTICKRFit.profile,
  ]

  private let all: [SensorProfile]

  /// The models of this program, and before them others.
  public init(adding others: [SensorProfile] = []) {
    all = others + Self.builtIn
  }

  /// The model of a sensor; nil if none fits. Of two that fit alike, what its user has added comes first.
  public func profile(of sensor: SensorTraits) -> SensorProfile? {
    var best: (profile: SensorProfile, likeness: Int)?
    for profile in all {
      let likeness = profile.likeness(of: sensor)
      if likeness >= SensorProfile.leastLikeness, likeness > best?.likeness ?? 0 { best = (profile, likeness) }
    }
    return best?.profile
  }
}

extension CaptureSummary {
  /// What a connection's sensor was seen to do.
  public func traits(of connection: ConnectionSummary) -> SensorTraits {
    SensorTraits(connection, of: connection.sensor, advertisement: advertisement(of: connection))
  }
}
