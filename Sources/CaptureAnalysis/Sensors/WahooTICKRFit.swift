/// Wahoo TICKR FIT: an optical sensor for the arm, and nothing of a chest strap is usual for it.
enum WahooTICKRFit {
  static let profile = SensorProfile(
    name: "Wahoo TICKR FIT",
    marks: SensorProfile.Marks(names: ["TICKR FIT"], models: ["TICKR FIT"], companies: [0x01FC]),
    facts: [])
}
