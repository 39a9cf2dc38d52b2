import GATTKit

/// Polar Verity Sense: an optical sensor for the arm. It may tell a rate off the body:
/// github.com/polarofficial/polar-ble-sdk/issues/430. It sends no RR-Intervals, or smoothed ones, so that neither is
/// unusual: github.com/polarofficial/polar-ble-sdk/issues/386.
enum PolarVeritySense {
  static let profile = SensorProfile(
    name: "Polar Verity Sense",
    marks: SensorProfile.Marks(
      names: ["Polar Sense", "Polar Verity"], models: ["Sense", "Verity Sense"], companies: [0x006B]),
    facts: [
      SensorFact(.contact(false), source: "the maker: github.com/polarofficial/polar-ble-sdk/issues/131"),
      SensorFact(.characteristic(.bodySensorLocation, false), source: "users' reports, not verified"),
    ])
}
