/// Scosche Rhythm+ and Rhythm24: optical sensors for the arm, which go on advertising while they are connected.
enum ScoscheRhythm {
  static let profile = SensorProfile(
    name: "Scosche Rhythm+",
    marks: SensorProfile.Marks(
      names: ["RHYTHM+", "RHYTHM24", "Rhythm 24"], models: ["R+", "R24"], companies: [0x0791]),
    facts: [
      SensorFact(.contact(false), source: "users' reports, not verified"),
      SensorFact(
        .rrIntervals(false), source: "it is an optical sensor: scosche.com",
        exception: "a Rhythm24 does in its HRV mode: github.com/JanCBrammer/OpenHRV/issues/3"),
    ])
}
