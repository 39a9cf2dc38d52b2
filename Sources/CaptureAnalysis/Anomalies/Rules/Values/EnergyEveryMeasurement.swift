/// Energy more often than it is of use.
struct EnergyEveryMeasurement: AnomalyRule {
  static let about = RuleDescription(
    "energy-every-measurement", .info,
    finds: "Energy Expended is in every measurement, where once in about ten is enough.",
    matters: "It takes two octets from the RR-Intervals of each notification, and energy from the sensor.",
    advice: "A sensor should send it about every tenth time.",
    reference: "HRS 1.0, 3.1.1.3",
    examples: [
      .finds("in each of 20", [.repeated(["08 48 10 00"], times: 20)]),
      .quiet("RR-Intervals in its place", [.repeated(["08 48 55 03", "08 48 60 03", "08 48 49 03"], times: 8)]),
      .quiet("in every tenth", [.repeated(["00 48", "00 48", "00 48", "00 48", "08 48 10 00"], times: 6)]),
      .quiet("in each of three, which says nothing yet", [.repeated(["08 48 10 00"], times: 3)]),
    ])
  static let readsValues = true

  init(_ settings: RuleSettings) {}

  mutating func finish(_ scene: inout RuleScene) {
    guard let first = scene.series.beginning, let last = scene.series.current?.moment else { return }
    let count = scene.series.energies.announced
    guard count >= 12, count == scene.series.count, scene.series.energies.impostor == nil else { return }
    scene.report(Self.self, "energy in each of \(count) measurements", from: first, to: last, count: count)
  }
}
